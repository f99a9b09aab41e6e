/** Adds tasks and assigns them. */
import { found, valuesIn } from "../../lib/buckets.ts";
import { inline } from "../../lib/text.ts";
import { CHECKS } from "../../state/check-names.ts";
import type { TaskFields, TaskRecord } from "../../state/inbox/records.ts";
import type { Tasks } from "../../state/inbox/tasks.ts";
import { mayWriteTo } from "../../state/roles/names.ts";
import { newRid } from "../../store/journal/rid.ts";
import { actorHere, knownActors, recipient, rolesIn } from "../mail/actor.ts";
import { refuseTooMuch } from "../mail/address.ts";
import { keptText } from "../mail/text.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";

export interface TaskWish {
  readonly title: string;
  readonly text?: string | undefined;
  readonly to?: string | undefined;
  readonly id?: string | undefined;
  readonly group?: string | undefined;
  readonly wave?: string | undefined;
  readonly blocked_by?: readonly string[] | undefined;
  readonly needs?: readonly string[] | undefined;
  readonly audit?: boolean | undefined;
  /** Who assigned it, where that is not the one who adds it. */
  readonly by?: string;
  readonly retry_of?: string;
  readonly retry?: number;
}

const NAME = /^[\w.-]{1,60}$/;
const RETRY_ID = /_retry_\d+$/;
const BLOCKERS_MAX = 10;
const NEEDS_MAX = 8;
const TITLE_CHARS = 120;
const ID_CHARS = 6;

/** A new task can only wait for tasks that are there, so no chain of tasks can wait for itself. */
export function addTask(
  place: Here,
  wish: TaskWish,
  now = Date.now(),
): { readonly id: string; readonly to: string | null } {
  const { store, places } = place;
  const roles = rolesIn(place);
  const state = orFail(store.read(["inbox"]));
  const { tasks } = state.inbox;
  const to = wish.to === undefined ? undefined : recipient(wish.to, roles, knownActors(state, state.inbox));
  const actor = actorHere(state, now);
  if (actor.session !== undefined && to !== undefined && !mayWriteTo(actor.name, to, roles))
    throw new Problem(`${actor.name} assigns no tasks to ${to} in this team.`);
  const id = wish.id === undefined ? freeId(tasks) : named("--id", wish.id);
  // Otherwise somebody could take the id first, and a failed task would not be queued again.
  if (wish.retry_of === undefined && RETRY_ID.test(id))
    throw new Problem("Ids that end like this are for tasks that are queued again. Choose another id.");
  if (found(tasks, id)) throw new Problem(`There is a task ${id} already.`);
  const fields = fieldsOf(wish, id, tasks);
  // A task that is queued again was counted when it was added.
  if (wish.retry_of === undefined) refuseTooMuch({ actor, state }, 1, Buffer.byteLength(wish.text ?? ""));
  const session = actor.session === undefined ? {} : { session: actor.session };
  const record: TaskRecord = {
    ...{ kind: "task", do: "add", id, by: wish.by ?? actor.name, ...(to !== undefined && { to }) },
    ...{ ...fields, ...keptText(places.journal, wish.text ?? ""), ...session },
  };
  orFail(store.append(record, now, { durable: true }));
  return { id, to: to ?? null };
}

function fieldsOf(wish: TaskWish, id: string, tasks: Tasks): Omit<TaskFields, "by" | "to"> {
  const { title, group, wave, needs, audit, retry, retry_of: of } = wish;
  if (title.trim() === "") throw new Problem("A task needs a title.");
  if (wave !== undefined && !/^\d{1,3}$/.test(wave)) throw new Problem("--wave takes a number.");
  return {
    title: inline(title, TITLE_CHARS),
    ...(group !== undefined && { group: named("--group", group) }),
    ...(wave !== undefined && { wave: Number(wave) }),
    ...(wish.blocked_by && { blocked_by: blockers(wish.blocked_by, id, tasks) }),
    ...(needs && { needs: needsOf(needs) }),
    ...(audit && { audit: true }),
    ...(retry !== undefined && { retry }),
    ...(of !== undefined && { retry_of: of }),
  };
}

function freeId(tasks: Tasks): string {
  for (;;) {
    const id = `t${newRid().slice(-ID_CHARS)}`;
    if (!found(tasks, id)) return id;
  }
}

function blockers(given: readonly string[], id: string, tasks: Tasks): readonly string[] {
  if (given.length > BLOCKERS_MAX) throw new Problem(`--blocked-by takes at most ${BLOCKERS_MAX} tasks.`);
  for (const other of given) {
    if (other === id) throw new Problem(`Task ${id} can't wait for itself.`);
    if (found(tasks, other)) continue;
    const open = valuesIn(tasks).map((task) => task.id);
    throw new Problem(
      `There is no task ${JSON.stringify(other.slice(0, 40))}. Tasks: ${open.slice(-8).join(", ") || "none"}.`,
    );
  }
  return [...new Set(given)];
}

const CHECK_NEEDS: readonly string[] = CHECKS.map((name) => `check:${name}`);

function needsOf(given: readonly string[]): readonly string[] {
  const isOne = (need: string): boolean =>
    need === "report" || CHECK_NEEDS.includes(need) || /^file:[^/\s][^\s]{0,120}$/.test(need);
  const wrong = given.find((need) => !isOne(need));
  if (wrong !== undefined || given.length > NEEDS_MAX)
    throw new Problem(`--needs takes up to ${NEEDS_MAX} of report, ${CHECK_NEEDS.join(", ")} and file:PATH.`);
  return [...new Set(given)];
}

function named(what: string, given: string): string {
  if (NAME.test(given)) return given;
  throw new Problem(`${what} takes at most 60 letters, digits, dots, _ and -.`);
}
