/** The snapshots of this project, and what restoring one would do. */
import { within } from "../../lib/paths.ts";
import { readable } from "../../undo/bytes.ts";
import type { Manifest } from "../../undo/manifest.ts";
import { type Opened, openSnapshot } from "../../undo/open.ts";
import { planOf, type Step } from "../../undo/plan.ts";
import { shelfOf, shelved } from "../../undo/shelf.ts";
import { chosenRow, type NotKept, type PlannedFile, type UndoPlan, type UndoRow, undoView } from "../../views/undo.ts";
import { trueName } from "../../world/machine/places.ts";
import { agentHere } from "../admission.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";

/** Newest first. */
export function snapshotsHere({ places, store }: Here): readonly UndoRow[] {
  return undoView(store.records(), new Set(shelved(shelfOf(places.journal)).map(({ id }) => id)));
}

/** An open snapshot with the plan to restore it. */
export interface Restorable extends Opened {
  readonly row: UndoRow;
  readonly steps: readonly Step[];
}

/** The snapshot whose id begins so, or the newest that is not restored yet. */
export function restorableHere(place: Here, id: string | undefined): Restorable {
  const row = rowNamed(snapshotsHere(place), id);
  const opened = openSnapshot(shelfOf(place.places.journal), row, place.places.project);
  if ("problem" in opened) throw new Problem(`${row.id} cannot be brought back: ${opened.problem}.`);
  return { row, ...opened, steps: stepsFor(opened.manifest, place) };
}

export function planView({ row, manifest, steps }: Restorable): UndoPlan {
  return {
    row,
    files: steps.map(plannedFile),
    stash: manifest.stash?.entries ?? [],
    ...notKeptIn(manifest),
  };
}

export function notKeptIn({ left, leftCount }: Manifest): NotKept {
  return { notKept: left, notKeptCount: leftCount };
}

export function plannedFile({ entry, standing }: Step): PlannedFile {
  return { path: readable(entry.path), type: entry.type, standing };
}

function rowNamed(rows: readonly UndoRow[], id: string | undefined): UndoRow {
  const row = chosenRow(rows, id);
  if (row === "several") throw new Problem(`More than one snapshot begins with "${id}". Give more of the id.`);
  if (row !== "none") return row;
  throw new Problem(
    id === undefined
      ? "There is nothing to bring back in this project. `sekisho undo --list` shows what there was."
      : `No snapshot "${id}" in this project. \`sekisho undo --list\` shows them.`,
  );
}

/** An agent cannot restore Sekisho's own files, whatever a snapshot contains. */
function stepsFor(manifest: Manifest, { places }: Here): readonly Step[] {
  const plan = planOf(manifest);
  if (agentHere() === undefined) return plan;
  const own = [...places.config, ...places.hostSettings, ...places.installed, places.state];
  return plan.map((step) => {
    const path = trueName(`${manifest.trees[step.entry.tree]}/${readable(step.entry.path)}`);
    return own.some((ours) => within(path, ours)) && step.standing !== "same" ? { ...step, standing: "blocked" } : step;
  });
}
