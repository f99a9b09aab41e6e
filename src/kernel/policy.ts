/** The types of a policy and of its rulings. */

import type { Text } from "../lib/text.ts";
import type { Operation } from "../reading/operation/operation.ts";
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import type { WeighingRecord } from "../state/record.ts";
import type { Modes } from "../state/session/modes.ts";
import type { Session } from "../state/session/session.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { Condition } from "./conditions.ts";
import type { AttemptEvent, EventName, HookEvent } from "./event.ts";
import type { FactName, Facts, Gathered } from "./facts.ts";
import type { Job } from "./job.ts";
import type { StopLevel } from "./stop-levels.ts";

/** The ruling of one policy on one event. */
export interface Ruling {
  readonly decision: Decision;
  /** For deny and ask: the effect of the call, and the action to take instead. */
  readonly what?: Text;
  readonly fix?: Text;
  /** No grant can lift this ruling: it belongs to the floor although the policy as a whole does not. */
  readonly floor?: true;
  /** With an ask: only trust is missing, and everything on the line could be read. See `ask.headless`. */
  readonly onlyTrust?: true;
  /** With an ask: the family that a person can accept as a whole, if it covers all that is asked about. */
  readonly family?: string;
  /** With an ask: what a yes covers until the session ends; see `state/agreements.ts`. */
  readonly agreement?: readonly string[];
  /** Messages to the agent that do not block. */
  readonly notes?: readonly Text[];
  /** Messages to the person. */
  readonly notices?: readonly Text[];
  readonly changes?: readonly Change[];
  /** With a pass on Stop: applied only if the turn really ends with nothing owed. */
  readonly onEnd?: { readonly changes: readonly Change[]; readonly notices: readonly Text[] };
  /** With a pass on Stop: something is still owed, but the policy no longer asks for it. */
  readonly owing?: true;
  /** Work to be done before the answer. */
  readonly jobs?: readonly Job[];
  /** The weighing behind the ruling, kept in the record of an attempt. */
  readonly weighed?: WeighingRecord;
  /** With a pass: trust has earned this call, and unless another policy objects the host need not ask either. */
  readonly approve?: Text;
  /** With a pass: fields of the tool's input to overwrite. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** A malfunction of Sekisho that this policy found: recorded as a fault. */
  readonly broken?: string;
}

export const pass: Ruling = { decision: "pass" };

type Words = Required<Pick<Ruling, "what" | "fix">> & Pick<Ruling, "floor" | "onlyTrust" | "family" | "agreement">;

export function deny(words: Words): Ruling {
  return { decision: "deny", ...words };
}

export function ask(words: Words): Ruling {
  return { decision: "ask", ...words };
}

export function remember(...changes: readonly Change[]): Ruling {
  return changes.length === 0 ? pass : { decision: "pass", changes };
}

/** The event and facts of an example; `policies/describe-policy.ts` fills in the rest. */
export interface Example {
  readonly expect: Decision;
  readonly when: { readonly name: EventName } & Readonly<Record<string, unknown>>;
  readonly given?: Gathered;
}

type OperationOf<N extends EventName> = N extends AttemptEvent["name"] ? Operation : undefined;

/** The input of a policy: the event, its operation, and the facts it asked for. */
export interface Case<N extends EventName, F extends FactName> {
  readonly event: HookEvent<N>;
  readonly operation: OperationOf<N>;
  readonly facts: Pick<Facts, F>;
}

/** The inputs of `needsIf`, known before facts are looked up. */
export interface Known {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly settings: Settings;
  readonly session: Session;
  /** The session's modes, with those that it takes over when it begins. */
  readonly modes: Modes;
}

export interface Policy<N extends EventName = EventName, F extends FactName = FactName> {
  /** Begins with a verb: no-, require-, remind-, track- or run-. Also the file name and the settings key. */
  readonly id: string;
  readonly on: readonly N[];
  readonly needs: readonly F[];
  /** Needs that hold only on a condition: looking them up costs too much to do it for nothing. */
  readonly needsIf?: { readonly [K in FactName]?: (known: Known) => boolean };
  /** No setting, score, mode or flag lifts a denial of a floor policy. */
  readonly floor?: true;
  /** Some rulings of this policy are floor: even when switched off it is checked, and those rulings count. */
  readonly hasFloor?: true;
  /** Checked even in a project that has opted out. */
  readonly evenWhenOff?: true;
  /** Off until a person switches it on. */
  readonly optIn?: true;
  /** Has nothing to say, and is not even loaded, unless this is in use. */
  readonly only?: Condition;
  /** Judges the timing and not the effect, so its refusals do not count against other ways to the same effect. */
  readonly ofTheMoment?: true;
  /** How many times in a row this policy may refuse a Stop. */
  readonly bound?: number;
  /** Decides which policy speaks first if several refuse the same Stop. */
  readonly level?: StopLevel;
  readonly why: Text;
  /** False: the policy has nothing to say about this event, and no facts are looked up for it. */
  applies?(event: HookEvent<N>, operation: OperationOf<N>): boolean;
  check(given: Case<N, F>): Ruling;
  readonly examples: readonly Example[];
}

/** Such a policy is checked last, once the rulings of the others are known. */
export function isAboutRefusals({ needs }: Pick<Policy, "needs">): boolean {
  return needs.includes("refused");
}

/** Narrows `event` by `on` and `facts` by `needs`: a fact that was not asked for is a type error. */
export function definePolicy<const N extends EventName, const F extends FactName>(policy: Policy<N, F>): Policy<N, F> {
  return policy;
}
