/** The journal as an audit trail: every attempted tool use with its outcome, and everything else that happened. */

import { own } from "../lib/keyed.ts";
import type { Decision } from "../state/decision.ts";
import type {
  ContextRecord,
  JournalRecord,
  LiftRecord,
  ObjectionRecord,
  UndoRecord,
  VerdictRecord,
  WeighingRecord,
} from "../state/record.ts";
import type { CallOutcome } from "../state/session/calls.ts";
import type { Gap, GapKind } from "../state/session/coverage.ts";
import { fold, newState, type State } from "../state/state.ts";
import type { TrustLedger } from "../state/trust.ts";
import { modeMoves } from "./mode-moves.ts";
import { letGo } from "./release.ts";
import { isoTime } from "./time.ts";

export type AuditKind =
  | "call"
  | "invalid"
  | "question"
  | "refusal"
  | "stop-block"
  | "released"
  | "mode"
  | "config-veto"
  | "event"
  | "error"
  | "action"
  | "gap";

/** An entry of the trail. `outcome` is joined from later records by call id. */
export interface AuditEntry {
  readonly id: string;
  readonly at: number;
  readonly kind: AuditKind;
  readonly event: string;
  readonly session: string;
  readonly agent?: { readonly id: string; readonly type: string };
  readonly tool?: string;
  readonly call?: string;
  readonly input?: unknown;
  /** Where the input is whole. */
  readonly whole?: VerdictRecord["whole"];
  readonly operation?: VerdictRecord["operation"];
  readonly weighed?: WeighingRecord;
  /** Score of its domain after its outcome was counted. */
  readonly trustAfter?: number;
  readonly decision?: Decision;
  readonly objections: readonly ObjectionRecord[];
  readonly asked: readonly string[];
  readonly cwd?: string;
  /** Digest of the exact tool use, where a person may grant it. */
  readonly effect?: string;
  /** Objections that did not count because a person had granted permission. */
  readonly lifted?: readonly LiftRecord[];
  /** Policies that would have refused the end of the turn, and why it was allowed. */
  readonly released?: VerdictRecord["released"];
  readonly outcome?: CallOutcome | "pending" | "running";
  readonly exitCode?: number;
  readonly unbound: boolean;
  readonly detail?: string;
  readonly ms?: number;
}

export interface AuditFilter {
  /** UTC date, YYYY-MM-DD. */
  readonly date?: string;
  readonly kind?: string;
  readonly tail?: number;
}

/** With the current ledger, scores are shown too; they come from folding the journal again. */
export function auditView(
  records: Iterable<JournalRecord>,
  filter: AuditFilter,
  ledger?: TrustLedger,
): readonly AuditEntry[] {
  const trail: Trail = { entries: [], openAt: new Map() };
  let state = newState;
  for (const record of records) {
    if (ledger) state = fold(state, record);
    add(trail, record, (end) => (ledger ? withScore(end, trail, state) : end));
  }
  // When the oldest records are pruned, the fold starts too late and its scores would be wrong.
  const isWhole = state.trust.operations === ledger?.operations;
  const entries = isWhole ? trail.entries : trail.entries.map(({ trustAfter: _, ...entry }) => entry);
  const wanted = entries.filter((entry) => matches(entry, filter));
  return filter.tail === undefined ? wanted : wanted.slice(-filter.tail);
}

function add(trail: Trail, record: JournalRecord, scored: (end: End) => End): void {
  for (const end of endsIn(record)) join(trail, record, scored(end));
  if (sweeps(record)) abandon(trail, (record as Partial<VerdictRecord>).session);
  const entry = entryOf(record);
  if (entry.call !== undefined && entry.kind === "refusal") {
    join(trail, record, { call: entry.call, outcome: "refused" });
  }
  if (entry.call !== undefined && entry.outcome === "pending") trail.openAt.set(entry.call, trail.entries.length);
  trail.entries.push(entry);
}

interface Trail {
  readonly entries: AuditEntry[];
  /** Positions of calls whose end may still come. */
  readonly openAt: Map<string, number>;
}

