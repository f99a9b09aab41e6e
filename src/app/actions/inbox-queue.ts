/** The project's queue, where other tools read and write inboxes as YAML: what we send and read is written there too. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { maskText } from "../../lib/secrets.ts";
import { type NewEntry, withNewEntry, withRead } from "../../state/inbox/queue.ts";
import { actorsNamed, boxesOf } from "../../state/roles/names.ts";
import { queueRoot } from "../../world/facts/queue.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { changeQueueFile, QueueProblem } from "./inbox-queue-file.ts";

function rootOf({ settings, places }: Here): string | undefined {
  return queueRoot({ env: process.env, settings: settings.settings, places });
}

/** Into the inbox that the sender named, if it is one with a name of its own. */
export function queueMessage(place: Here, target: string, to: string, entry: Omit<NewEntry, "at">, now: number): void {
  const root = rootOf(place);
  if (root === undefined) return;
  const { roles } = place.settings.settings;
  const name = boxesOf(to, roles).find((box) => box === target && actorsNamed(box, roles).includes(to)) ?? to;
  const file = `${name}.yaml`;
  const written = { ...entry, text: maskText(entry.text), at: localTime(now) };
  orProblem(() => changeQueueFile(join(root, file), (value) => withNewEntry(value, file, written)));
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

/** Without a zone, as the original writes it. */
function localTime(now: number): string {
  const date = new Date(now - new Date(now).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 19);
}
