/** Restores what a command destroyed: missing files, and with a person's leave also where something newer stands. */
import { bringBack } from "../../undo/bring-back.ts";
import { readable } from "../../undo/bytes.ts";
import type { Manifest } from "../../undo/manifest.ts";
import type { Step } from "../../undo/plan.ts";
import { snapshot } from "../../undo/snapshot.ts";
import { restoreStash } from "../../undo/stash.ts";
import type { UndoReport } from "../../views/undo.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { notKeptIn, plannedFile, type Restorable } from "../queries/undo.ts";
import { limitsOf } from "./prune.ts";

/** `replace`: also where something newer stands, which is kept first. */
export function restore(
  place: Here,
  { row, manifest, path, steps }: Restorable,
  { replace }: { readonly replace: boolean },
): UndoReport {
  const replaced = replace ? steps.filter(({ standing }) => standing === "newer") : [];
  const keptAs = replaced.length > 0 ? keepFirst(replaced, manifest, place) : undefined;
  const safe = steps.filter(({ standing }) => standing === "missing" || standing === "committed");
  const chosen = [...safe, ...replaced];
  const brought = bringBack(manifest, path, chosen);
  const { stash } = manifest;
  const stashLeft = stash ? restoreStash(manifest.trees[stash.tree] ?? "", stash.entries) : 0;
  const failed = brought.flatMap(({ entry, problem }) =>
    problem === undefined ? [] : [{ path: readable(entry.path), problem }],
  );
  const untouched = steps.filter((step) => step.standing !== "same" && !chosen.includes(step));
  const left = failed.length + untouched.length + stashLeft;
  const back = brought.filter(({ entry, problem }) => problem === undefined && entry.type !== "directory");
  const bytes = back.reduce((sum, { entry }) => sum + (entry.type === "file" ? entry.size : 0), 0);
  const { id, session } = row;
  const record = { kind: "undo", do: "bring-back", id, session, files: back.length, bytes } as const;
  orFail(place.store.append({ ...record, ...(left > 0 && { left }) }, Date.now(), { durable: true }));
  return {
    restored: back.map(({ entry }) => readable(entry.path)),
    bytes,
    hasStash: stash !== undefined,
    untouched: untouched.map(plannedFile),
    failed,
    ...notKeptIn(manifest),
    ...(keptAs !== undefined && { keptAs }),
    isWhole: left === 0,
  };
}

/** Snapshots the current files first, so that an undo can be undone. Undefined when there was nothing to keep. */
function keepFirst(steps: readonly Step[], { trees }: Manifest, { places, settings, store }: Here): string | undefined {
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
    retention: limitsOf(settings.settings.undo),
  });
  if (outcome.is === "failed") throw new Problem(`What is there now could not be kept: ${outcome.problem}`);
  if (outcome.is !== "kept") return undefined;
  const { id, manifest, files, bytes } = outcome;
  const record = { kind: "undo", do: "keep", id, session: "", command, files, bytes, manifest } as const;
  orFail(store.append(record, Date.now(), { durable: true }));
  return id;
}
