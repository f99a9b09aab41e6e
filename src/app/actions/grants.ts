/** A person lets something pass: one tool call, similar ones for a while, or everything but the floor. */
import { clip, inline } from "../../lib/text.ts";
import { policies } from "../../policies/index.ts";
import { type AuditEntry, subject } from "../../views/audit.ts";
import { grantable, leaveView } from "../../views/leave.ts";
import { isoTime } from "../../views/time.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { entriesOf, entryNamed } from "../queries/entries.ts";
import { keepAction, UNSIGNED } from "./action.ts";

interface Allowing {
  readonly id: string;
  readonly once: boolean;
  readonly lastsMs: number;
}

export function allow(place: Here, { id, once, lastsMs }: Allowing, person: Person): AuditEntry {
  const entry = entryNamed(entriesOf(place), id);
  const floor = policies.flatMap((policy) => (policy.floor ? [policy.id] : []));
  const bound = grantable(entry, floor);
  if ("problem" in bound) throw new Problem(`${entry.id} cannot be allowed. ${bound.problem}`);
  if (once && entry.unbound) {
    throw new Problem(
      `${entry.id} did not come from the client's own process, and such an event uses nothing up: give --for instead of --once.`,
    );
  }
  const at = Date.now();
  const what = clip(inline(subject(entry)), 80);
  const grant = { ...bound, once, at, until: at + lastsMs, what };
  const detail = `${entry.id} ${once ? "once" : "again and again"} until ${isoTime(grant.until)}, from ${person.from}: ${what}`;
  keepAction(
    place.store,
    { action: "allow", detail, changes: [{ record: "grant", do: "give", id: entry.id, grant }] },
    at,
    person,
  );
  return entry;
}

/** Takes a grant back, and returns what it allowed. */
export function revoke({ store }: Here, id: string): string {
  const now = Date.now();
  const fitting = leaveView(orFail(store.read()), now).grants.filter((grant) => id !== "" && grant.id.startsWith(id));
  const [grant] = fitting;
  if (!grant || fitting.length > 1) {
    throw new Problem(`${fitting.length} of what is allowed here begins with "${id}". See \`sekisho status\`.`);
  }
  const changes = [{ record: "grant", do: "take-back", id: grant.id }] as const;
  // The journal of version 0.1 knows this action as "deny".
  keepAction(store, { action: "deny", detail: `${grant.id}: ${grant.what}`, changes }, now, UNSIGNED);
  return grant.what;
}

/** Returns when the pause ends. */
export function pause({ store }: Here, lastsMs: number, person: Person): number {
  const at = Date.now();
  const until = at + lastsMs;
  const changes = [{ record: "pause", do: "begin", pause: { at, until } }] as const;
  keepAction(store, { action: "pause", detail: `until ${isoTime(until)}, from ${person.from}`, changes }, at, person);
  return until;
}

/** False: there was no pause. */
export function resume({ store }: Here): boolean {
  const now = Date.now();
  if (!leaveView(orFail(store.read()), now).pause) return false;
  keepAction(store, { action: "resume", changes: [{ record: "pause", do: "end" }] }, now, UNSIGNED);
  return true;
}
