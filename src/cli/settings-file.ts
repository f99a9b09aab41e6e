/** Reads and replaces a settings file of the host: whole or not at all, through links, with its mode kept. */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError } from "./print.ts";

export const SCOPES = ["local", "project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

export function settingsPath(scope: Scope, project: string): string {
  if (scope === "user")
    return join(process.env["CLAUDE_CONFIG_DIR"] || join(process.env["HOME"] || homedir(), ".claude"), "settings.json");
  return join(project, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

export function replaceText(path: string, text: string): void {
  const target = existing(path) ?? path;
  const mode = (existing(path) === undefined ? 0o100600 : statSync(target).mode) & 0o777;
  const temporary = `${target}.${process.pid}.tmp`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    writeFileSync(temporary, text, { mode, flag: "wx" });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}. Nothing was changed.`);
  }
}

function existing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