/** The first reported end counts, as for trust; a launch is not an end. */
function join({ entries, openAt }: Trail, record: JournalRecord, end: End): void {
  const at = openAt.get(end.call);
  const entry = at === undefined ? undefined : entries[at];
  if (end.outcome !== "running") openAt.delete(end.call);
  if (at !== undefined && entry) entries[at] = { ...entry, ...end };
  else if (end.outcome === "invalid") entries.push(invalidEntry(record, end));
}

function withScore(end: End, { entries, openAt }: Trail, { trust }: State): End {
  const domain = entries[openAt.get(end.call) ?? -1]?.operation?.domain;
  const counts = end.outcome === "success" || end.outcome === "failure";
  const score = counts && domain !== undefined ? own(trust.domains, domain)?.score : undefined;
  return score === undefined ? end : { ...end, trustAfter: score };
}

/** The kinds shown by default; the others are details shown on request. */
export const TRAIL_KINDS: readonly AuditKind[] = [
  "call",
  "invalid",
  "question",
  "refusal",
  "stop-block",
  "released",
  "mode",
  "config-veto",
  "error",
  "action",
  "gap",
];

function matches(entry: AuditEntry, { date, kind }: AuditFilter): boolean {
  if (date !== undefined && isoTime(entry.at).slice(0, 10) !== date) return false;
  return kind === undefined ? TRAIL_KINDS.includes(entry.kind) : kind === "all" || entry.kind === kind;
}

interface End {
  readonly call: string;
  readonly outcome: CallOutcome | "running";
  readonly exitCode?: number;
  readonly tool?: string;
  readonly trustAfter?: number;
}

function endsIn(record: JournalRecord): readonly End[] {
  const changes = record.kind === "verdict" || record.kind === "action" ? (record.changes ?? []) : [];
  return changes.flatMap((change): readonly End[] => {
    if (change.record !== "call") return [];
    if (change.do === "launch") return [{ call: change.id, outcome: "running" }];
    if (change.do !== "close") return [];
    const { id, outcome, exitCode, tool } = change;
    return [{ call: id, outcome, ...(exitCode !== undefined && { exitCode }), ...(tool !== undefined && { tool }) }];
  });
}

function sweeps(record: JournalRecord): boolean {
  return record.kind === "verdict" && record.changes?.some((change) => change.do === "sweep") === true;
}

/** Open calls of an ended session will never end and must not look pending. */
function abandon({ entries, openAt }: Trail, session: string | undefined): void {
  for (const index of openAt.values()) {
    const entry = entries[index];
    const isOpen = entry?.outcome === "pending" || entry?.outcome === "running";
    if (entry && isOpen && entry.session === session) entries[index] = { ...entry, outcome: "abandoned" };
  }
}

/** A call that the host itself rejected: it had no PreToolUse, and only its batch reports it. */
function invalidEntry(record: JournalRecord, end: End): AuditEntry {
  const { session = "", agent } = record as Partial<VerdictRecord>;
  return {
    id: record.rid,
    at: record.t,
    kind: "invalid",
    event: "PostToolBatch",
    session,
    ...(agent && { agent }),
    ...end,
    objections: [],
    asked: [],
    unbound: false,
  };
}

function entryOf(record: JournalRecord): AuditEntry {
  const common = { id: record.rid, at: record.t, objections: [], asked: [], unbound: false };
  switch (record.kind) {
    case "verdict":
      return verdictEntry(record);
    case "fault":
      return {
        ...common,
        kind: "error",
        event: record.event,
        session: record.session,
        detail: `${record.where}: ${record.message}`,
        ...(record.tool !== undefined && { tool: record.tool }),
      };
    case "action":
      return {
        ...common,
        kind: "action",
        event: record.action,
        session: record.session ?? "",
        ...(record.detail !== undefined && { detail: record.detail }),
      };
    case "undo":
      return {
        ...common,
        kind: "action",
        event: record.do === "bring-back" ? "undo" : "snapshot",
        session: record.session,
        detail: `${keptWords(record)}${record.command ? ` before ${record.command}` : ""}`,
      };
    case "context":
      return { ...common, kind: "event", event: "trim", session: record.session, detail: trimWords(record) };
    case "format": {
      const { path, by, problem, call } = record;
      const detail = problem === undefined ? `${by} reformatted ${path}` : `${by} failed on ${path}: ${problem}`;
      return {
        ...{ ...common, kind: "action", event: "format", session: record.session, detail },
        ...(call !== undefined && { call }),
      };
    }
    case "commit": {
      const { plan, step, commit, files, problem } = record;
      const made = problem === undefined ? `as ${commit}, ${files} file(s)` : `not made: ${problem}`;
      return {
        ...common,
        kind: "action",
        event: "commit",
        session: record.session,
        detail: `step ${step} of ${plan} ${made}`,
      };
    }
    default:
      // A record kind of a newer version, shown by its name.
      return { ...common, kind: "event", event: String((record as { kind: unknown }).kind), session: "" };
  }
}

