/** Replaces a settings file of the host: atomically, through links, keeping its mode. */
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hostFileBytes } from "./host-file.ts";
import { trueName } from "./places.ts";

/** Says why a file was left unchanged, in words for a person. */
export class HostFileError extends Error {}

/** Undefined when there is no such file. Throws when the bytes would not survive a round trip. */
export function rewritableText(path: string): string | undefined {
  try {
    const bytes = hostFileBytes(path);
    return bytes && decoded(bytes, path);
  } catch (error) {
    throw new HostFileError(`${(error as Error).message}. It was left as it is.`);
  }
}

function decoded(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new Error(`${path} is not UTF-8 throughout`);
  return text;
}

/** Replaces the file only if it still has the content that was read. `undefined` stands for a missing file. */
export function replaceHostFile(
  path: string,
  before: string | undefined,
  after: string | undefined,
  newMode = 0o600,
): void {
  if (before === after) return;
  const target = trueName(path);
  if (rewritableText(target) !== before) {
    throw new HostFileError(`${path} was changed by somebody meanwhile. Run this again.`);
  }
  try {
    if (after === undefined) rmSync(target);
    else write(target, after, newMode);
  } catch (error) {
    throw new HostFileError(`${path} cannot be written: ${(error as Error).message}. Nothing was changed.`);
  }
}

function write(target: string, text: string, newMode: number): void {
  const mode = (statSync(target, { throwIfNoEntry: false })?.mode ?? newMode) & 0o777;
  const temporary = `${target}.${process.pid}.tmp`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    writeFileSync(temporary, text, { mode, flag: "wx", flush: true });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}
