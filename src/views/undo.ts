/** The undo snapshots of a project, derived from the journal: which can still be restored and which were. */
import { reasonWords } from "../kernel/snapshot-note.ts";
import type { FileState, Left } from "../kernel/snapshot-request.ts";
import { inline } from "../lib/text.ts";
import type { JournalRecord, UndoRecord } from "../state/record.ts";

export interface UndoRow {
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly command: string;
  readonly files: number;
  readonly bytes: number;
  /** Number of files that were not copied. */
  readonly left: number;
  /** `partly`: some files could not be restored. `expired`: the copies are gone. */
  readonly state: "kept" | "partly" | "undone" | "expired";
  /** SHA-256 of the snapshot's file list. */
  readonly manifest: string;
}

export interface PlannedFile {
  readonly path: string;
  readonly type: "directory" | "link" | "file";
  readonly standing: FileState;
}

/** Files that were not copied: the first of them, and how many there are. */
export interface NotKept {
  readonly notKept: readonly Left[];
  readonly notKeptCount: number;
}

/** What restoring a snapshot would do. */
export interface UndoPlan extends NotKept {
  readonly row: UndoRow;
  readonly files: readonly PlannedFile[];
  /** The stashes that would be there again. */
  readonly stash: readonly { readonly commit: string; readonly message: string }[];
}

/** What restoring a snapshot did. */
export interface UndoReport extends NotKept {
  /** Without directories. */
  readonly restored: readonly string[];
  readonly bytes: number;
  readonly hasStash: boolean;
  /** Files that were left as they are, because something else stands there. */
  readonly untouched: readonly PlannedFile[];
  readonly failed: readonly { readonly path: string; readonly problem: string }[];
  /** The snapshot of the files that were replaced. */
  readonly keptAs?: string;
  /** Everything is as it was. */
  readonly isWhole: boolean;
}

/** Newest first. A snapshot without a record in the journal was never completed and is not listed. */
export function undoView(records: Iterable<JournalRecord>, there: ReadonlySet<string>): readonly UndoRow[] {
  const rows = new Map<string, UndoRow>();
  for (const record of records) {
    if (record.kind !== "undo") continue;
    if (record.do === "keep") rows.set(record.id, rowOf(record, record.t, there.has(record.id)));
    const known = rows.get(record.id);
    if (record.do !== "bring-back" || !known) continue;
    rows.set(record.id, { ...known, state: (record.left ?? 0) > 0 ? "partly" : "undone" });
  }
  return [...rows.values()].reverse();
}

function rowOf({ id, session, files, bytes, left = 0, ...record }: UndoRecord, at: number, isThere: boolean): UndoRow {
  const { command = "", manifest = "" } = record;
  return { id, at, session, command, files, bytes, left, state: isThere ? "kept" : "expired", manifest };
}

/** Selects a snapshot by a prefix of its id, or the newest one that is not fully restored yet. */
export function chosenRow(rows: readonly UndoRow[], id: string | undefined): UndoRow | "none" | "several" {
  const open = rows.filter(({ state }) => state === "kept" || state === "partly");
  if (id === undefined) return open[0] ?? "none";
  const exact = rows.find((row) => row.id === id);
  const found = exact ? [exact] : rows.filter((row) => id !== "" && row.id.startsWith(id));
  return found.length > 1 ? "several" : (found[0] ?? "none");
}

export function notKeptLines({ notKept, notKeptCount }: NotKept): readonly string[] {
  const more = notKeptCount - notKept.length;
  return [
    ...notKept.map(({ path, reason }) => `not kept: ${inline(path, 100)} (${reasonWords(reason).en})`),
    ...(more > 0 ? [`not kept: ${more} more`] : []),
  ];
}
