/** Restores what a command destroyed: missing files, and newer work only with a person's confirmation. */

import { agentHere } from "../app/admission.ts";
import { type Here, here, orFail } from "../app/project.ts";
import { sizeWords } from "../kernel/snapshot-note.ts";
import { within } from "../lib/paths.ts";
import { inline } from "../lib/text.ts";
import { type Brought, bringBack } from "../undo/bring-back.ts";
import { readable } from "../undo/bytes.ts";
import type { Manifest } from "../undo/manifest.ts";
import { type Opened, openSnapshot } from "../undo/open.ts";
import { planOf, type Step } from "../undo/plan.ts";
import { shelfOf, shelved } from "../undo/shelf.ts";
import { snapshot } from "../undo/snapshot.ts";
import { restoreStash } from "../undo/stash.ts";
import { chosenRow, type UndoRow, undoView } from "../views/undo.ts";
import { trueName } from "../world/machine/places.ts";
import { defineCommand, jsonOption } from "./command.ts";

import { CommandError, paint, say, sayJson, sayWords } from "./print.ts";
import { isAttended } from "./tty.ts";
import { printPlan, printRows } from "./undo-print.ts";

export const undo = defineCommand({
  name: "undo",
  summary: "Brings back what a command of the agent deleted or wrote over.",
  words: "[id]",
  wordsMax: 1,
  options: {
    list: { type: "boolean", about: "show what can be brought back" },
    "dry-run": { type: "boolean", about: "show what would come back, and change nothing" },
    force: { type: "boolean", about: "also where something newer stands; that is kept first (people only)" },
    ...jsonOption,
  },
  examples: ["sekisho undo", "sekisho undo --list", "sekisho undo mrk2x91a2q7f --dry-run"],
  door: ({ force }) => (force ? { verb: "undo --force", need: "authority" } : undefined),
  async run({ list, json = false, "dry-run": dry = false, force = false }, [id]) {
    const place = here();
    const shelf = shelfOf(place.places.journal);
    const rows = undoView(place.store.records(), new Set(shelved(shelf).map((one) => one.id)));
    if (list) {
      printRows(rows, json);
      return 0;
    }
    const row = rowNamed(rows, id);
    const opened = openSnapshot(shelf, row, place.places.project);
    if ("problem" in opened) throw new CommandError(`${row.id} cannot be brought back: ${opened.problem}.`);
    const plan = planFor(opened.manifest, place);
    if (dry) {
      printPlan(row, opened.manifest, plan, json);
      return 0;
    }
    const chosen = plan.filter(({ standing }) => standing === "missing" || standing === "committed");
    const inTheWay = plan.filter(({ standing }) => standing === "newer");
    const replaced = inTheWay.length > 0 && (force || (!json && (await mayReplace(inTheWay)))) ? inTheWay : [];
    if (replaced.length > 0) keepFirst(replaced, opened.manifest, place);
    return carryOut(place, row, opened, plan, [...chosen, ...replaced], json);
  },
});

function rowNamed(rows: readonly UndoRow[], id: string | undefined): UndoRow {
  const row = chosenRow(rows, id);
  if (row === "several") throw new CommandError(`More than one snapshot begins with "${id}". Give more of the id.`);
  if (row !== "none") return row;
  throw new CommandError(
    id === undefined
      ? "There is nothing to bring back in this project. `sekisho undo --list` shows what there was."
      : `No snapshot "${id}" in this project. \`sekisho undo --list\` shows them.`,
  );
}

/** An agent cannot restore Sekisho's own files, whatever a snapshot contains. */
function planFor(manifest: Manifest, { places }: Here): readonly Step[] {
  const plan = planOf(manifest);
  if (agentHere() === undefined) return plan;
  const own = [...places.config, ...places.hostSettings, ...places.installed, places.state];
  return plan.map((step) => {
    const path = trueName(`${manifest.trees[step.entry.tree]}/${readable(step.entry.path)}`);
    return own.some((ours) => within(path, ours)) && step.standing !== "same" ? { ...step, standing: "blocked" } : step;
  });
}

/** A terminal does not prove a person, because an agent can open one. */
async function mayReplace(steps: readonly Step[]): Promise<boolean> {
  if (!isAttended() || agentHere() !== undefined) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  say("Something newer stands here now:");
  for (const { entry } of steps.slice(0, 10)) say(`  ${inline(readable(entry.path), 100)}`);
  const message = `Replace ${steps.length === 1 ? "it" : `these ${steps.length}`}? What is there is kept first.`;
  const sure = await confirm({ message, initialValue: false });
  return !isCancel(sure) && sure;
}

