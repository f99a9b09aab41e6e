/** The one place where a verdict is made: every policy rules, the strictest ruling wins. */
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import { own } from "../state/keyed.ts";
import type { Session } from "../state/session.ts";
import { arbitrate, isPutOff, levelOf, mayStillRefuse, released } from "./arbiter.ts";
import { bindingOf } from "./binding.ts";
import type { HookEvent } from "./event.ts";
import { type Gathered, isUnknown, openFacts } from "./facts.ts";
import { faultEntry, objectionOf } from "./fault.ts";
import { fitting } from "./fitting-changes.ts";
import { legal } from "./legal.ts";
import { liftNotices, liftsOf, usesOf, wayOutOf } from "./lift.ts";
import type { Operation } from "./operation.ts";
import { type Policy, pass, type Ruling } from "./policy.ts";
import { isAboutRefusals, refusedEffects, withStanding } from "./refusal.ts";
import { clip, masked, text } from "./text.ts";
import type { Lift, Objection, Question, TraceEntry, Verdict } from "./verdict.ts";
import { jobsIn } from "./verdict-jobs.ts";

export { faultVerdict } from "./fault.ts";
export type { Objection, Question, Verdict } from "./verdict.ts";

export const STRICTNESS: Readonly<Record<Decision, number>> = { pass: 0, ask: 1, deny: 2 };

/** The policies that have something to say: the ones on this event, not switched off, that apply. */
export function policiesFor<P extends Policy>(question: Question, policies: readonly P[]): readonly P[] {
  const { event, operation, facts } = question;
  if ((event.name === "Stop" || event.name === "SubagentStop") && event.mustYield) return [];
  return policies.filter(
    (policy) =>
      policy.on.includes(event.name) &&
      (policy.hasFloor || !isOff(policy, facts)) &&
      appliesSafely(policy, event, operation),
  );
}

/** No setting reaches the floor. */
function isOff({ id, floor, optIn }: Policy, { settings }: Gathered): boolean {
  if (floor || settings === undefined || isUnknown(settings)) return false;
  return (own(settings.policies, id) ?? (optIn ? "off" : "on")) === "off";
}

export function decide(question: Question, policies: readonly Policy[]): Verdict {
  const { facts } = question;
  const unbound = bindingOf(facts.session, facts.caller) === "unbound";
  const trace = arbitrate(question, traceOf(question, policiesFor(question, policies), unbound), policies);
  const rank = ({ policy, decision }: Objection): number =>
    question.event.name === "Stop" ? levelOf(policies, policy) : -STRICTNESS[decision];
  const objections = trace
    .filter(({ ruling }) => ruling.decision !== "pass")
    .map((entry) => objectionOf(entry, policies))
    .sort((a, b) => rank(a) - rank(b) || (a.policy < b.policy ? -1 : 1));
  const lifts = liftsOf(objections, facts.leave, unbound);
  return lifts
    ? liftedVerdict(trace, lifts, unbound)
    : strictestVerdict(question, trace, objections, policies, unbound);
}

/** Policies cannot see one another. What was refused before is a fact, and it takes the law to know if it still would be. */
function traceOf(question: Question, asked: readonly Policy[], unbound: boolean): readonly TraceEntry[] {
  const first = asked.filter((policy) => !isAboutRefusals(policy));
  const trace = first.map((policy) => judge(policy, question, unbound));
  if (first.length === asked.length) return trace;
  const remembering = withStanding(question, trace, first);
  return [...trace, ...asked.filter(isAboutRefusals).map((policy) => judge(policy, remembering, unbound))];
}

