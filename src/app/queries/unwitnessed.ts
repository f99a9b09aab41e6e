/**
 * Compares passed checks in the journal with the host's transcripts. A record that a program appended to the journal
 * looks like any other; only the transcript shows that its call never was.
 */
import type { TranscriptUse } from "../../kernel/facts.ts";
import type { JournalRecord } from "../../state/record.ts";
import { readTranscript } from "../../world/facts/transcript.ts";
import { host } from "../host.ts";

/** A passed check whose call isn't in the transcript, failed there, or ran something else. */
export interface Unwitnessed {
  readonly rid: string;
  readonly at: number;
  readonly session: string;
  readonly command: string;
}

interface Passed extends Unwitnessed {
  readonly call: string;
  readonly agent: string | undefined;
}

/** Checks in sessions whose transcript is gone can't be compared. */
export function unwitnessedIn(records: Iterable<JournalRecord>): readonly Unwitnessed[] {
  const events = [...records].filter((record) => record.kind === "verdict").filter(({ unbound }) => !unbound);
  const transcripts = new Map(events.flatMap(begunIn));
  const told = new Map<string, Told | undefined>();
  const isShown = ({ session, agent, call, command }: Passed): boolean => {
    const main = transcripts.get(session);
    const path = agent === undefined ? main : main && host.transcriptOfAgent?.(main, agent);
    if (path === undefined) return true;
    if (!told.has(path)) told.set(path, toldBy(path));
    const known = told.get(path);
    return known === undefined || shows(known, call, command);
  };
  return events
    .flatMap(passedIn)
    .filter((check) => !isShown(check))
    .map(({ rid, at, session, command }) => ({ rid, at, session, command }));
}

type Verdict = Extract<JournalRecord, { kind: "verdict" }>;

/** The session and the transcript that the host named for it. */
function begunIn({ session, changes = [] }: Verdict): readonly (readonly [string, string])[] {
  return changes.flatMap((change) =>
    change.record === "session" && change.do === "begin" && change.transcript !== undefined
      ? [[session, change.transcript] as const]
      : [],
  );
}

/** A check in the background ends with a prompt, which names its call only in words; it is left out. */
function passedIn({ rid, t: at, session, event, agent, changes = [] }: Verdict): readonly Passed[] {
  if (event !== "PostToolUse") return [];
  return changes.flatMap((change) => {
    if (change.record !== "check" || change.do !== "end" || change.id === undefined) return [];
    const run = change.runs.find(({ outcome }) => outcome === "passed");
    return run ? [{ rid, at, session, command: run.command, call: change.id, agent: agent?.id }] : [];
  });
}

interface Told {
  readonly uses: ReadonlyMap<string, TranscriptUse>;
  readonly passed: ReadonlySet<string>;
}

function shows({ uses, passed }: Told, call: string, command: string): boolean {
  const ran = uses.get(call)?.command;
  // The record holds the part of the line that is the check; secrets in it are masked.
  return passed.has(call) && ran !== undefined && (ran.includes(command) || /[*…]/.test(command));
}

const BYTES_MAX = 4 * 1024 * 1024;

/** All of a transcript, piece by piece; undefined if it is gone or can't be read. */
function toldBy(path: string): Told | undefined {
  const { readTranscriptLine } = host;
  if (readTranscriptLine === undefined) return undefined;
  const uses = new Map<string, TranscriptUse>();
  const passed = new Set<string>();
  try {
    for (let from = { offset: 0, mark: "" }; ; ) {
      const piece = readTranscript(path, from, readTranscriptLine, BYTES_MAX);
      for (const use of piece.uses) uses.set(use.id, use);
      for (const { id, failed } of piece.results) if (!failed) passed.add(id);
      if (piece.cursor.whole || piece.cursor.offset <= from.offset) break;
      from = piece.cursor;
    }
  } catch (error) {
    // Not a regular file.
    void error;
    return undefined;
  }
  return uses.size === 0 ? undefined : { uses, passed };
}