/** Snapshots the current files first, so that an undo can be undone. */
function keepFirst(steps: readonly Step[], { trees }: Manifest, { places, settings, store }: Here): void {
  const { retention_days: days, max_megabytes: megabytes } = settings.settings.undo;
  const losses = steps.map(({ entry }) => ({
    how: "delete" as const,
    path: `${trees[entry.tree]}/${readable(entry.path)}`,
    glob: false,
    recursive: true,
  }));
  const command = "sekisho undo --force";
  const outcome = snapshot({
    ...{ losses, project: places.project, directory: places.journal, session: "", call: "", command, now: Date.now() },
    timeMs: 60_000,
    retention: { maxAgeMs: days * 86_400_000, maxBytes: megabytes * 1024 * 1024 },
  });
  if (outcome.is === "failed") throw new CommandError(`What is there now could not be kept: ${outcome.problem}`);
  if (outcome.is !== "kept") return;
  const { id, manifest, files, bytes } = outcome;
  const record = { kind: "undo", do: "keep", id, session: "", command, files, bytes, manifest } as const;
  orFail(store.append(record, Date.now(), { durable: true }));
  say(paint.dim(`What was there is kept as ${id}.`));
}

function carryOut(
  { store }: Here,
  row: UndoRow,
  { manifest, path }: Opened,
  plan: readonly Step[],
  steps: readonly Step[],
  json: boolean,
): number {
  const brought = bringBack(manifest, path, steps);
  const stash = manifest.stash;
  const stashLeft = stash ? restoreStash(manifest.trees[stash.tree] ?? "", stash.entries) : 0;
  const failed = brought.filter(({ problem }) => problem !== undefined);
  const untouched = plan.filter((step) => step.standing !== "same" && !steps.includes(step));
  const left = failed.length + untouched.length + stashLeft;
  const back = brought.filter(({ entry, problem }) => problem === undefined && entry.type !== "directory");
  const bytes = back.reduce((sum, { entry }) => sum + (entry.type === "file" ? entry.size : 0), 0);
  const record = {
    kind: "undo",
    do: "bring-back",
    id: row.id,
    session: row.session,
    files: back.length,
    bytes,
  } as const;
  orFail(store.append({ ...record, ...(left > 0 && { left }) }, Date.now(), { durable: true }));
  const names = (list: readonly { readonly entry: Step["entry"] }[]) => list.map(({ entry }) => readable(entry.path));
  if (json) {
    const problems = failed.map(({ entry, problem }) => ({ path: readable(entry.path), problem }));
    sayJson({
      id: row.id,
      restored: names(back),
      conflicts: names(untouched),
      failed: problems,
      notKept: manifest.left,
    });
  } else report(row, back.length, bytes, untouched, failed, manifest);
  return left > 0 ? 2 : 0;
}

const NEWER = "something else stands there now, what the command wrote or later work";

function report(
  row: UndoRow,
  files: number,
  bytes: number,
  untouched: readonly Step[],
  failed: readonly Brought[],
  { leftCount, stash }: Manifest,
): void {
  const subject = row.command === "" ? row.id : inline(row.command, 60);
  const aside = stash ? `, and what was put aside in git's stash` : "";
  const isBack = files > 0 || stash !== undefined || untouched.length + failed.length === 0;
  if (isBack)
    say(`${paint.green("✔")} ${files} file(s), ${sizeWords(bytes)}, are back as before \`${subject}\`${aside}.`);
  else say(`${paint.red("✖")} Nothing was brought back of what was there before \`${subject}\`.`);
  for (const { entry, standing } of untouched.slice(0, 20)) {
    const why = standing === "blocked" ? "a link, a file or a guarded place is in the way" : NEWER;
    say(`  ${paint.yellow("left")}    ${inline(readable(entry.path), 60)}: ${why}`);
  }
  for (const { entry, problem } of failed.slice(0, 20)) {
    say(`  ${paint.red("failed")}  ${inline(readable(entry.path), 60)}: ${inline(problem ?? "", 100)}`);
  }
  if (untouched.length > 20) say(`  … and ${untouched.length - 20} more`);
  if (untouched.length > 0) {
    sayWords(`To put it back over that, a person runs \`sekisho undo ${row.id} --force\` in a terminal.`);
  }
  if (leftCount > 0) sayWords(`${leftCount} place(s) were not kept: \`sekisho undo ${row.id} --dry-run\` names them.`);
}
