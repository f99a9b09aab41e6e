/** The whole of what is remembered: a fold over the journal's records, never updated in place. */
import type { Decision } from "./decision.ts";
import type { JournalRecord, StartedProgram, VerdictRecord } from "./record.ts";
import { ACTORS_MAX, bounded, close, newSession, own, reduceSession, type Session } from "./session.ts";

export interface State {
  readonly sessions: Readonly<Record<string, Session>>;
  readonly verdicts: Readonly<Record<Decision, number>>;
  /** Objections by policy. */
  readonly objections: Readonly<Record<string, number>>;
  readonly faults: number;
  /** Where a person last pointed the hooks to: in sessions that are running, hooks that start it are no tampering. */
  readonly program?: StartedProgram;
  /** The newest time seen. Reducers use this and never a smaller one, so a clock that jumps back moves nothing back. */
  readonly t: number;
}

export const SESSIONS_MAX = 20;

export const newState: State = {
  sessions: {},
  verdicts: { pass: 0, ask: 0, deny: 0 },
  objections: {},
  faults: 0,
  t: 0,
};

/** Total and pure. A record of a kind this version does not know changes nothing but the time. */
export function fold(state: State, record: JournalRecord): State {
  const t = Math.max(state.t, record.t);
  switch (record.kind) {
    case "verdict":
      return foldVerdict({ ...state, t }, record);
    case "fault":
      return { ...state, t, faults: state.faults + 1 };
    case "action": {
      const known = { ...state, t, ...(record.moved && { program: record.moved.to }) };
      return record.session === undefined
        ? known
        : inSession(known, record.session, (session) => applyAll(session, record.changes ?? [], t));
    }
    default:
      return { ...state, t };
  }
}

function foldVerdict(state: State, record: VerdictRecord): State {
  const counted: State = {
    ...state,
    verdicts: add(state.verdicts, record.decision),
    objections: (record.objections ?? []).reduce((sum, { policy }) => add(sum, policy), state.objections),
  };
  if (record.unbound) return counted;
  return inSession(counted, record.session, (session) => {
    const actor = record.agent?.id ?? "main";
    const beat = { type: record.agent?.type ?? "main", at: state.t, event: record.event };
    const seen: Session = {
      ...session,
      lastAt: state.t,
      actors: bounded(session.actors, actor, beat, ACTORS_MAX, ({ at }) => at),
      verdicts: add(session.verdicts, record.decision),
      injectedChars: session.injectedChars + (record.injected ?? 0),
    };
    const refused = record.event === "PreToolUse" && record.decision === "deny" && record.call !== undefined;
    return applyAll(refused ? close(seen, record.call, "refused") : seen, record.changes ?? [], state.t);
  });
}

function applyAll(session: Session, changes: readonly Parameters<typeof reduceSession>[1][], t: number): Session {
  return changes.reduce((next, change) => reduceSession(next, change, t), session);
}

function inSession(state: State, id: string, update: (session: Session) => Session): State {
  const session = update(own(state.sessions, id) ?? newSession(state.t));
  return { ...state, sessions: bounded(state.sessions, id, session, SESSIONS_MAX, ({ lastAt }) => lastAt) };
}

function add<K extends string>(counts: Readonly<Record<K, number>>, key: K): Record<K, number> {
  return { ...counts, [key]: (own(counts, key) ?? 0) + 1 };
}
