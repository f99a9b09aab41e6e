/** What a person did, on the record and on the disk before the command says that it is done. */
import type { ActionRecord } from "../state/record.ts";
import type { Store } from "../store/store.ts";
import { orFail } from "./here.ts";

export function keepAction(store: Store, action: Omit<ActionRecord, "kind">, now: number): void {
  orFail(store.append({ kind: "action", ...action }, now, { durable: true }));
}
