/** Reads and replaces a settings file of the host: whole or not at all, through links, with its mode kept. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { trueName } from "../world/places.ts";
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

/** Where the gates stop reading, too: what is larger would only lock everything. */
const BYTES_MAX = 4 * 1024 * 1024;

/** Undefined when there is no such file. What could not be given back byte by byte is an error. */
export function readText(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    // A pipe would hold us for ever.
    if (!stat.isFile()) throw new Error("it is not a plain file");
    if (stat.size > BYTES_MAX) throw new Error(`${stat.size} bytes are too many for a settings file`);
    return decoded(readFileSync(path));
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}. It was left as it is.`);
  }
}

function decoded(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new Error("it is not UTF-8 throughout");
  return text;
}

/** Replaces what was read. If somebody else was faster, theirs stays. `undefined` is a file that is not there. */
export function replaceText(path: string, before: string | undefined, after: string | undefined): void {
  if (before === after) return;
  const target = trueName(path);
  if (readText(target) !== before) throw new CommandError(`${path} was changed by somebody meanwhile. Run this again.`);
  try {
    if (after === undefined) rmSync(target);
    else write(target, after);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}. Nothing was changed.`);
  }
}

function write(target: string, text: string): void {
  const mode = (statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  const temporary = `${target}.${process.pid}.tmp`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    writeFileSync(temporary, text, { mode, flag: "wx", flush: true });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}
