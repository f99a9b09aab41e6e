/** Notes needed to restore a settings file exactly: one per file, stored beside the journals. */

import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { Note } from "../../hosts/registration.ts";
import { stateRoot, trueName } from "../../world/machine/places.ts";
import { projectKey } from "../../world/machine/project.ts";
import { Problem } from "../problem.ts";

const BYTES_MAX = 1024 * 1024;

export function readNote(path: string): Note | undefined {
  try {
    const note = JSON.parse(plainText(noteFile(path), BYTES_MAX) ?? "null") as Partial<Note> | null;
    return Array.isArray(note?.empties) ? (note as Note) : undefined;
  } catch (error) {
    // Without a note only formatting is lost: how an empty place was written.
    void error;
    return undefined;
  }
}

export function keepNote(path: string, note: Note): void {
  const file = noteFile(path);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(notesDirectory(), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(note), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    throw new Problem(
      `What must be known to give ${path} back as it was cannot be kept: ${(error as Error).message}. Nothing was changed.`,
    );
  }
}

export function dropNote(path: string): void {
  try {
    rmSync(noteFile(path), { force: true });
  } catch (error) {
    // A leftover note is harmless, because it is read only for files with our hooks; uninstalling continues.
    void error;
  }
}

/** The number of this user's settings files with our hooks, according to the notes. */
export function notesLeft(): number {
  try {
    return readdirSync(notesDirectory()).filter((name) => !name.endsWith(".tmp")).length;
  } catch (error) {
    void error;
    return 0;
  }
}

function notesDirectory(): string {
  return join(stateRoot(process.env), NOTES);
}

export const NOTES = "registrations";

function noteFile(path: string): string {
  return join(notesDirectory(), projectKey(trueName(path)));
}
