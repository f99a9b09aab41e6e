/** Whom a registration governs, and which of the client's settings files that is. */
import { homedir } from "node:os";
import { join } from "node:path";
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
