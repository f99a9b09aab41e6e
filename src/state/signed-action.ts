/** A person's action as it is signed, and the proof that is kept of it. */
import type { Change } from "./change.ts";
import type { ActionRecord, Stamp } from "./record.ts";
import type { Proof } from "./signed.ts";

export type Action = ActionRecord & Stamp;

/** Set up the hooks anew, and so forgive what happened to them before. */
export const SET_UPS: readonly string[] = ["init", "uninstall"];

/** The signed record behind something that lets an action pass; undefined if none is known. */
export function signedAction(change: Change, proof: Proof | undefined): Action | undefined {
  if (!proof) return undefined;
  const { sig, rid, t, action, detail } = proof;
  return { kind: "action", action, ...(detail !== undefined && { detail }), changes: [change], sig, rid, t };
}

/** The changes of a signed record, with the proof kept beside what they give. */
export function proven({ rid, t, action, detail, sig, changes = [] }: Action): readonly Change[] {
  const [only] = changes;
  const proof = sig === undefined ? undefined : { rid, t, action, ...(detail !== undefined && { detail }), sig };
  if (!proof || changes.length !== 1 || !only) return changes.map(unproven);
  if (only.record === "grant" && only.do === "give") return [{ ...only, grant: { ...only.grant, proof } }];
  if (only.record === "pause" && only.do === "begin") return [{ ...only, pause: { ...only.pause, proof } }];
  if (only.record === "habit" && only.do === "accept") return [{ ...only, habit: { ...only.habit, proof } }];
  return changes;
}

/** A proof in a record's own text proves nothing. */
function unproven(change: Change): Change {
  if (change.record === "grant" && change.do === "give") {
    const { proof: _, ...grant } = change.grant ?? {};
    return { ...change, grant } as Change;
  }
  return change;
}
