/** What is remembered of one session: who drives it, which tool uses are under way, and what was answered. */
import { type CallChange, type Calls, reduceCall } from "./calls.ts";
import { type Coverage, type CoverageChange, endCoverage, newCoverage, reduceCoverage } from "./coverage.ts";
import type { Decision } from "./decision.ts";
import { own } from "./keyed.ts";
import { type Lint, type LintChange, newLint, reduceLint } from "./lint.ts";
import { endProof, newProof, type ProofChange, type Proven, reduceProof } from "./proof.ts";
import type { Memory, MemoryChange } from "./refused.ts";

/** The process of the host that a session is bound to; the start time tells a reused process id apart. */
export interface Client {
  readonly pid: number;
  readonly started: string;
}

/** Settings file → the events for which our hooks are registered in it. */
export type Registration = Readonly<Record<string, readonly string[]>>;

export interface Heartbeat {
  readonly type: string;
  readonly at: number;
  readonly event: string;
}

export interface Session extends Memory, Calls, Proven {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly endedAt?: number;
  readonly client?: Client;
  /** Its client stands below nobody, and nobody vouches for it: what it reports earns no trust. */
  readonly castaway?: true;
  /** Settings files that carried our hooks when the session began, with the events they covered. */
  readonly registration: Registration;
  readonly actors: Readonly<Record<string, Heartbeat>>;
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

/** The session of commands that we send through the hooks ourselves, to see them refused. Nobody's, in any project. */
export const CANARY = "sekisho-canary";

/** Limits that keep a session's record small whatever the agent does. */
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
  change: SessionChange | CallChange | ProofChange | OtherChange,
  now: number,
): Session {
  if (change.record === "session") return reduceLife(session, change, now);
  if (change.record === "proof") return { ...session, proof: reduceProof(session.proof ?? newProof, change, now) };
  return change.record === "call" ? reduceCall(session, change, now) : session;
}

function reduceLife(session: Session, change: SessionChange, now: number): Session {
  switch (change.do) {
    case "begin": {
      const { endedAt: _, castaway: __, ...rest } = session;
      const client = change.client ?? session.client;
      const goesOn = session.client?.pid === client?.pid && session.client?.started === client?.started;
      const registration = goesOn ? joined(session.registration, change.registration) : change.registration;
      return { ...rest, registration, ...(client && { client }), ...(change.castaway && { castaway: true }) };
    }
    case "end": {
      // What only a running session needs goes; the counts stay.
      const { refused: _, written: __, held: ___, lint: ____, ...rest } = endProof(session);
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
