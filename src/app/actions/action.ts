/** Records an action of a person and flushes it to disk before the command reports success. */
import { maskText } from "../../lib/secrets.ts";
import type { ActionRecord } from "../../state/record.ts";
import type { Stance } from "../../state/stance.ts";
import type { Store } from "../../store/store.ts";
import { orFail } from "../project.ts";

export function keepAction(store: Store, action: Omit<ActionRecord, "kind">, now: number): void {
  const { detail } = action;
  const masked = detail === undefined ? action : { ...action, detail: maskText(detail) };
  orFail(store.append({ kind: "action", ...masked }, now, { durable: true }));
}

/** The stance applies from the next tool call on. */
export function takeStance(store: Store, stance: Stance, how: string): void {
  const changes = [{ record: "stance", do: "set", stance }] as const;
  keepAction(store, { action: "stance", detail: `${stance}, ${how}`, changes }, Date.now());
}
