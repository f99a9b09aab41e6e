/** From an event to a verdict: the policies that apply, the facts they need, the decision. Every surface judges here. */
import { decide, policiesFor, type Question, type Verdict } from "../kernel/decide.ts";
import type { Steps } from "../kernel/effect.ts";
import { type FactName, type Gathered, isUnknown, NOT_ASKED } from "../kernel/facts.ts";
import type { Known, Policy } from "../kernel/policy.ts";
import { gather, type Surroundings } from "../world/gather.ts";

/** Needed at every event: binding, bounds, grants and conditional needs concern all policies. */
const BASIC_FACTS: readonly FactName[] = ["now", "settings", "session", "caller", "leave", "modesTakenUp", "witness"];

export interface Judged {
  readonly question: Question;
  /** The policies that were asked. */
  readonly asked: readonly Policy[];
  readonly verdict: Verdict;
}

export function* judge(around: Surroundings, policies: readonly Policy[]): Steps<Judged> {
  const { event, operation, settings } = around;
  const asked = policiesFor({ event, operation, facts: { settings } }, policies);
  const basic = yield* gather(BASIC_FACTS, around);
  const needs = needsOf(asked, knownFrom(around, basic));
  const looked = yield* gather(needs.asked, around);
  const question: Question = { event, operation, facts: { ...needs.notAsked, ...basic, ...looked } };
  return { question, asked, verdict: decide(question, asked, asked) };
}

interface Needs {
  readonly asked: ReadonlySet<FactName>;
  readonly notAsked: Gathered;
}

/** A fact is looked up when one policy asks for it. Without a readable state every condition counts as met. */
function needsOf(policies: readonly Policy[], known: Known | undefined): Needs {
  const asked = new Set<FactName>();
  const notAsked: Partial<Record<FactName, typeof NOT_ASKED>> = {};
  for (const { needs, needsIf } of policies) {
    for (const name of needs) {
      const condition = needsIf?.[name];
      if (!condition || !known || condition(known)) asked.add(name);
      else notAsked[name] = NOT_ASKED;
    }
  }
  for (const name of BASIC_FACTS) asked.delete(name);
  return { asked, notAsked: notAsked as unknown as Gathered };
}

function knownFrom({ event, operation, settings }: Surroundings, basic: Gathered): Known | undefined {
  const { session, modesTakenUp: modes } = basic;
  if (!session || isUnknown(session) || !modes || isUnknown(modes)) return undefined;
  return { event, operation, settings, session, modes };
}
