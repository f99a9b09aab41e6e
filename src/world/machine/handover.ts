/** The handover files, which carry a conversation's context across compaction: one per session, next to the journal. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { type Handover, handoverIn } from "../../kernel/handover.ts";

export const HANDOVER_BYTES_MAX = 32 * 1024;
const SESSIONS_KEPT = 20;
/** Bounds the cleanup when the directory holds many files. */
const LOOKED_AT_MAX = 200;
/** A write takes less time than this; older temporary files were left by a process that died. */
const UNFINISHED_MS = 60_000;

/** Fields dropped first when the handover is too long. */
const LEAST_FIRST = ["user_intents", "written", "changed", "commits", "plans", "tasks"] as const;

function directoryIn(journal: string): string {
  return join(journal, "handover");
}

/** Null when there is none or the session was already told. An invalid file is removed. */
export function handoverOf(session: string, journal: string, restored: number | undefined): Handover | null {
  const path = join(directoryIn(journal), `${session}.json`);
  const found = readHandover(path, session);
  if (found) return found.at === restored ? null : found;
  remove(path);
  return null;
}

/** Newest first. */
export function handoversIn(journal: string): readonly Handover[] {
  const directory = directoryIn(journal);
  return namesIn(directory)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .flatMap((name) => readHandover(join(directory, name), name.slice(0, -".json".length)) ?? [])
    .sort((a, b) => b.at - a.at);
}

/** Atomic. Throws when the file cannot be written. */
export function writeHandover(journal: string, handover: Handover, now: number): void {
  const directory = directoryIn(journal);
  // Not recursive: without a journal nothing is created. A link in its place would lead outside our directory.
  if (!lstatSync(directory, { throwIfNoEntry: false })) mkdirSync(directory, { mode: 0o700 });
  if (!lstatSync(directory).isDirectory()) throw new Error(`${directory} is no directory`);
  const temporary = join(directory, `.${handover.session}.${process.pid}.tmp`);
  try {
    rmSync(temporary, { force: true });
    writeFileSync(temporary, spelled(handover), { flag: "wx", mode: 0o600 });
    renameSync(temporary, join(directory, `${handover.session}.json`));
  } finally {
    remove(temporary);
  }
  retire(directory, now);
}

/** A file over the limit would be rejected when it is read. */
function spelled(handover: Handover): string {
  let kept = handover;
  for (const name of LEAST_FIRST) {
    if (Buffer.byteLength(JSON.stringify(kept, null, 1)) <= HANDOVER_BYTES_MAX) break;
    const { [name]: _, ...rest } = kept;
    kept = rest;
  }
  return JSON.stringify(kept, null, 1);
}

function readHandover(path: string, session: string): Handover | undefined {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
    return handoverIn(JSON.parse(plainText(path, HANDOVER_BYTES_MAX) ?? ""), session);
  } catch (error) {
    // Truncated, or not one of our files.
    void error;
    return undefined;
  }
}

/** Keeps the newest handovers and removes stale temporary files. */
function retire(directory: string, now: number): void {
  const files = namesIn(directory).map((name) => ({ path: join(directory, name), name, modified: 0 }));
  const known = files.flatMap((file) => {
    const stat = lstatSync(file.path, { throwIfNoEntry: false });
    return stat ? [{ ...file, modified: stat.mtimeMs }] : [];
  });
  const unfinished = known.filter(({ name, modified }) => name.endsWith(".tmp") && now - modified > UNFINISHED_MS);
  const whole = known.filter(({ name }) => name.endsWith(".json")).sort((a, b) => b.modified - a.modified);
  for (const { path } of [...unfinished, ...whole.slice(SESSIONS_KEPT)]) remove(path);
}

function namesIn(directory: string): readonly string[] {
  try {
    return lstatSync(directory).isDirectory() ? readdirSync(directory).slice(0, LOOKED_AT_MAX) : [];
  } catch (error) {
    // The directory does not exist yet.
    void error;
    return [];
  }
}

function remove(path: string): void {
  try {
    // A directory is not one of our files.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(path, { force: true });
  } catch (error) {
    // The next cleanup tries again.
    void error;
  }
}
