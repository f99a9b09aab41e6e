/** Files of the queue: changed under a lock, complete under another name first. */
import { constants, mkdirSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { dump, loadAll } from "js-yaml";
import { readPlain } from "../../disk/plain-file.ts";
import { discard } from "../journal/discard.ts";
import { withFile } from "../journal/file.ts";
import { newRid } from "../journal/rid.ts";
import { LOOSE_YAML } from "./loose-yaml.ts";

const BYTES_MAX = 16 * 1024 * 1024;
const BETWEEN_MS = 1000;
const LOOK_MS = 20;
/** A writer that holds the lock longer has died. */
const STALE_MS = 30_000;

/** How long a writer waits for the lock. */
export interface Patience {
  readonly attempts: number;
  readonly waitMs: number;
}

/** For commands, as the original writer waits. */
const PATIENT: Patience = { attempts: 3, waitMs: 5000 };

/** For events: other events may wait behind this one. The message itself is in the journal. */
export const HURRIED: Patience = { attempts: 1, waitMs: 200 };

export class QueueProblem extends Error {}

/** The parsed file; undefined where there is none. */
export function readQueueFile(path: string): unknown {
  const documents = readQueueDocuments(path);
  if (documents && documents.length > 1) throw new QueueProblem(`${path} has several YAML documents.`);
  return documents && (documents[0] ?? {});
}

/** An empty file, or one of comments, has none. */
export function readQueueDocuments(path: string): readonly unknown[] | undefined {
  const file = readPlain(path, BYTES_MAX);
  if (!file) return undefined;
  if ("problem" in file) throw new QueueProblem(`${path} ${file.problem}.`);
  if (file.cut) throw new QueueProblem(`${path} is larger than ${BYTES_MAX} bytes.`);
  try {
    const documents = loadAll(file.bytes.toString(), LOOSE_YAML);
    return documents.length === 1 && documents[0] === null ? [] : documents;
  } catch (error) {
    throw new QueueProblem(
      `${path} is no valid YAML: ${error instanceof Error ? error.message.split("\n")[0] : error}`,
    );
  }
}

export function queueText(value: unknown): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}

export function documentsText(values: readonly unknown[]): string {
  return values.map(queueText).join("---\n");
}

/** Replaces the file by what `change` makes of it, or leaves it alone if that is undefined. */
export function changeQueueFile(path: string, change: (value: unknown) => unknown, patience: Patience = PATIENT): void {
  mkdirSync(dirname(path), { recursive: true });
  const lock = `${path}.sekisho-lock`;
  take(lock, path, patience);
  try {
    const value = change(readQueueFile(path));
    if (value !== undefined) replace(path, queueText(value));
  } finally {
    discard(lock);
  }
}

function replace(path: string, text: string): void {
  const temporary = `${path}.${newRid()}.tmp`;
  try {
    withFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    });
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

function take(lock: string, path: string, { attempts, waitMs }: Patience): void {
  for (let attempt = 1; ; attempt++) {
    for (let waited = 0; waited < waitMs; waited += LOOK_MS) {
      if (isTaken(lock)) return;
      pause(LOOK_MS);
    }
    if (attempt === attempts) throw new QueueProblem(`${path} is locked by another writer; nothing was written.`);
    pause(BETWEEN_MS);
  }
}

function isTaken(lock: string): boolean {
  try {
    withFile(lock, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) =>
      writeSync(fd, `${process.pid}\n`),
    );
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  // Renamed first, so that of two that find it stale only one removes it.
  if (since !== undefined && Date.now() - since > STALE_MS) retire(lock);
  return false;
}

function retire(lock: string): void {
  const old = `${lock}.${newRid()}`;
  try {
    renameSync(lock, old);
  } catch (error) {
    // Another writer was first.
    void error;
  }
  discard(old);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