function strictestVerdict(
  question: Question,
  trace: readonly TraceEntry[],
  objections: readonly Objection[],
  policies: readonly Policy[],
  unbound: boolean,
): Verdict {
  const { event, facts } = question;
  const strictest = objections[0]?.decision ?? "pass";
  const decision = strictest === "ask" && !canAsk(event, facts) ? "deny" : strictest;
  const heard = decision === "deny" ? heardOf(event, trace, objections) : trace;
  const ends = endsFree(question, decision, trace) ? trace.flatMap(({ ruling }) => ruling.onEnd ?? []) : [];
  const wayOut = wayOutOf(event, objections, policies);
  return {
    decision,
    objections: decision === strictest ? objections : objections.map(withNobodyThere),
    notes: heard.flatMap(({ ruling }) => ruling.notes ?? []).map(masked),
    notices: [...trace.flatMap(({ ruling }) => ruling.notices ?? []), ...ends.flatMap(({ notices }) => notices)].map(
      masked,
    ),
    // An event that is not the client's own leaves no mark that could count as evidence.
    changes: unbound
      ? []
      : fitting(event.name, [
          ...heard.flatMap(({ ruling }) => ruling.changes ?? []),
          ...ends.flatMap(({ changes }) => changes),
          ...stopChanges(event, objections),
          ...(decision === "deny" ? refusalChanges(question, trace, policies) : []),
        ]),
    trace,
    unbound,
    ...(decision !== "deny" && lossesIn(trace)),
    ...(decision === "pass" && !unbound && { ...earnedIn(event, trace), ...jobsIn(trace) }),
    ...(wayOut && { wayOut }),
  };
}

/**
 * A denied action did not happen: only the objectors may record anything about it. A turn that must go on has happened; but of
 * those who refuse its end only the one that leads has done so.
 */
function heardOf(
  event: HookEvent,
  trace: readonly TraceEntry[],
  [leader]: readonly Objection[],
): readonly TraceEntry[] {
  if (!isStop(event)) return trace.filter(({ ruling }) => ruling.decision !== "pass");
  if (event.name !== "Stop") return trace;
  return trace.filter(({ policy, ruling }) => ruling.decision === "pass" || policy === leader?.policy);
}

/** Nobody refuses, nobody would have, and nothing is owed or awaited. */
function endsFree({ event, facts }: Question, decision: Decision, trace: readonly TraceEntry[]): boolean {
  if (event.name !== "Stop" || decision !== "pass" || isPutOff(event, facts)) return false;
  return !trace.some(({ ruling, released: why }) => ruling.owing || why !== undefined);
}

/** What a pass says beyond silence. Where something of ours failed on the way, nobody can say that it was earned. */
function earnedIn(event: HookEvent, trace: readonly TraceEntry[]): Pick<Verdict, "approval" | "input"> {
  if (event.name !== "PreToolUse" || trace.some(({ fault }) => fault !== undefined)) return {};
  const approval = trace.find(({ ruling }) => ruling.approve)?.ruling.approve;
  const fields = trace.find(({ ruling }) => ruling.input)?.ruling.input;
  const input = { ...(event.input as object), ...fields };
  return { ...(approval && { approval }), ...(fields && { input }) };
}

function lossesIn(trace: readonly TraceEntry[]): Pick<Verdict, "losses"> {
  const losses = trace.flatMap(({ ruling }) => ruling.losses ?? []);
  return losses.length > 0 ? { losses } : {};
}

/** It passes by a person's leave: the objectors are silent, and what was used up is a change like any other. */
function liftedVerdict(trace: readonly TraceEntry[], lifted: readonly Lift[], unbound: boolean): Verdict {
  const heard = trace.filter(({ ruling }) => ruling.decision === "pass");
  return {
    decision: "pass",
    objections: [],
    notes: heard.flatMap(({ ruling }) => ruling.notes ?? []).map(masked),
    notices: [...heard.flatMap(({ ruling }) => ruling.notices ?? []), ...liftNotices(lifted)].map(masked),
    changes: unbound ? [] : [...heard.flatMap(({ ruling }) => ruling.changes ?? []), ...usesOf(lifted)],
    trace,
    unbound,
    ...lossesIn(trace),
    lifted,
  };
}

