/** Where our own things and the host's settings lie on this machine. */
import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import type { Places } from "../kernel/facts.ts";
import { projectKey, projectRoot } from "./project.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** `pinned` is the root that the session began in; without it the root is looked for. */
export function placesOf(env: Environment, cwd: string, program: readonly string[], pinned?: string): Places {
  known.clear();
  const home = homeOf(env);
  const session = env["CLAUDE_PROJECT_DIR"] || cwd || home;
  const project = pinned ?? projectRoot(session);
  const state = stateRoot(env);
  const config = `${absolute(env["XDG_CONFIG_HOME"]) ?? `${home}/.config`}/sekisho`;
  return {
    project,
    home,
    journal: `${state}/${projectKey(project)}`,
    settingsFiles: [
      `${config}/config.yaml`,
      `${project}/.sekisho/config.yaml`,
      `${project}/.sekisho/config.local.yaml`,
    ],
    // The rest needs many looks at the disk, and most events ask about none of it.
    get state() {
      return trueName(state);
    },
    get config() {
      return unique([`${project}/.sekisho`, `${session}/.sekisho`, config]);
    },
    get installed() {
      return [...program, ...pluginOf(env, program)].map(trueName);
    },
    get hostSettings() {
      const clients = [hostDirectory(env, home), `${project}/.claude`, `${session}/.claude`];
      return unique([
        ...clients.flatMap((directory) => [`${directory}/settings.json`, `${directory}/settings.local.json`]),
        "/etc/claude-code/managed-settings.json",
      ]);
    },
  };
}

/** Started as a plugin, we stand on the plugin's own files too: they say which hooks there are. */
function pluginOf(env: Environment, program: readonly string[]): readonly string[] {
  const root = absolute(env["CLAUDE_PLUGIN_ROOT"]);
  return root !== undefined && program.some((path) => path.startsWith(`${root}/`)) ? [root] : [];
}

/** Where the client keeps what is the person's own. */
export function hostDirectory(env: Environment, home: string): string {
  return env["CLAUDE_CONFIG_DIR"] || `${home}/.claude`;
}

export function stateRoot(env: Environment): string {
  return `${absolute(env["XDG_STATE_HOME"]) ?? `${homeOf(env)}/.local/state`}/sekisho`;
}

/** Where what belongs to one session is kept. */
export function sessionsIn(env: Environment): string {
  return `${stateRoot(env)}/sessions`;
}

/** A relative directory would move with the agent's `cd`, and is as good as none. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith("/") ? path : undefined;
}

function homeOf(env: Environment): string {
  // Looked up only when it is missing: loading the module costs every event, and HOME is always set in practice.
  return absolute(env["HOME"]) ?? process.getBuiltinModule?.("node:os").homedir() ?? "/";
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(trueName))];
}

/**
 * Where a path really leads: symbolic links resolved as far as the path exists, the rest appended. Two spellings of
 * one place have one true name. Nothing is thrown for what is missing: most of the places we ask about are.
 */
export function trueName(path: string): string {
  return placeAt(isPlain(path) ? path : resolve(path), 0).name;
}

/** Absolute, and nothing in it that `resolve` would change: it goes through a path letter by letter, and we have many. */
function isPlain(path: string): boolean {
  if (!path.startsWith("/") || path.endsWith("/") || path.includes("//")) return false;
  if (!path.includes("/.")) return true;
  return !(path.includes("/./") || path.includes("/../") || path.endsWith("/.") || path.endsWith("/.."));
}

interface Place {
  readonly name: string;
  readonly isThere: boolean;
}

const ROOT: Place = { name: "/", isThere: true };
const LINKS_MAX = 40;
/** One event asks about many paths with the same beginning; `placesOf` begins anew. */
const known = new Map<string, Place>();

/** From the root on: of a path with a missing directory in it nothing below that is asked for. */
function placeAt(path: string, links: number): Place {
  const slash = path.lastIndexOf("/");
  if (slash < 0 || path === "/") return slash < 0 ? { name: path, isThere: false } : ROOT;
  const before = known.get(path);
  if (before !== undefined) return before;
  const parent = slash === 0 ? ROOT : placeAt(path.slice(0, slash), links);
  const own = `${parent.name === "/" ? "" : parent.name}${path.slice(slash)}`;
  const place = parent.isThere ? entryAt(path, own, parent.name, links) : { name: own, isThere: false };
  known.set(path, place);
  return place;
}

function entryAt(path: string, own: string, directory: string, links: number): Place {
  const stat = entry(path);
  if (!stat) return { name: own, isThere: false };
  if (stat.isSymbolicLink()) return linkedFrom(path, own, directory, links);
  // Where letters may differ in case, only the system knows the true ones.
  return { name: process.platform === "linux" ? own : (real(path) ?? own), isThere: true };
}

/** A link that leads nowhere yet still names the place that a write through it would create. */
function linkedFrom(path: string, own: string, directory: string, links: number): Place {
  const name = real(path);
  if (name !== undefined) return { name, isThere: true };
  const target = links < LINKS_MAX ? targetOf(path) : undefined;
  return target === undefined ? { name: own, isThere: false } : placeAt(resolve(directory, target), links + 1);
}

function entry(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Below a directory we may not enter there is nothing we could follow, and nothing of ours.
    void error;
    return undefined;
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    void error;
    return undefined;
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch (error) {
    // It was there a moment ago; its letters are all that is left of it.
    void error;
    return undefined;
  }
}
