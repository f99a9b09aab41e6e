/** The tool uses of a session: which are open, and how each ended, counted once. */

import { bounded, own, put, without } from "../../lib/keyed.ts";
import type { Shape } from "../habits.ts";
import type { Checking } from "./checks.ts";
import type { Installing } from "./ground.ts";
import type { Changing } from "./work.ts";

/** How a tool use ended. `refused`: it never ran. `abandoned`: the session ended first. */
export type CallOutcome = "success" | "failure" | "refused" | "invalid" | "interrupted" | "abandoned";

export interface OpenCall {
  readonly tool: string;
  readonly at: number;
  readonly background: boolean;
  /** Mark of the input that was judged. */
  readonly mark?: string;
  /** It was found in the host's transcript, with that input. */
  readonly met?: true;
  /** The transcript holds its result, although its end was not reported: it was interrupted. */
  readonly over?: true;
  /** Made by a subagent. */
  readonly aside?: true;
  /** PreToolUse came again for the same id with another input, so this call proves nothing. */
  readonly twice?: true;
  /** The domain in which its outcome counts. */
  readonly domain?: string;
  /** The question that a person was asked about it, with the id of that verdict. */
  readonly question?: Shape & { readonly id: string };
  /** What the person's yes to the question covers until the session ends. */
  readonly agrees?: readonly string[];
  /** A command that answers a question; exit code 1 means "no". */
  readonly answers?: true;
  /** A command whose failure is no failure of the work. */
  readonly spared?: true;
  /** Further kinds of work in the same line; its success counts in each. */
  readonly also?: readonly string[];
  /** A tool that asks the person a question. */
  readonly asks?: true;
  /** The files it may change. */
  readonly work?: Changing;
  /** The checks that it runs. */
  readonly check?: Checking;
  /** The package manager that it runs. */
  readonly install?: Installing;
}

/** The part of a session that holds its tool uses. */
export interface Calls {
  readonly calls: Readonly<Record<string, OpenCall>>;
  /** The newest tool uses whose end is known, so that no end counts twice. */
  readonly settled: readonly string[];
  readonly outcomes: Readonly<Record<CallOutcome, number>>;
}

export type CallChange =
  | {
      readonly record: "call";
      readonly do: "open";
      readonly id: string;
      readonly tool: string;
      readonly mark?: string;
      readonly aside?: true;
      readonly answers?: true;
      readonly spared?: true;
      readonly also?: readonly string[];
      readonly asks?: true;
    }
  | { readonly record: "call"; readonly do: "launch"; readonly id: string }
  | {
      readonly record: "call";
      readonly do: "close";
      readonly id: string;
      readonly outcome: CallOutcome;
      readonly exitCode?: number;
      /** For calls without a PreToolUse event: the tool and its domain. */
      readonly tool?: string;
      readonly domain?: string;
    }
  | { readonly record: "call"; readonly do: "sweep" };

/** Keep the state small whatever the agent does. */
export const CALLS_MAX = 200;
export const SETTLED_MAX = 32;

export function reduceCall<C extends Calls>(session: C, change: CallChange, now: number): C {
  switch (change.do) {
    case "open": {
      const { id, tool, mark, aside, answers, spared, also, asks } = change;
      const before = own(session.calls, id);
      if (before?.mark !== undefined && before.mark !== mark) {
        return { ...session, calls: put(session.calls, id, { ...before, twice: true }) };
      }
      const flags = {
        ...(mark && { mark }),
        ...(aside && { aside }),
        ...(answers && { answers }),
        ...(spared && { spared }),
        ...(also && { also }),
        ...(asks && { asks }),
      };
      const call: OpenCall = { tool, at: now, background: false, ...flags };
      return { ...session, calls: bounded(session.calls, id, call, CALLS_MAX, ({ at }) => at) };
    }
    case "launch": {
      const call = own(session.calls, change.id);
      return call ? { ...session, calls: put(session.calls, change.id, { ...call, background: true }) } : session;
    }
    case "close":
      return close(session, change.id, change.outcome, isNew(session, change));
    case "sweep":
      return Object.keys(session.calls).reduce((swept, id) => close(swept, id, "abandoned"), session);
    default:
      return session;
  }
}

