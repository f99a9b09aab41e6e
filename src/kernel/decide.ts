/** Makes the verdict: every policy rules, and the strictest ruling wins. */

import { own } from "../lib/keyed.ts";
import { clip, masked, text } from "../lib/text.ts";
import type { Operation } from "../reading/operation/operation.ts";
import { readable } from "../state/agreements.ts";
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import type { Session } from "../state/session/session.ts";
import { arbitrate, isPutOff, judgedAgain, levelOf, mayStillRefuse, released } from "./arbiter.ts";
import { withWitness } from "./awaits.ts";
import { bindingOf } from "./binding.ts";
import { CONDITIONS } from "./conditions.ts";
import type { HookEvent } from "./event.ts";
import { type Gathered, isUnknown, openFacts } from "./facts.ts";
import { faultEntry, objectionOf } from "./fault.ts";
import { fitting } from "./fitting-changes.ts";
import { jobsToDo } from "./job.ts";
import { legal } from "./legal.ts";
import { liftNotices, liftsOf, usesOf, wayOutOf } from "./lift.ts";
import { isAboutRefusals, type Policy, pass, type Ruling } from "./policy.ts";
import { refusedEffects, withStanding } from "./refusal.ts";
import type { Lift, Objection, Question, TraceEntry, Verdict } from "./verdict.ts";

export { faultVerdict } from "./fault.ts";
export type { Objection, Question, Verdict } from "./verdict.ts";

export const STRICTNESS: Readonly<Record<Decision, number>> = { pass: 0, ask: 1, deny: 2 };

/** The policies to evaluate: those for this event that are not disabled and apply. */
export function policiesFor<P extends Policy>(question: Question, policies: readonly P[]): readonly P[] {
  const { event, operation, facts } = question;
  if ((event.name === "Stop" || event.name === "SubagentStop") && event.mustYield) return [];
  return policies.filter(
    (policy) =>
      policy.on.includes(event.name) &&
      (policy.hasFloor || !isOff(policy, facts)) &&
      isInUse(policy, facts) &&
      appliesSafely(policy, event, operation),
  );
}

/** Settings cannot disable the floor. */
function isOff({ id, floor, optIn }: Policy, { settings }: Gathered): boolean {
  if (floor || settings === undefined || isUnknown(settings)) return false;
  return (own(settings.policies, id) ?? (optIn ? "off" : "on")) === "off";
}

function isInUse({ only }: Policy, { settings }: Gathered): boolean {
  return only === undefined || settings === undefined || isUnknown(settings) || CONDITIONS[only](settings);
}

/** `asked`: the policies that apply, where they are known. */
export function decide(
  question: Question,
  policies: readonly Policy[],
  asked: readonly Policy[] = policiesFor(question, policies),
): Verdict {
  const { facts } = question;
  const unbound = bindingOf(facts.session, facts.caller) === "unbound";
  const trace = arbitrate(question, traceOf(question, asked, unbound), policies);
  const rank = ({ policy, decision }: Objection): number =>
    question.event.name === "Stop" ? levelOf(policies, policy) : -STRICTNESS[decision];
  const objections = trace
    .filter(({ ruling }) => ruling.decision !== "pass")
    .map((entry) => objectionOf(entry, policies))
    .sort((a, b) => rank(a) - rank(b) || (a.policy < b.policy ? -1 : 1));
  const trustPasses = !unbound && passesTrust(question);
  if (objections.length === 0) return strictestVerdict(question, trace, objections, policies, unbound);
  const lifts = liftsOf(objections, facts.leave, { unbound, trustPasses, agreed: agreedIn(facts, unbound) });
  return lifts
    ? liftedVerdict(trace, lifts, unbound)
    : strictestVerdict(question, trace, objections, policies, unbound);
}

/**
 * Policies cannot see each other. Policies about earlier refusals run second, because they need to know which refusals
 * still stand.
 */
