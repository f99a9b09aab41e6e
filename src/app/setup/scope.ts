/** The scope of a registration or setting, and the settings files that belong to it: the host's and ours. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Places } from "../../kernel/facts.ts";
import { configDirectory } from "../../world/machine/places.ts";
import { host, setup } from "../host.ts";
import { Problem } from "../problem.ts";

export const SCOPES = ["local", "project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

export function scopeOf(given: string): Scope {
  const scope = SCOPES.find((name) => name === given);
  if (scope === undefined) throw new Problem(`--scope is local, project or user, not "${given}".`);
  return scope;
}

export function settingsPath(scope: Scope, project: string): string {
  const { layout } = host;
  const file = setup.settingsFiles[scope];
  if (scope !== "user") return join(project, layout.directory, file);
  return join(configDirectory(layout, process.env, process.env["HOME"] || homedir()), file);
}

/** The project directory of the host's session, or the current directory outside a session. */
export function sessionDirectory(): string {
  return process.env[host.layout.variables.project] || process.cwd();
}

/** The order of our own settings files, weakest first. */
const LAYERS: readonly Scope[] = ["user", "project", "local"];

export function layerPath(scope: Scope, { settingsFiles }: Pick<Places, "settingsFiles">): string {
  const path = settingsFiles[LAYERS.indexOf(scope)];
  if (path === undefined) throw new Error(`There is no settings file for ${scope}.`);
  return path;
}

export function scopeOfLayer(at: number): Scope | undefined {
  return LAYERS[at];
}
