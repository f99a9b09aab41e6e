/** Where our own things and the host's settings lie on this machine. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Places } from "../kernel/facts.ts";
import { projectKey, projectRoot } from "./project.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export function placesOf(env: Environment, cwd: string, program: readonly string[]): Places {
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
  return env["HOME"] || homedir();
}

/**
 * Where a path really leads: symbolic links resolved as far as the path exists, the rest appended. Two spellings of
 * one place have one true name.
 */
export function trueName(path: string): string {
  const absolute = resolve(path);
  const missing: string[] = [];
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch {
      if (dirname(at) === at) return absolute;
      missing.unshift(at.slice(dirname(at) === "/" ? 1 : dirname(at).length + 1));
    }
  }
}
