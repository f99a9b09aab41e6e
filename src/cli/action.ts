/** What a person did, on the record and on the disk before the command says that it is done. */
import type { ActionRecord } from "../state/record.ts";
import type { Stance } from "../state/stance.ts";
import type { Store } from "../store/store.ts";
import { orFail } from "./here.ts";

export function keepAction(store: Store, action: Omit<ActionRecord, "kind">, now: number): void {
  orFail(store.append({ kind: "action", ...action }, now, { durable: true }));
}

/** It holds from the next tool call on. */
export function takeStance(store: Store, stance: Stance, how: string): void {
  const changes = [{ record: "stance", do: "set", stance }] as const;
  keepAction(store, { action: "stance", detail: `${stance}, ${how}`, changes }, Date.now());
}
