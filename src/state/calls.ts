/** The tool uses of a session: which are under way, and how each ended, once. */
import type { Checking } from "./checks.ts";
import type { Shape } from "./habits.ts";
import { bounded, own } from "./keyed.ts";
import type { Changing } from "./work.ts";

/** How a tool use ended. `refused`: it never ran. `abandoned`: the session ended first. */
export type Outcome = "success" | "failure" | "refused" | "invalid" | "interrupted" | "abandoned";

export interface OpenCall {
  readonly tool: string;
  readonly at: number;
  readonly background: boolean;
  /** What kind of work it is: its outcome counts there. */
  readonly domain?: string;
  /** A person was asked about it, by this verdict. */
  readonly question?: Shape & { readonly id: string };
  /** It asks something, and exit code 1 is the answer "no". */
  readonly answers?: true;
  /** It puts a question to the person. */
  readonly asks?: true;
  /** What it may change. */
  readonly work?: Changing;
  /** The checks that it runs. */
  readonly check?: Checking;
}

/** The part of a session that is about them. */
export interface Calls {
  readonly calls: Readonly<Record<string, OpenCall>>;
  /** The newest tool uses whose end is known, so that no end is counted twice. */
  readonly settled: readonly string[];
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

export type CallChange =
  | {
      readonly record: "call";
      readonly do: "open";
      readonly id: string;
      readonly tool: string;
      readonly answers?: true;
      readonly asks?: true;
    }
  | { readonly record: "call"; readonly do: "launch"; readonly id: string }
  | {
      readonly record: "call";
      readonly do: "close";
      readonly id: string;
      readonly outcome: Outcome;
      readonly exitCode?: number;
      /** For calls that were never asked about: what was called, and what kind of work it was. */
      readonly tool?: string;
      readonly domain?: string;
    }
  | { readonly record: "call"; readonly do: "sweep" };

/** Limits that keep it small whatever the agent does. */
export const CALLS_MAX = 200;
export const SETTLED_MAX = 32;

export function reduceCall<C extends Calls>(session: C, change: CallChange, now: number): C {
  switch (change.do) {
    case "open": {
      const { id, tool, answers, asks } = change;
      const call = { tool, at: now, background: false, ...(answers && { answers }), ...(asks && { asks }) };
      return { ...session, calls: bounded(session.calls, id, call, CALLS_MAX, ({ at }) => at) };
    }
    case "launch": {
      const call = own(session.calls, change.id);
      return call ? { ...session, calls: { ...session.calls, [change.id]: { ...call, background: true } } } : session;
    }
    case "close":
      return close(session, change.id, change.outcome, isNew(session, change));
    case "sweep":
      return Object.keys(session.calls).reduce((swept, id) => close(swept, id, "abandoned"), session);
    default:
      return session;
  }
}

/** The calls that these changes end well or badly, each with the kind of work it was. None counts twice. */
export function outcomesIn(session: Calls, changes: readonly { readonly record: string }[]): readonly Ended[] {
  const closing = (changes as readonly CallChange[]).filter((change) => change.do === "close");
  if (closing.length === 0) return NONE;
  const ends = new Map<string, Ended>();
  for (const change of closing) {
    if (change.record !== "call" || change.do !== "close") continue;
    const call = own(session.calls, change.id);
    const counts = change.outcome === "success" || change.outcome === "failure";
    if (counts && !ends.has(change.id) && (call || isNew(session, change))) {
      const question = call?.question && { question: call.question };
      ends.set(change.id, { domain: call ? call.domain : change.domain, outcome: change.outcome, ...question });
    }
  }
  return [...ends.values()];
}

const NONE: readonly Ended[] = [];

export interface Ended {
  readonly domain: string | undefined;
  readonly outcome: "success" | "failure";
  readonly question?: NonNullable<OpenCall["question"]>;
}

/** What an attempt is stands in its record beside the change that opened it. */
export function withAttempt<C extends Calls>(
  session: C,
  id: string,
  known: Pick<OpenCall, "domain" | "question" | "work" | "check">,
): C {
  const call = own(session.calls, id);
  return call ? { ...session, calls: { ...session.calls, [id]: { ...call, ...known } } } : session;
}

/** It has ended before we ever heard of it: the hooks came while it ran. */
function isNew({ settled }: Calls, { id, domain }: { readonly id: string; readonly domain?: string }): boolean {
  return domain !== undefined && id !== "" && !settled.includes(id);
}

/** An outcome counts once, and for a call that was open or is new; calls that never began end as refused or invalid. */
export function close<C extends Calls>(session: C, id: string, outcome: Outcome, isNew = false): C {
  const open = isNew || own(session.calls, id) !== undefined;
  const neverBegan = outcome === "invalid" || outcome === "refused";
  if (!open && (!neverBegan || session.settled.includes(id))) return session;
  const { [id]: _, ...calls } = session.calls;
  return {
    ...session,
    calls,
    settled: [...session.settled, id].slice(-SETTLED_MAX),
    outcomes: { ...session.outcomes, [outcome]: session.outcomes[outcome] + 1 },
  };
}
