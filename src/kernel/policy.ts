/** What a policy is and what it can say. */
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import type { WeighingRecord } from "../state/record.ts";
import type { AttemptEvent, EventName, HookEvent } from "./event.ts";
import type { FactName, Facts, Gathered } from "./facts.ts";
import type { Operation } from "./operation.ts";
import type { Loss } from "./snapshot-request.ts";
import type { StopLevel } from "./stop-levels.ts";
import type { Text } from "./text.ts";

/** What one policy says of one event. */
export interface Ruling {
  readonly decision: Decision;
  /** For a refusal or a question: what would happen, and what to do instead. */
  readonly what?: Text;
  readonly fix?: Text;
  /** Beyond anybody's leave: part of the floor, though the policy as a whole is not. */
  readonly floor?: true;
  /** Words for the agent that do not block. */
  readonly notes?: readonly Text[];
  /** Words for the person. */
  readonly notices?: readonly Text[];
  readonly changes?: readonly Change[];
  /** With a pass at the end of a turn: kept and said only if the turn really ends, and owes nothing. */
  readonly onEnd?: { readonly changes: readonly Change[]; readonly notices: readonly Text[] };
  /** With a pass at the end of a turn: something is still owed, only nobody asks for it any more. */
  readonly owing?: true;
  /** What it would take away: a copy is kept before the tool runs, unless it is refused. */
  readonly losses?: readonly Loss[];
  /** The agent's context files are put in order before the host makes the conversation shorter. */
  readonly trim?: true;
  /** What must outlive the conversation is written down before the host makes it shorter. */
  readonly handover?: true;
  /** A file that was changed, as the tool named it: the formatter of the project is run over it, where there is one. */
  readonly format?: string;
  /** What was weighed on the way: kept in the record of an attempt. */
  readonly weighed?: WeighingRecord;
  /** With a pass: it has been earned, and where nobody objects the host need not ask either. */
  readonly approve?: Text;
  /** With a pass: fields of the tool's input that are set to something else. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Something of ours that this policy found not to work: kept as a fault. */
  readonly broken?: string;
}

export const pass: Ruling = { decision: "pass" };

type Words = Required<Pick<Ruling, "what" | "fix">> & Pick<Ruling, "floor">;

export function deny(words: Words): Ruling {
  return { decision: "deny", ...words };
}

export function ask(words: Words): Ruling {
  return { decision: "ask", ...words };
}

export function remember(...changes: readonly Change[]): Ruling {
  return changes.length === 0 ? pass : { decision: "pass", changes };
}

/** An event and the facts of an example; what is left out is filled in by `policies/describe-policy.ts`. */
export interface Example {
  readonly expect: Decision;
  readonly when: { readonly name: EventName } & Readonly<Record<string, unknown>>;
  readonly given?: Gathered;
}

type OperationOf<N extends EventName> = N extends AttemptEvent["name"] ? Operation : undefined;

/** What a policy is shown: the event, what it would do, and the facts it named. */
export interface Case<N extends EventName, F extends FactName> {
  readonly event: HookEvent<N>;
  readonly operation: OperationOf<N>;
  readonly facts: Pick<Facts, F>;
}

export interface Policy<N extends EventName = EventName, F extends FactName = FactName> {
  /** Begins with its verb: no-, require-, remind-, track- or run-. Also the file's name and the setting's key. */
  readonly id: string;
  readonly on: readonly N[];
  readonly needs: readonly F[];
  /** No setting, score, mode or flag opens what a floor policy denies. */
  readonly floor?: true;
  /** Some of its rulings are floor: switched off, it is still asked, and those still count. */
  readonly hasFloor?: true;
  /** Asked even in a project that has opted out. */
  readonly evenWhenOff?: true;
  /** Off until a person switches it on. */
  readonly optIn?: true;
  /** It judges the moment and not the effect: what it refuses is not held against other ways to the same end. */
  readonly ofTheMoment?: true;
  /** How many times in a row this policy may refuse a Stop. */
  readonly bound?: number;
  /** Who speaks first when several refuse one. */
  readonly level?: StopLevel;
  readonly why: Text;
  /** False: nothing to say about this event, and no facts are looked up for it. */
  applies?(event: HookEvent<N>, operation: OperationOf<N>): boolean;
  check(given: Case<N, F>): Ruling;
  readonly examples: readonly Example[];
}

/** Narrows `event` by `on` and `facts` by `needs`: a fact that was not asked for is a type error. */
export function definePolicy<const N extends EventName, const F extends FactName>(policy: Policy<N, F>): Policy<N, F> {
  return policy;
}
