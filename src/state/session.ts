/** What is remembered of one session: who drives it, which tool uses are under way, and what was answered. */
import { type Coverage, type CoverageChange, endCoverage, newCoverage, reduceCoverage } from "./coverage.ts";
import type { Decision } from "./decision.ts";
import { type Lint, type LintChange, newLint, reduceLint } from "./lint.ts";
import type { Memory, MemoryChange } from "./refused.ts";
import type { Shape } from "./shape.ts";

/** How a tool use ended. `refused`: it never ran. `abandoned`: the session ended first. */
export type Outcome = "success" | "failure" | "refused" | "invalid" | "interrupted" | "abandoned";

/** The process of the host that a session is bound to; the start time tells a reused process id apart. */
export interface Client {
  readonly pid: number;
  readonly started: string;
}

/** Settings file → the events for which our hooks are registered in it. */
export type Registration = Readonly<Record<string, readonly string[]>>;

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
}

export interface Heartbeat {
  readonly type: string;
  readonly at: number;
  readonly event: string;
}

export interface Session extends Memory {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly endedAt?: number;
  readonly client?: Client;
  /** Its client stands below nobody, and nobody vouches for it: what it reports earns no trust. */
  readonly castaway?: true;
  /** Settings files that carried our hooks when the session began, with the events they covered. */
  readonly registration: Registration;
  readonly actors: Readonly<Record<string, Heartbeat>>;
  readonly calls: Readonly<Record<string, OpenCall>>;
  /** The newest tool uses whose end is known, so that no end is counted twice. */
  readonly settled: readonly string[];
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly verdicts: Readonly<Record<Decision, number>>;
  /** Refused Stops since the last prompt of a person, by policy. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly shown: readonly string[];
  /** Settings stricter than the defaults, as they were when the person last spoke. */
  readonly held?: Readonly<Record<string, unknown>>;
  readonly lint?: Lint;
  readonly injectedChars: number;
  /** Once something came through the gate or a transcript was read. */
  readonly coverage?: Coverage;
}

export type SessionChange =
  | {
      readonly record: "session";
      readonly do: "begin";
      readonly client?: Client;
      readonly registration: Registration;
      readonly castaway?: true;
    }
  | { readonly record: "session"; readonly do: "end" }
  | { readonly record: "session"; readonly do: "refuse-stop"; readonly policy: string }
  | { readonly record: "session"; readonly do: "prompt" }
  | { readonly record: "session"; readonly do: "show"; readonly notice: string }
  | { readonly record: "session"; readonly do: "hold"; readonly settings: Readonly<Record<string, unknown>> }
  | LintChange
  | CoverageChange
  | MemoryChange;

