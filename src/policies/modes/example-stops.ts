/** Test helper: puts Stop events to some policies and folds the verdicts into the session, as the journal would. */

import { decide, type Verdict } from "../../kernel/decide.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Gathered, Plan } from "../../kernel/facts.ts";
import type { Policy } from "../../kernel/policy.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { Modes } from "../../state/session/modes.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { ordinaryFacts, PROJECT } from "../describe-policy.ts";

const NOW = ordinaryFacts.now;

export const stop = {
  name: "Stop",
  continued: false,
  backgroundTasks: 0,
  lastMessage: "Half of it is there.",
  mustYield: false,
  transcript: "",
} as const;

export function inMode(modes: Modes): Session {
  return boundSession({ modes });
}

export const openPlan: Plan = {
  path: ".tmp/plans/login.md",
  modified: 5,
  told: false,
  own: true,
  done: 1,
  total: 2,
  open: ["form"],
};

interface Ended {
  readonly verdict: Verdict;
  /** The session after the changes of the verdict. */
  readonly session: Session;
  /** The `what` and `fix` of the leader; empty if no policy refuses. */
  readonly said: string;
  readonly told: readonly string[];
}

export function atStop(law: readonly Policy[], session: Session, given: Gathered = {}, more: object = {}): Ended {
  const event = { session: "s-1", cwd: PROJECT, attended: true, ...stop, ...more } as HookEvent;
  const verdict = decide({ event, operation: undefined, facts: { ...ordinaryFacts, session, ...given } }, law);
  const [leader] = verdict.objections;
  const now = typeof given.now === "number" ? given.now : NOW;
  return {
    verdict,
    session: verdict.changes.reduce((next, change) => reduceSession(next, change, now), session),
    said: leader ? `${leader.what.en}\n${leader.fix.en}` : "",
    told: verdict.notices.map(({ en }) => en),
  };
}

/** Records a tool call, so that the agent does not count as idle. */
export function working(session: Session): Session {
  return { ...session, outcomes: { ...session.outcomes, success: session.outcomes.success + 1 } };
}
