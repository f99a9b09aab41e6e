/** Prints snapshots: a table, and what restoring one would do. */
import { reasonWords, sizeWords } from "../kernel/snapshot-note.ts";
import { inline } from "../lib/text.ts";
import { readable } from "../undo/bytes.ts";
import type { Manifest } from "../undo/manifest.ts";
import type { FileState, Step } from "../undo/plan.ts";
import { isoTime } from "../views/time.ts";
import type { UndoRow } from "../views/undo.ts";
import { paint, say, sayJson, table, terminalColumns } from "./print.ts";

const COMMAND_CHARS_MIN = 21;
const OTHER_COLUMNS = 59;

export function printRows(rows: readonly UndoRow[], json: boolean): void {
  if (json) {
    sayJson(rows.map(({ manifest: _, at, ...row }) => ({ ...row, at: isoTime(at) })));
    return;
  }
  if (rows.length === 0) {
    say("Nothing was kept in this project yet.");
    return;
  }
  const room = process.stdout.isTTY
    ? Math.max(COMMAND_CHARS_MIN, terminalColumns() - OTHER_COLUMNS)
    : COMMAND_CHARS_MIN;
  const head = ["ID", "WHEN (UTC)", "FILES", "SIZE", "SESSION", "COMMAND"].map((word) => paint.bold(word));
  say(
    table([
      head,
      ...rows.map(({ id, at, files, bytes, session, command, state }) => {
        const mark = state === "kept" ? "" : `${state}: `;
        const line = inline(mark + command, room);
        return [
          id,
          isoTime(at).slice(0, 16).replace("T", " "),
          String(files).padStart(5),
          sizeWords(bytes).padStart(7),
          inline(session, 8).slice(0, 8),
          state === "kept" ? line : paint.dim(line),
        ];
      }),
    ]),
  );
}

const WORDS: Readonly<Record<FileState, string>> = {
  missing: "comes back",
  same: "is there already",
  committed: "comes back, over what git has",
  newer: "stays: something else stands there now",
  blocked: "stays: something is in the way",
};

const LINES_MAX = 200;

export function printPlan(row: UndoRow, manifest: Manifest, plan: readonly Step[], json: boolean): void {
  if (json) {
    const steps = plan.map(({ entry, standing }) => ({ path: readable(entry.path), type: entry.type, standing }));
    sayJson({
      id: row.id,
      command: row.command,
      steps,
      stash: manifest.stash?.entries ?? [],
      notKept: manifest.left,
    });
    return;
  }
  say(`${paint.bold(row.id)}  ${isoTime(row.at)}  ${inline(row.command, 60)}`);
  const shown = plan.slice(0, LINES_MAX);
  say(table(shown.map(({ entry, standing }) => [`  ${WORDS[standing]}`, inline(readable(entry.path), 200)])));
  if (plan.length > shown.length) say(`  … and ${plan.length - shown.length} more`);
  for (const { message } of manifest.stash?.entries ?? []) say(`  in the stash again  ${inline(message, 80)}`);
  for (const { path, reason } of manifest.left) say(`  not kept: ${inline(path, 100)} (${reasonWords(reason).en})`);
  if (manifest.leftCount > manifest.left.length) say(`  not kept: ${manifest.leftCount - manifest.left.length} more`);
}