function judge(policy: Policy, question: Question, unbound: boolean): TraceEntry {
  const { event, operation, facts } = question;
  let ruling: Ruling;
  try {
    ruling = policy.check({ event, operation, facts: openFacts(facts, policy.needs) } as Parameters<
      Policy["check"]
    >[0]);
  } catch (error) {
    return faultEntry(policy.id, event.name, operation, error instanceof Error ? error.message : String(error));
  }
  // Of a policy that is switched off only the floor is left.
  if (!ruling.floor && isOff(policy, facts)) return { policy: policy.id, ruling: pass };
  const decision = legal(event.name, ruling.decision);
  const lawful = decision === ruling.decision ? ruling : { ...ruling, decision };
  if (lawful.decision === "pass" || !isStop(event)) return { policy: policy.id, ruling: lawful };
  const entry = { policy: policy.id, ruling: lawful };
  return withinBound(policy, event, facts) && !unbound ? entry : released(entry, "bound");
}

/** Without a bound, or without a count to hold it against, a Stop is not refused. */
function withinBound(policy: Policy, event: HookEvent, facts: Gathered): boolean {
  const session = facts.session;
  if (policy.bound === undefined || session === undefined || isUnknown(session)) return false;
  return (own(session.refusals, stopper(policy.id, event)) ?? 0) < policy.bound;
}

/** Each subagent has a count of its own: what one was refused is not held against the next. */
function stopper(policy: string, event: HookEvent): string {
  return event.name === "SubagentStop" ? `${policy} ${clip(event.agent?.id ?? "", 40)}` : policy;
}

/** True while a kept refusal of a Stop is still within its bound, and all are within theirs; otherwise it must not be spoken. */
export function standsAfter(
  verdict: Verdict,
  { event, facts: { settings } }: Question,
  policies: readonly Policy[],
  after: Pick<Session, "refusals" | "stops" | "modes">,
): boolean {
  if (settings === undefined || isUnknown(settings)) return false;
  if (!mayStillRefuse(event, verdict.changes, settings, after)) return false;
  return verdict.objections.every(({ policy: id }) => {
    const bound = policies.find((policy) => policy.id === id)?.bound;
    return bound !== undefined && (own(after.refusals, stopper(id, event)) ?? 0) <= bound;
  });
}

function appliesSafely(policy: Policy, event: HookEvent, operation: Operation | undefined): boolean {
  try {
    return policy.applies?.(event, operation as never) ?? true;
  } catch {
    // A policy that cannot even say whether it applies is asked, and fails there, where failure has a meaning.
    return true;
  }
}

function isStop(event: HookEvent): boolean {
  return event.name === "Stop" || event.name === "SubagentStop";
}

function canAsk(event: HookEvent, facts: Gathered): boolean {
  const settings = facts.settings;
  return event.attended || (settings !== undefined && !isUnknown(settings) && settings.ask.headless === "ask");
}

function stopChanges(event: HookEvent, objections: readonly Objection[]): readonly Change[] {
  if (event.name === "SubagentStop")
    return objections.map(({ policy }) => ({ record: "session", do: "refuse-stop", policy: stopper(policy, event) }));
  const [leader] = event.name === "Stop" ? objections : [];
  return leader ? [{ record: "session", do: "refuse-stop", policy: leader.policy, leads: true }] : [];
}

function refusalChanges(
  question: Question,
  trace: readonly TraceEntry[],
  policies: readonly Policy[],
): readonly Change[] {
  // Kept for those who ask for it; in a law without them it would be read by nobody.
  const isKept = question.event.name === "PreToolUse" && policies.some(isAboutRefusals);
  const effects = isKept ? refusedEffects(question, trace, policies) : [];
  return effects.length === 0 ? [] : [{ record: "session", do: "refuse", effects }];
}

function withNobodyThere(objection: Objection): Objection {
  if (objection.decision !== "ask") return objection;
  const { what } = objection;
  return {
    ...objection,
    decision: "deny",
    what: text(
      `${what.en} This needs a person's confirmation and nobody is here to give it.`,
      `${what.ja} 人の確認が必要ですが、いま答えられる人がいません。`,
    ),
  };
}