function traceOf(question: Question, asked: readonly Policy[], unbound: boolean): readonly TraceEntry[] {
  const first = asked.filter((policy) => !isAboutRefusals(policy));
  const trace = first.map((policy) => judge(policy, question, unbound));
  if (first.length === asked.length) return trace;
  const isEmpty = Array.isArray(question.facts.refused) && question.facts.refused.length === 0;
  const remembering = isEmpty ? question : withStanding(question, trace, first);
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
  const counts = (change: Change): boolean => !isInDoubt(facts) || isReading(change);
  const ends = endsFree(question, decision, trace) ? trace.flatMap(({ ruling }) => ruling.onEnd ?? []) : [];
  const wayOut = objections.length > 0 && wayOutOf(event, objections, policies);
  return {
    decision,
    objections: decision === strictest ? objections : objections.map(withNobodyThere),
    notes: heard.flatMap(({ ruling }) => ruling.notes ?? []).map(masked),
    notices: [...trace.flatMap(({ ruling }) => ruling.notices ?? []), ...ends.flatMap(({ notices }) => notices)].map(
      masked,
    ),
    // An unbound event changes no state that could count as evidence.
    changes: unbound
      ? []
      : fitting(event.name, [
          ...withWitness(event, heard.flatMap(({ ruling }) => ruling.changes ?? []).filter(counts), facts),
          ...ends.flatMap(({ changes }) => changes),
          ...stopChanges(question, objections),
          ...(decision === "deny" ? refusalChanges(question, trace, policies) : []),
        ]),
    trace,
    unbound,
    ...withJobs(heard, decision, unbound),
    ...(decision === "pass" && !unbound && earnedIn(event, trace)),
    ...(wayOut && { wayOut }),
    ...familyOf(decision, objections),
    ...agreementOf(decision, objections),
  };
}

/**
 * A denied action did not happen, so only its objectors may record changes. A refused Stop did happen, but among its
 * objectors only the leading one records changes.
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

/** True if no policy refused or was overruled, and nothing is owed or awaited. */
function endsFree({ event, facts }: Question, decision: Decision, trace: readonly TraceEntry[]): boolean {
  if (event.name !== "Stop" || decision !== "pass" || isInDoubt(facts) || isPutOff(event, facts)) return false;
  return !trace.some(({ ruling, released: why }) => ruling.owing || why !== undefined);
}

/** The approval and changed input of a pass. Dropped when a policy failed, because then the approval is not certain. */
function earnedIn(event: HookEvent, trace: readonly TraceEntry[]): Pick<Verdict, "approval" | "input"> {
  if (event.name !== "PreToolUse" || trace.some(({ fault }) => fault !== undefined)) return {};
  const approval = trace.find(({ ruling }) => ruling.approve)?.ruling.approve;
  const fields = trace.flatMap(({ ruling }) => ruling.input ?? []);
  const input = Object.assign({}, event.input, ...fields) as Readonly<Record<string, unknown>>;
  return { ...(approval && { approval }), ...(fields.length > 0 && { input }) };
}

function withJobs(trace: readonly TraceEntry[], decision: Decision, unbound: boolean): Pick<Verdict, "jobs"> {
  const asked = trace.flatMap(({ ruling }) => ruling.jobs ?? []);
  const jobs = jobsToDo(asked, decision, unbound);
  return jobs.length > 0 ? { jobs } : {};
}

/** A pass by a person's grant: the objectors record nothing, and the use of the grant is a change. */
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
    ...withJobs(trace, "ask", unbound),
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
  // Only the floor rulings of a disabled policy count.
  if (!ruling.floor && isOff(policy, facts)) return { policy: policy.id, ruling: pass };
  const decision = legal(event.name, ruling.decision);
  const lawful = decision === ruling.decision ? ruling : { ...ruling, decision };
  if (lawful.decision === "pass" || !isStop(event)) return { policy: policy.id, ruling: lawful };
  const entry = { policy: policy.id, ruling: lawful };
  return withinBound(policy, event, facts) && !unbound ? entry : released(entry, "bound");
}

