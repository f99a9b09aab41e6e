/** Which changes of an action record need a person's signature, where the person has a key. */
import type { Change } from "./change.ts";
import type { ActionRecord, Stamp } from "./record.ts";
import { knownStance } from "./stance.ts";
import type { State } from "./state.ts";

export type Action = ActionRecord & Stamp;

/** Why an action record does not count. */
export type VoidReason = "unsigned" | "forged" | "replayed" | "no-key";

/** An action record that claims a person's authority without having it. */
export interface Voided {
  readonly rid: string;
  readonly at: number;
  readonly action: string;
  readonly why: VoidReason;
}

/** The rest of the signed record behind a grant, a pause or a habit, so that it can be verified again when it is used. */
export interface Proof {
  readonly rid: string;
  readonly t: number;
  readonly action: string;
  readonly detail?: string;
  readonly sig: string;
}

/** Set up the hooks anew, and so forgive what happened to them before. */
export const SET_UPS: readonly string[] = ["init", "uninstall"];

/** Whether anything in the record needs a signature. */
export function claimsAuthority(record: Action, state: State): boolean {
  const { action, changes = [], moved } = record;
  return SET_UPS.includes(action) || moved !== undefined || !changes.every((change) => isFree(change, state));
}

/** What is left of a record without a signature: the changes that anybody may make. */
export function withoutAuthority(record: Action, state: State, why: VoidReason): Action {
  const { moved: _, changes = [], ...rest } = record;
  const free = changes.filter((change) => isFree(change, state));
  return withAgentsModes({ ...rest, changes: free, void: why });
}

/** Without a signature a mode counts as the agent's own, so that it keeps no mode of a person from starting. */
export function withAgentsModes(record: Action): Action {
  const { changes = [] } = record;
  const isNamed = (change: Change): boolean =>
    change.record === "mode" && change.do === "start" && change.by !== "agent";
  if (!changes.some(isNamed)) return record;
  return {
    ...record,
    changes: changes.map((change) => (isNamed(change) ? ({ ...change, by: "agent" } as Change) : change)),
  };
}

/** An old record that lets something pass is too weak once there is a key; everything else of that time counts. */
export function withoutLeave({ changes = [], ...rest }: Action): Action {
  return { ...rest, changes: changes.filter((change) => !givesLeave(change)) };
}

function givesLeave({ record, do: verb }: Change): boolean {
  return `${record} ${verb}` in LEAVE;
}

const LEAVE: Readonly<Record<string, true>> = { "grant give": true, "pause begin": true, "habit accept": true };

/** Changes that only tighten. Any other change of a person's action needs a signature, also one that is not known yet. */
function isFree(change: Change, state: State): boolean {
  switch (change.record) {
    case "grant":
      return change.do === "take-back";
    case "pause":
      return change.do === "end";
    case "habit":
      return change.do === "drop";
    case "stance":
      return isTightening(change.stance, state.stance);
    case "mode":
      return change.do === "start";
    default:
      return false;
  }
}

/** Building is the widest stance, auditing the narrowest. */
export function isTightening(wanted: string, held: State["stance"]): boolean {
  const stance = knownStance(wanted);
  return stance === "auditing" || (stance === "planning" && held !== "auditing");
}

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
