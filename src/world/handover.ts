/** The files in which a conversation leaves for itself what must outlive it: one for each session, beside the journal. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Handover, handoverIn } from "../kernel/handover.ts";
import { plainText } from "./plain-file.ts";

export const HANDOVER_BYTES_MAX = 32 * 1024;
const SESSIONS_KEPT = 20;
/** However many somebody makes, the next one does not wait for all of them to be looked at. */
const LOOKED_AT_MAX = 200;
/** Whoever writes needs no longer; what is older was left by one that died. */
const UNFINISHED_MS = 60_000;

/** What gives way first where all of it is too long. */
const LEAST_FIRST = ["user_intents", "written", "changed", "commits", "plans", "tasks"] as const;

function directoryIn(journal: string): string {
  return join(journal, "handover");
}

/** Null: there is none, or it was told already. What is no handover is taken away. */
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

/** Whole or not at all. Throws where it cannot be written. */
export function writeHandover(journal: string, handover: Handover, now: number): void {
  const directory = directoryIn(journal);
  // Without a journal there is nothing to keep it beside; and a link in its place would lead out of what is ours.
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

/** A byte too many, and it would be taken for no handover when it is read. */
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
    // Torn, or never one of ours.
    void error;
    return undefined;
  }
}

/** The newest stay, and what somebody has begun and never finished goes. */
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
    // None has been made yet.
    void error;
    return [];
  }
}

function remove(path: string): void {
  try {
    // What is no file, we have not put there.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(path, { force: true });
  } catch (error) {
    // It is passed over again the next time.
    void error;
  }
}
