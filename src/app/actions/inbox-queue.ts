/** The project's queue, where other tools read and write inboxes as YAML: what we send and read is written there too. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type NewEntry, withRead } from "../../state/inbox/queue.ts";
import { actorsNamed, boxesOf } from "../../state/roles/names.ts";
import { changeQueueFile, QueueProblem } from "../../store/settings/queue-file.ts";
import { queueRoot } from "../../world/facts/queue.ts";
import { entryFor } from "../../world/facts/queue-entry.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";

function rootOf({ settings, places }: Here): string | undefined {
  return queueRoot({ env: process.env, settings: settings.settings, places });
}

/** Into the inbox that the sender named, if it is one with a name of its own. */
export function queueMessage(place: Here, target: string, to: string, entry: Omit<NewEntry, "at">, now: number): void {
  const root = rootOf(place);
  if (root === undefined) return;
  const { roles } = place.settings.settings;
  const name = boxesOf(to, roles).find((box) => box === target && actorsNamed(box, roles).includes(to)) ?? to;
  const { path, change } = entryFor(root, name, entry, now);
  orProblem(() => changeQueueFile(path, change));
}

/** Marks what was read here as read in the files too. */
export function queueRead(place: Here, actor: string, ids: readonly string[]): void {
  const root = rootOf(place);
  if (root === undefined || ids.length === 0) return;
  const wanted = new Set(ids);
  for (const name of [actor, ...boxesOf(actor, place.settings.settings.roles)]) {
    const file = `${name}.yaml`;
    const path = join(root, file);
    if (existsSync(path)) orProblem(() => changeQueueFile(path, (value) => withRead(value, file, wanted)));
  }
}

function orProblem(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof QueueProblem) throw new Problem(error.message);
    throw error;
  }
}
