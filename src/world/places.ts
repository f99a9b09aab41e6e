/** Where our own things and the host's settings lie on this machine. */
import { lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Places } from "../kernel/facts.ts";
import { projectKey, projectRoot } from "./project.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export function placesOf(env: Environment, cwd: string, program: readonly string[]): Places {
  known.clear();
  missing.clear();
  const home = homeOf(env);
  const session = env["CLAUDE_PROJECT_DIR"] || cwd || home;
  const project = projectRoot(session);
  const hostHome = env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
  return {
    project,
    home: trueName(home),
    state: trueName(stateRoot(env)),
    journal: join(stateRoot(env), projectKey(project)),
    settingsFiles: [join(configRoot(env), "config.yaml"), join(project, ".sekisho", "config.yaml")],
    config: [...new Set([join(project, ".sekisho"), join(session, ".sekisho"), configRoot(env)].map(trueName))],
    installed: program.map(trueName),
    hostSettings: [
      ...new Set(
        [hostHome, join(project, ".claude"), join(session, ".claude")]
          .flatMap((directory) => [join(directory, "settings.json"), join(directory, "settings.local.json")])
          .concat("/etc/claude-code/managed-settings.json")
          .map(trueName),
      ),
    ],
  };
}

export function stateRoot(env: Environment): string {
  return join(env["XDG_STATE_HOME"] || join(homeOf(env), ".local", "state"), "sekisho");
}

function configRoot(env: Environment): string {
  return join(env["XDG_CONFIG_HOME"] || join(homeOf(env), ".config"), "sekisho");
}

function homeOf(env: Environment): string {
  // Looked up only when it is missing: loading the module costs every event, and HOME is always set in practice.
  return env["HOME"] || (process.getBuiltinModule?.("node:os").homedir() ?? "/");
}

/**
 * Where a path really leads: symbolic links resolved as far as the path exists, the rest appended. Two spellings of
 * one place have one true name. Nothing is thrown for what is missing: most of the places we ask about are.
 */
export function trueName(path: string): string {
  return nameOf(resolve(path), 0);
}

const LINKS_MAX = 40;
/** One event asks about many paths with the same beginning; `placesOf` begins anew. */
const known = new Map<string, string>();
const missing = new Set<string>();

function nameOf(path: string, links: number): string {
  const before = known.get(path);
  if (before !== undefined) return before;
  const above = dirname(path);
  if (above === path) return path;
  const parent = nameOf(above, links);
  const own = join(parent, basename(path));
  const target = links < LINKS_MAX && !missing.has(parent) ? linkTarget(own) : undefined;
  if (missing.has(parent)) missing.add(own);
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