/** Without a bound or a known session, a Stop is not refused. */
function withinBound(policy: Policy, event: HookEvent, facts: Gathered): boolean {
  const session = facts.session;
  if (policy.bound === undefined || session === undefined || isUnknown(session)) return false;
  return (own(session.refusals, stopper(policy.id, event, facts)) ?? 0) < policy.bound;
}

/** Counted per subagent, so that refusals of one do not count for the next; and a doubtful Stop uses up no real one. */
function stopper(policy: string, event: HookEvent, facts: Gathered): string {
  if (event.name === "SubagentStop") return `${policy} ${clip(event.agent?.id ?? "", 40)}`;
  return isInDoubt(facts) ? `${policy} ?` : policy;
}

function isInDoubt({ witness }: Gathered): boolean {
  return witness !== undefined && !isUnknown(witness) && witness.isDoubtful === true;
}

/** What a reading of the transcript found is true whoever sent the event. */
function isReading({ record, do: what }: Change): boolean {
  return record === "session" && (what === "witness" || what === "cover" || what === "gap");
}

/** True while the recorded refusal is within its own bound and the shared ones; otherwise it must not be sent. */
export function standsAfter(
  verdict: Verdict,
  { event, facts }: Question,
  policies: readonly Policy[],
  after: Pick<Session, "refusals" | "stops" | "modes">,
): boolean {
  const { settings } = facts;
  if (settings === undefined || isUnknown(settings)) return false;
  const modes = { ...judgedAgain(facts), ...after.modes };
  if (!mayStillRefuse(event, verdict.changes, settings, { ...after, modes })) return false;
  return verdict.objections.every(({ policy: id }) => {
    const bound = policies.find((policy) => policy.id === id)?.bound;
    return bound !== undefined && (own(after.refusals, stopper(id, event, facts)) ?? 0) <= bound;
  });
}

function appliesSafely(policy: Policy, event: HookEvent, operation: Operation | undefined): boolean {
  try {
    return policy.applies?.(event, operation as never) ?? true;
  } catch {
    // A policy whose applies() throws is evaluated anyway, so that its failure is handled there.
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

/** An unbound event cannot use what the person said in the session. */
function agreedIn({ session }: Gathered, unbound: boolean): readonly string[] {
  return unbound || session === undefined || isUnknown(session) ? [] : (session.agreed ?? []);
}

/** Questions of different kinds have no family together. */
function familyOf(decision: Decision, objections: readonly Objection[]): Pick<Verdict, "family"> {
  const [family, ...others] = new Set(objections.map((objection) => objection.family));
  return decision === "ask" && family !== undefined && others.length === 0 ? { family } : {};
}

/** The message of a question names this many objections, so a yes can't mean more. */
const TOLD_MAX = 4;

function agreementOf(decision: Decision, objections: readonly Objection[]): Pick<Verdict, "agreement"> {
  if (decision !== "ask" || objections.length > TOLD_MAX) return {};
  const agreement = readable(objections.flatMap((objection) => objection.agreement ?? []));
  return agreement ? { agreement } : {};
}

/** The session began without a person, which its own process said; a session of an agent's making never did. */
function passesTrust({ event, facts: { session, settings } }: Question): boolean {
  if (event.attended || session === undefined || isUnknown(session) || !session.headless) return false;
  return settings !== undefined && !isUnknown(settings) && settings.ask.headless === "trust";
}

function stopChanges({ event, facts }: Question, objections: readonly Objection[]): readonly Change[] {
  const refused = ({ policy }: Objection): Change => ({
    ...{ record: "session", do: "refuse-stop", policy: stopper(policy, event, facts) },
    ...(event.name === "Stop" && !isInDoubt(facts) && { leads: true }),
  });
  if (event.name === "SubagentStop" || (event.name === "Stop" && isInDoubt(facts))) return objections.map(refused);
  const [leader] = event.name === "Stop" ? objections : [];
  return leader ? [refused(leader)] : [];
}

function refusalChanges(
  question: Question,
  trace: readonly TraceEntry[],
  policies: readonly Policy[],
): readonly Change[] {
  // Recorded only if some policy reads earlier refusals.
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
