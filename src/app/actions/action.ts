/** Records an action of a person and flushes it to disk before the command reports success. */
import { maskText } from "../../lib/secrets.ts";
import type { ActionRecord } from "../../state/record.ts";
import type { Store } from "../../store/store.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { orFail } from "../project.ts";

/** What somebody does: signed where it needs a person's authority and the person has a key. */
export type Doer = Pick<Person, "sign">;

/** For actions that only tighten, and for the agent's own. */
export const UNSIGNED: Doer = {};

export function keepAction(
  store: Pick<Store, "append" | "read">,
  action: Omit<ActionRecord, "kind" | "sig" | "void">,
  now: number,
  { sign }: Doer,
): void {
  const { detail } = action;
  const kept = { kind: "action", ...action, ...(detail !== undefined && { detail: maskText(detail) }) } as const;
  if (!sign) {
    orFail(store.append(kept, now, { durable: true }));
    return;
  }
  // A signed record counts only after the one before it, also where the clock was set back.
  const t = Math.max(now, (orFail(store.read()).signed ?? 0) + 1);
  const { after } = orFail(store.append(kept, t, { durable: true, sign }));
  if ((after.signed ?? 0) < t)
    throw new Problem("Your signature was not accepted, so nothing was changed. See `sekisho doctor`.");
}