function keptWords({ do: what, id, files, left = 0 }: UndoRecord): string {
  return what === "nothing" ? `nothing kept, ${left} left out` : `${id}: ${files} file(s)`;
}

function trimWords({ entries, archived, headings, left = [] }: ContextRecord): string {
  const recent = headings.length === 0 ? "" : `; newest: ${headings.join(" / ")}`;
  return [`${entries} entries of progress, ${archived} archived${recent}`, ...left].join("; ");
}

function verdictEntry(record: JournalRecord & VerdictRecord): AuditEntry {
  const outcome = record.event !== "PreToolUse" ? undefined : record.decision === "deny" ? "refused" : "pending";
  const gaps = gapsIn(record);
  const told = [...gaps.map(gapWords), letGo(record), ...modeMoves(record)].filter((words) => words !== "");
  return {
    id: record.rid,
    at: record.t,
    kind: gaps.length > 0 ? "gap" : kindOf(record),
    event: record.event,
    session: record.session,
    decision: record.decision,
    objections: record.objections ?? [],
    asked: record.asked ?? [],
    unbound: record.unbound === true,
    ...known(record),
    ...(outcome && { outcome }),
    ...(told.length > 0 && { detail: told.join("; ") }),
  };
}

/** Optional fields of a record. */
const OPTIONAL = [
  "agent",
  "tool",
  "call",
  "input",
  "whole",
  "operation",
  "weighed",
  "cwd",
  "effect",
  "lifted",
  "released",
  "ms",
] as const;

function known(record: VerdictRecord): Partial<Pick<VerdictRecord, (typeof OPTIONAL)[number]>> {
  return Object.fromEntries(OPTIONAL.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]])));
}

function gapsIn({ changes = [] }: VerdictRecord): readonly Pick<Gap, "kind" | "count" | "calls">[] {
  return changes.flatMap((change) => (change.do === "cover" || change.do === "gap" ? (change.gaps ?? []) : []));
}

const GAPS: Readonly<Record<GapKind, string>> = {
  bypass: "ran past the gate",
  phantom: "asked about and never used",
  forged: "reported and not in the transcript",
  rewritten: "ran with another input than was judged",
  prompt: "not written by the person",
};

/** Describes a difference between the host's transcript and our records. */
export function gapWords({ kind, count, calls }: Pick<Gap, "kind" | "count" | "calls">): string {
  return `${count} ${GAPS[kind]}: ${calls.join(", ")}${count > calls.length ? " …" : ""}`;
}

function kindOf(record: VerdictRecord): AuditKind {
  const { event, decision, released = [] } = record;
  if (event === "PreToolUse") return decision === "deny" ? "refusal" : decision === "ask" ? "question" : "call";
  if (decision === "pass") return released.length > 0 ? "released" : modeMoves(record).length > 0 ? "mode" : "event";
  return event === "ConfigChange" ? "config-veto" : "stop-block";
}

/** Describes the entry by the command, path or URL of the tool use. */
export function subject(entry: AuditEntry): string {
  const input = entry.input as Readonly<Record<string, unknown>> | undefined;
  const about =
    input?.["command"] ?? input?.["file_path"] ?? input?.["notebook_path"] ?? input?.["url"] ?? entry.detail ?? "";
  return `${entry.tool ?? entry.event}${about === "" ? "" : ` ${String(about)}`}${entry.agent ? ` (${entry.agent.type || "internal"})` : ""}`;
}
