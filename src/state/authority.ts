/** Which changes of an action record need a person's signature, where the person has a key. */
import type { Change } from "./change.ts";
import { isFreeOfPlans } from "./playbooks.ts";
import type { VoidReason } from "./signed.ts";
import { type Action, SET_UPS } from "./signed-action.ts";
import { isTightening } from "./stance.ts";
import type { State } from "./state.ts";

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
    case "playbook":
      return isFreeOfPlans(change);
    default:
      return false;
  }
}
