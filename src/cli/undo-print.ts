/** Prints snapshots: a table, what restoring one would do, and what it did. */
import type { FileState } from "../kernel/snapshot-request.ts";
import { sizeWords } from "../lib/size.ts";
import { inline } from "../lib/text.ts";
import { columnTime, isoTime } from "../views/time.ts";
import { notKeptLines, type UndoPlan, type UndoReport, type UndoRow } from "../views/undo.ts";
import { paint, say, sayJson, sayWords, table, terminalColumns } from "./print.ts";

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
          columnTime(isoTime(at)).slice(0, 16),
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

export function printPlan(plan: UndoPlan, json: boolean): void {
  const { row, files, stash, notKept } = plan;
  if (json) {
    sayJson({ id: row.id, command: row.command, steps: files, stash, notKept });
    return;
  }
  say(`${paint.bold(row.id)}  ${isoTime(row.at)}  ${inline(row.command, 60)}`);
  const shown = files.slice(0, LINES_MAX);
  say(table(shown.map(({ path, standing }) => [`  ${WORDS[standing]}`, inline(path, 200)])));
  if (files.length > shown.length) say(`  … and ${files.length - shown.length} more`);
  for (const { message } of stash) say(`  in the stash again  ${inline(message, 80)}`);
  for (const line of notKeptLines(plan)) say(`  ${line}`);
}

const NEWER = "something else stands there now, what the command wrote or later work";
const FILES_MAX = 20;

export function printReport(row: UndoRow, report: UndoReport, json: boolean): void {
  const { restored, bytes, hasStash, untouched, failed, notKept, notKeptCount, keptAs } = report;
  if (json) {
    const conflicts = untouched.map(({ path }) => path);
    sayJson({ id: row.id, restored, conflicts, failed, notKept, ...(keptAs !== undefined && { keptAs }) });
    return;
  }
  if (keptAs !== undefined) say(paint.dim(`What was there is kept as ${keptAs}.`));
  const subject = row.command === "" ? row.id : inline(row.command, 60);
  const aside = hasStash ? `, and what was put aside in git's stash` : "";
  const isBack = restored.length > 0 || hasStash || untouched.length + failed.length === 0;
  if (isBack)
    say(
      `${paint.green("✔")} ${restored.length} file(s), ${sizeWords(bytes)}, are back as before \`${subject}\`${aside}.`,
    );
  else say(`${paint.red("✖")} Nothing was brought back of what was there before \`${subject}\`.`);
  for (const { path, standing } of untouched.slice(0, FILES_MAX)) {
    const why = standing === "blocked" ? "a link, a file or a guarded place is in the way" : NEWER;
    say(`  ${paint.yellow("left")}    ${inline(path, 60)}: ${why}`);
  }
  for (const { path, problem } of failed.slice(0, FILES_MAX))
    say(`  ${paint.red("failed")}  ${inline(path, 60)}: ${inline(problem, 100)}`);
  if (untouched.length > FILES_MAX) say(`  … and ${untouched.length - FILES_MAX} more`);
  if (untouched.length > 0)
    sayWords(`To put it back over that, a person runs \`sekisho undo ${row.id} --force\` in a terminal.`);
  if (notKeptCount > 0)
    sayWords(`${notKeptCount} place(s) were not kept: \`sekisho undo ${row.id} --dry-run\` names them.`);
}
