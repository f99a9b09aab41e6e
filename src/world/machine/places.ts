/** Where Sekisho's own files and the host's settings are on this machine. */
import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import type { Places } from "../../kernel/facts.ts";
import type { HostLayout } from "../host-layout.ts";
import { projectKey, projectRoot } from "./project.ts";
import { forgetRoots } from "./work-tree.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** `pinned` is the root the session began in; without it the root is looked up. */
export function placesOf(
  layout: HostLayout,
  env: Environment,
  cwd: string,
  program: readonly string[],
  pinned?: string,
): Places {
  known.clear();
  forgetRoots();
  const home = homeOf(env);
  const session = env[layout.variables.project] || cwd || home;
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
    // Lazy: these need many file system lookups, and most events use none of them.
    get state() {
      return trueName(state);
    },
    get config() {
      return unique([`${project}/.sekisho`, `${session}/.sekisho`, config]);
    },
    get installed() {
      return [...program, ...pluginOf(layout, env, program)].map(trueName);
    },
    get hostSettings() {
      const own = [project, session].map((root) => `${root}/${layout.directory}`);
      const directories = [configDirectory(layout, env, home), ...own];
      return unique([
        ...directories.flatMap((directory) => layout.settings.map((name) => `${directory}/${name}`)),
        ...layout.managed,
      ]);
    },
    get hostRecords() {
      const directory = configDirectory(layout, env, home);
      return layout.records.map((name) => trueName(`${directory}/${name}`));
    },
  };
}

/** When started as a plugin, the plugin's files are part of the installation: they define the hooks. */
function pluginOf({ variables }: HostLayout, env: Environment, program: readonly string[]): readonly string[] {
  const root = absolute(env[variables.plugin]);
  return root !== undefined && program.some((path) => path.startsWith(`${root}/`)) ? [root] : [];
}

/** The host's configuration directory of the user. */
export function configDirectory({ variables, directory }: HostLayout, env: Environment, home: string): string {
  return env[variables.config] || `${home}/${directory}`;
}

export function stateRoot(env: Environment): string {
  return `${absolute(env["XDG_STATE_HOME"]) ?? `${homeOf(env)}/.local/state`}/sekisho`;
}

/** Where per-session files are kept. */
export function sessionsIn(env: Environment): string {
  return `${stateRoot(env)}/sessions`;
}

/** A relative directory would change with the agent's `cd`, so it is ignored. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith("/") ? path : undefined;
}

function homeOf(env: Environment): string {
  // HOME is practically always set, and loading `node:os` at every event costs time.
  return absolute(env["HOME"]) ?? process.getBuiltinModule?.("node:os").homedir() ?? "/";
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(trueName))];
}

/**
 * Resolves symbolic links as far as the path exists and appends the rest, so that two spellings of one place compare
 * equal. Missing paths do not throw: most of the paths asked about do not exist.
 */
export function trueName(path: string): string {
  return placeAt(isPlain(path) ? path : resolve(path), 0).name;
}

/** True when `resolve` would not change the path: `resolve` scans every character, and there are many paths. */
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
/** Cache: an event asks about many paths with common prefixes; `placesOf` clears it. */
const known = new Map<string, Place>();

/** Walks from the root; nothing below a missing directory is looked up. */
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
  // On file systems that ignore case, only the system knows the true spelling.
  return { name: process.platform === "linux" ? own : (real(path) ?? own), isThere: true };
}

/** A dangling link still names the place that a write through it would create. */
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
    // A directory that may not be entered contains nothing to follow and nothing of ours.
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
    // The link was removed a moment ago; its own path is used.
    void error;
    return undefined;
  }
}
