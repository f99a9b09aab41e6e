/** Whom a registration or a setting governs, and which settings file that is: the client's, and ours. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Places } from "../kernel/facts.ts";
import { CommandError } from "./print.ts";

export const SCOPES = ["local", "project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

export function scopeOf(given: string): Scope {
  const scope = SCOPES.find((name) => name === given);
  if (scope === undefined) throw new CommandError(`--scope is local, project or user, not "${given}".`);
  return scope;
}

export function settingsPath(scope: Scope, project: string): string {
  if (scope === "user") return join(clientDirectory(), "settings.json");
  return join(project, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
}

function clientDirectory(): string {
  return process.env["CLAUDE_CONFIG_DIR"] || join(process.env["HOME"] || homedir(), ".claude");
}

/** The order of our own settings files, weakest first. */
const LAYERS: readonly Scope[] = ["user", "project", "local"];

export function layerPath(scope: Scope, { settingsFiles }: Pick<Places, "settingsFiles">): string {
  const path = settingsFiles[LAYERS.indexOf(scope)];
  if (path === undefined) throw new Error(`There is no settings file for ${scope}.`);
  return path;
}

/** Of one of our own settings files. */
export function scopeOfLayer(at: number): Scope | undefined {
  return LAYERS[at];
}