/** The calls that these changes end as success or failure, with their domains. Each counts once. */
export function outcomesIn(session: Calls, changes: readonly { readonly record: string }[]): readonly Ended[] {
  const closing = (changes as readonly CallChange[]).filter((change) => change.do === "close");
  if (closing.length === 0) return NONE;
  const ends = new Map<string, readonly Ended[]>();
  for (const change of closing) {
    if (change.record !== "call" || change.do !== "close" || ends.has(change.id)) continue;
    const call = own(session.calls, change.id);
    if (call || isNew(session, change)) ends.set(change.id, endsOf(change, call));
  }
  return [...ends.values()].flat();
}

/** A success counts in every domain of the line; a failure that is no failure of the work counts in none. */
function endsOf({ outcome, domain }: CallChange & { do: "close" }, call: OpenCall | undefined): readonly Ended[] {
  if (outcome !== "success" && outcome !== "failure") return NONE;
  const question = call?.question && { question: call.question };
  const agrees = call?.agrees !== undefined && { agrees: call.agrees };
  const isSpared = outcome === "failure" && call?.spared === true;
  const first = { domain: call ? call.domain : domain, outcome, ...(isSpared && { isSpared }), ...question, ...agrees };
  const also = outcome === "success" ? (call?.also ?? []) : [];
  return [first, ...also.map((other) => ({ domain: other, outcome }))];
}

const NONE: readonly Ended[] = [];

export interface Ended {
  readonly domain: string | undefined;
  readonly outcome: "success" | "failure";
  /** It costs no trust. */
  readonly isSpared?: boolean;
  readonly question?: NonNullable<OpenCall["question"]>;
  readonly agrees?: readonly string[];
}

/** Adds the fields of the attempt's record to the call that its change opened. */
export function withAttempt<C extends Calls>(
  session: C,
  id: string,
  known: Pick<OpenCall, "domain" | "question" | "agrees" | "work" | "check" | "install">,
): C {
  const call = own(session.calls, id);
  return call ? { ...session, calls: put(session.calls, id, { ...call, ...known }) } : session;
}

/** Open calls of which the host's transcript holds the input that was judged, and those of which it holds the result. */
export interface Traced {
  readonly confirmed?: readonly string[];
  readonly over?: readonly string[];
}

export function tracedCalls(calls: Calls["calls"], { confirmed = [], over = [] }: Traced): Calls["calls"] {
  const ids = [...new Set([...confirmed, ...over])].filter((id) => own(calls, id));
  return ids.reduce((all, id) => {
    const [met, isOver] = [confirmed.includes(id), over.includes(id)];
    return put(all, id, { ...(all[id] as OpenCall), ...(met && { met }), ...(isOver && { over: isOver }) });
  }, calls);
}

/** The call started before the hooks were installed, so only its end was seen. */
function isNew({ settled }: Calls, { id, domain }: { readonly id: string; readonly domain?: string }): boolean {
  return domain !== undefined && id !== "" && !settled.includes(id);
}

/** An outcome counts once, for a call that was open or new; a call that never ran ends as refused or invalid. */
export function close<C extends Calls>(session: C, id: string, outcome: CallOutcome, isNew = false): C {
  const open = isNew || own(session.calls, id) !== undefined;
  const neverBegan = outcome === "invalid" || outcome === "refused";
  if (!open && (!neverBegan || session.settled.includes(id))) return session;
  return {
    ...session,
    calls: without(session.calls, id),
    settled: [...session.settled, id].slice(-SETTLED_MAX),
    outcomes: { ...session.outcomes, [outcome]: session.outcomes[outcome] + 1 },
  };
}