export type CallChange =
  | {
      readonly record: "call";
      readonly do: "open";
      readonly id: string;
      readonly tool: string;
      readonly answers?: true;
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

/** The session of commands that we send through the hooks ourselves, to see them refused. Nobody's, in any project. */
export const CANARY = "sekisho-canary";

/** Limits that keep a session's record small whatever the agent does. */
export const CALLS_MAX = 200;
export const SETTLED_MAX = 32;
export const ACTORS_MAX = 50;
export const SHOWN_MAX = 50;

export function newSession(now: number): Session {
  return {
    startedAt: now,
    lastAt: now,
    registration: {},
    actors: {},
    calls: {},
    settled: [],
    outcomes: { success: 0, failure: 0, refused: 0, invalid: 0, interrupted: 0, abandoned: 0 },
    verdicts: { pass: 0, ask: 0, deny: 0 },
    refusals: {},
    shown: [],
    injectedChars: 0,
  };
}

/** Changes that stand in the same record and are not about the session. */
interface OtherChange {
  readonly record: "grant" | "pause" | "habit" | "trust" | "stance";
}

/** Total: a change of a newer version is one this version knows nothing of, and changes nothing. */
export function reduceSession(
  session: Session,
  change: SessionChange | CallChange | OtherChange,
  now: number,
): Session {
  if (change.record === "session") return reduceLife(session, change, now);
  return change.record === "call" ? reduceCall(session, change, now) : session;
}

function reduceLife(session: Session, change: SessionChange, now: number): Session {
  switch (change.do) {
    case "begin": {
      const { endedAt: _, ...rest } = session;
      const client = change.client ?? session.client;
      const goesOn = session.client?.pid === client?.pid && session.client?.started === client?.started;
      const registration = goesOn ? joined(session.registration, change.registration) : change.registration;
      return { ...rest, registration, ...(client && { client }), ...(change.castaway && { castaway: true }) };
    }
    case "end": {
      // What only a running session needs goes; the counts stay.
      const { refused: _, written: __, held: ___, lint: ____, ...rest } = session;
      return {
        ...rest,
        endedAt: now,
        calls: {},
        settled: [],
        refusals: {},
        shown: [],
        registration: {},
        ...(session.coverage && { coverage: endCoverage(session.coverage) }),
      };
    }
    case "refuse-stop":
      return {
        ...session,
        refusals: { ...session.refusals, [change.policy]: (own(session.refusals, change.policy) ?? 0) + 1 },
      };
    case "prompt":
      return Object.keys(session.refusals).length === 0 ? session : { ...session, refusals: {} };
    case "show":
      return session.shown.includes(change.notice)
        ? session
        : { ...session, shown: [...session.shown, change.notice].slice(-SHOWN_MAX) };
    case "hold":
      return { ...session, held: change.settings };
    case "lint-due":
    case "lint-begin":
    case "lint-pass":
    case "lint-told":
      return { ...session, lint: reduceLint(session.lint ?? newLint, change) };
    case "cover":
    case "tell-gaps":
      return { ...session, coverage: reduceCoverage(coverageOf(session), change, now) };
    default:
      return session;
  }
}

/** What was used before we first heard of the session is not ours to judge. */
export function coverageOf({ coverage, startedAt }: Pick<Session, "coverage" | "startedAt">): Coverage {
  return coverage ?? newCoverage(startedAt);
}

/** A session that goes on (after compaction, say) forgets no hook it has seen: what went missing stays missed. */
function joined(before: Registration, now: Registration): Registration {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return Object.fromEntries(
    paths.map((path) => [path, [...new Set([...(own(before, path) ?? []), ...(own(now, path) ?? [])])]]),
  );
}

function reduceCall(session: Session, change: CallChange, now: number): Session {
  switch (change.do) {
    case "open":
      return {
        ...session,
        calls: bounded(
          session.calls,
          change.id,
          { tool: change.tool, at: now, background: false, ...(change.answers && { answers: true }) },
          CALLS_MAX,
          ({ at }) => at,
        ),
      };
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
export function outcomesIn(session: Session, changes: readonly { readonly record: string }[]): readonly Ended[] {
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
export function withAttempt(session: Session, id: string, known: Pick<OpenCall, "domain" | "question">): Session {
  const call = own(session.calls, id);
  return call ? { ...session, calls: { ...session.calls, [id]: { ...call, ...known } } } : session;
}

/** It has ended before we ever heard of it: the hooks came while it ran. */
function isNew({ settled }: Session, { id, domain }: { readonly id: string; readonly domain?: string }): boolean {
  return domain !== undefined && id !== "" && !settled.includes(id);
}

/** An outcome counts once, and for a call that was open or is new; calls that never began end as refused or invalid. */
export function close(session: Session, id: string, outcome: Outcome, isNew = false): Session {
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

/** Adds or replaces an entry; beyond the limit the one that is `oldest` by its time goes. */
export function bounded<T>(
  map: Readonly<Record<string, T>>,
  key: string,
  value: T,
  max: number,
  timeOf: (value: T) => number,
): Record<string, T> {
  const next: Record<string, T> = { ...map, [key]: value };
  const keys = Object.keys(next);
  if (keys.length <= max) return next;
  const others = keys.filter((other) => other !== key);
  const age = (name: string): number => timeOf(next[name] as T);
  const oldest = others.reduce((a, b) => (age(b) < age(a) ? b : a));
  const { [oldest]: _, ...rest } = next;
  return rest;
}

/** Ids come from outside: `constructor` and its kin are ordinary keys, not inherited ones. */
export function own<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
