/** Where our own things and the host's settings lie on this machine. */
import { lstatSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import type { Places } from "../kernel/facts.ts";
import { projectKey, projectRoot } from "./project.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** `pinned` is the root that the session began in; without it the root is looked for. */
export function placesOf(env: Environment, cwd: string, program: readonly string[], pinned?: string): Places {
  known.clear();
  missing.clear();
  const home = homeOf(env);
  const session = env["CLAUDE_PROJECT_DIR"] || cwd || home;
  const project = pinned ?? projectRoot(session);
  const state = stateRoot(env);
  const config = `${absolute(env["XDG_CONFIG_HOME"]) ?? `${home}/.config`}/sekisho`;
  return {
    project,
    home,
    journal: `${state}/${projectKey(project)}`,
    settingsFiles: [`${config}/config.yaml`, `${project}/.sekisho/config.yaml`],
    // The rest needs many looks at the disk, and most events ask about none of it.
    get state() {
      return trueName(state);
    },
    get config() {
      return unique([`${project}/.sekisho`, `${session}/.sekisho`, config]);
    },
    get installed() {
      return program.map(trueName);
    },
    get hostSettings() {
      const clients = [env["CLAUDE_CONFIG_DIR"] || `${home}/.claude`, `${project}/.claude`, `${session}/.claude`];
      return unique([
        ...clients.flatMap((directory) => [`${directory}/settings.json`, `${directory}/settings.local.json`]),
        "/etc/claude-code/managed-settings.json",
      ]);
    },
  };
}

export function stateRoot(env: Environment): string {
  return `${absolute(env["XDG_STATE_HOME"]) ?? `${homeOf(env)}/.local/state`}/sekisho`;
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
  return nameOf(isPlain(path) ? path : resolve(path), 0);
}

/** Absolute, and nothing in it that `resolve` would change: it goes through a path letter by letter, and we have many. */
function isPlain(path: string): boolean {
  return path.startsWith("/") && !path.endsWith("/") && !/\/\.{0,2}(?:\/|$)/.test(path);
}

const LINKS_MAX = 40;
/** One event asks about many paths with the same beginning; `placesOf` begins anew. */
const known = new Map<string, string>();
const missing = new Set<string>();

function nameOf(path: string, links: number): string {
  const before = known.get(path);
  if (before !== undefined) return before;
  const slash = path.lastIndexOf("/");
  if (slash < 0 || path === "/") return path;
  const parent = slash === 0 ? "/" : nameOf(path.slice(0, slash), links);
  const own = parent === "/" ? path.slice(slash) : parent + path.slice(slash);
  const isMissing = missing.has(parent);
  const target = links < LINKS_MAX && !isMissing ? linkTarget(own) : undefined;
  if (isMissing) missing.add(own);
  // A link that leads nowhere yet still names the place that a write through it would create.
  const name = target === undefined ? own : nameOf(resolve(parent, target), links + 1);
  known.set(path, name);
  return name;
}

function linkTarget(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) missing.add(path);
    return stat?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    // Below a directory we may not enter there is nothing we could follow, and nothing of ours.
    return undefined;
  }
}
