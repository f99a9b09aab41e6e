/** What must be known to give a settings file back as it was: kept beside the journals, one note for each file. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Note } from "../hosts/claude-code/uninstall.ts";
import { stateRoot, trueName } from "../world/places.ts";
import { projectKey } from "../world/project.ts";
import { CommandError } from "./print.ts";

export function readNote(path: string): Note | undefined {
  try {
    const note = JSON.parse(readFileSync(noteFile(path), "utf8")) as Partial<Note> | null;
    return Array.isArray(note?.empties) ? (note as Note) : undefined;
  } catch (error) {
    // Without a note only bytes of no meaning are lost: how an empty place was written.
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
    throw new CommandError(
      `What must be known to give ${path} back as it was cannot be kept: ${(error as Error).message}. Nothing was changed.`,
    );
  }
}

export function dropNote(path: string): void {
  try {
    rmSync(noteFile(path), { force: true });
  } catch (error) {
    // It is read only for a file that has our hooks, so one that stays behind is no harm. Leaving goes on.
    void error;
  }
}

/** How many settings files of this user hold hooks of ours, as far as was noted. */
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
