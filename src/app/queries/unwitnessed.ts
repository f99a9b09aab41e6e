/**
 * Compares the journal with the host's transcripts, and with what this program writes at each event. A record that a
 * program appended to the journal looks like any other; the transcript shows that its call or prompt never was.
 */
import { carriesAuthority } from "../../kernel/awaits.ts";
import type { Transcript, TranscriptPrompt, TranscriptUse } from "../../kernel/facts.ts";
import { wordsMark } from "../../kernel/marks.ts";
import { own } from "../../lib/keyed.ts";
import { saidIn } from "../../playbook/verdict-form.ts";
import type { Change } from "../../state/change.ts";
import type { JournalRecord } from "../../state/record.ts";
import { readTranscript } from "../../world/facts/transcript.ts";
import { host } from "../host.ts";
import { unstoppedIn } from "./unstopped.ts";
import type { Unwitnessed } from "./unwitnessed-record.ts";
import { wentOnAfter } from "./went-on.ts";

interface Passed extends Unwitnessed {
  readonly call: string;
  readonly agent: string | undefined;
}

/** Records of sessions whose transcript is gone can't be compared with it. */
export function unwitnessedIn(records: Iterable<JournalRecord>, now: number): readonly Unwitnessed[] {
  const events = [...records].filter((record) => record.kind === "verdict").filter(({ unbound }) => !unbound);
  const transcripts = new Map(events.flatMap(begunIn));
  const told = new Map<string, Told | undefined>();
  const toldOf = (session: string, agent?: string): Told | undefined => {
    const main = transcripts.get(session);
    const path = agent === undefined ? main : main && host.transcriptOfAgent?.(main, agent);
    if (path === undefined) return undefined;
    if (!told.has(path)) told.set(path, toldBy(path));
    return told.get(path);
  };
  const isShown = ({ session, agent, call, command }: Passed): boolean => {
    const known = toldOf(session, agent);
    return known === undefined || shows(known, call, command);
  };
  const checks = events.flatMap(passedIn).filter((check) => !isShown(check));
  const stops = unstoppedIn(events, (session) => toldOf(session), now);
  const begun = new Set<string>();
  const strange = events.flatMap((event) => {
    for (const [session] of begunIn(event)) begun.add(session);
    // A version that named no transcript wrote no witnesses either.
    const known = begun.has(event.session) ? toldOf(event.session) : undefined;
    const isUnseenAgent =
      known !== undefined && reviews(event) && toldOf(event.session, event.agent?.id ?? "none") === undefined;
    return [
      ...strangeIn(event, known, begun, now),
      ...(isUnseenAgent ? [flawed(event, "a review by an agent without a transcript")] : []),
      ...unsaidIn(event, (agent) => toldOf(event.session, agent)),
    ];
  });
  return [...checks, ...strange, ...stops, ...wentOnAfter(events)]
    .sort((one, two) => one.at - two.at)
    .map(({ rid, at, session, command }) => ({ rid, at, session, command }));
}

/** Changes that only a person's command makes: in the record of an event they were put there by hand. */
const NEVER: ReadonlySet<string> = new Set([
  ...["grant give", "grant take-back", "pause begin", "pause end", "habit accept", "habit drop"],
  ...["settings open", "trust import", "guard trust", "guard forget"],
]);

/** Changes that loosen, and the events whose records may hold them. */
const AT: Readonly<Record<string, readonly string[]>> = {
  "session begin": ["SessionStart", "UserPromptSubmit"],
  "session end": ["SessionEnd"],
  "session prompt": ["UserPromptSubmit"],
  "session compact": ["PreCompact"],
  "session witness": ["PreToolUse", "TaskCompleted", "Stop", "SubagentStop", "UserPromptSubmit"],
  "mode stop": ["Stop", "UserPromptSubmit", "UserPromptExpansion"],
  "mode pause": ["PostToolUseFailure", "StopFailure"],
  "mode adopt": ["SessionStart"],
  "work settle": ["Stop"],
  "check end": ["PostToolUse", "PostToolUseFailure", "UserPromptSubmit"],
  "trust rates": ["SessionStart", "UserPromptSubmit"],
  "proof plan": ["SessionStart", "PostToolUse"],
  "playbook approve": ["UserPromptSubmit", "PostToolUse"],
  "playbook check": ["PostToolUse"],
  "playbook close": [],
  "playbook begin": [],
  "playbook step": [],
  "playbook claim": [],
  "playbook cancel": [],
  "playbook verdict": ["SubagentStop"],
  "ground lay": ["SessionStart", "UserPromptSubmit"],
  "ground install": ["PostToolUse", "PostToolUseFailure"],
};

/** The transcript lags. */
const LAG_MS = 10_000;

const OF_TOOLS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);
/** Events whose changes wait for the transcript, if they carry authority. A reviewer's last message may be there already. */
const AWAITED: ReadonlySet<string> = new Set([
  ...["PostToolUse", "PostToolUseFailure", "StopFailure", "UserPromptSubmit", "UserPromptExpansion"],
]);
const SETTINGS_TOLD = /^(?:this project has opted out|switched off here|looser here than by default)/;

/** What in a record this program does not write, or what the transcript contradicts. */
function strangeIn(verdict: Verdict, told: Told | undefined, begun: Set<string>, now: number): readonly Unwitnessed[] {
  const { t: at, session, event, agent, call, changes = [] } = verdict;
  const flaws = changes.flatMap((change) => flawOf(change, event, told !== undefined));
  const isOld = now - at > LAG_MS && agent === undefined && OF_TOOLS.has(event);
  const isUnknown = isOld && told !== undefined && call !== undefined && !told.uses.has(call);
  const starts = changes.flatMap((change) =>
    change.record === "session" && change.do === "pin" ? [`${session} ${change.by}`] : [],
  );
  // A session without a pin is older than pins.
  const isRunning = begun.has(session) && starts.every((start) => begun.has(start));
  for (const start of starts) begun.add(start).add(session);
  const isTold = changes.some(
    (change) => change.record === "session" && change.do === "show" && SETTINGS_TOLD.test(change.notice),
  );
  const all = [
    ...flaws,
    ...(borrows(verdict) ? ["begins with the transcript of another session"] : []),
    ...(isUnknown ? [`${event} of a call that is not in the transcript`] : []),
    ...(isTold && isRunning ? ["says that you were told of looser settings in a running session"] : []),
    ...changes.flatMap((change) => unheard(change, told)),
  ];
  return all.length === 0 ? [] : [flawed(verdict, all[0] ?? "")];
}

function flawed({ rid, t: at, session }: Verdict, flaw: string): Unwitnessed {
  return { rid, at, session, command: `a record: ${flaw}` };
}

function reviews({ changes = [] }: Verdict): boolean {
  return changes.some((change) => change.record === "proof" && change.do === "review" && change.pass);
}

function flawOf(change: Change, event: string, hasTranscript: boolean): readonly string[] {
  const what = `${change.record} ${change.do}`;
  if (NEVER.has(what)) return [`${what}, which only a person's command records`];
  const places = own(AT, what);
  if (places && !places.includes(event)) return [`${what} at ${event}`];
  const waits = hasTranscript && AWAITED.has(event) && carriesAuthority(change, event);
  return waits && !change.awaits ? [`${what} without a witness`] : [];
}

/** A judge's word on a plan that its own transcript does not have. */
function unsaidIn(
  { rid, t: at, session, changes = [] }: Verdict,
  toldOf: (agent: string) => Told | undefined,
): readonly Unwitnessed[] {
  return changes.flatMap((change) => {
    if (change.record !== "playbook" || change.do !== "verdict" || change.verdict === "FAIL") return [];
    if (toldOf(change.agent)?.verdicts.has(wordOf(change))) return [];
    const command = `a record: ${change.of} ${change.verdict} that is in no transcript`;
    return [{ rid, at, session, command }];
  });
}

function verdictOf({ words, from }: TranscriptPrompt): readonly string[] {
  const said = from === "said" ? saidIn(words) : undefined;
  return said ? [wordOf(said)] : [];
}

function wordOf({ verdict, step }: { readonly verdict: string; readonly step?: string }): string {
  return `${verdict} ${step ?? ""}`;
}

/** A prompt that confirmed something and is in no transcript. */
function unheard(change: Change, told: Told | undefined): readonly string[] {
  if (change.record !== "session" || change.do !== "witness" || told === undefined) return [];
  // What a subagent said is in its own transcript.
  const aside = new Set((change.seen ?? []).flatMap((key) => markIn(key, ["agent"])));
  const marks = Object.keys(change.heard ?? {})
    .map((mark) => mark.replace(/\/$/, ""))
    .filter((mark) => !aside.has(mark));
  const seen = (change.seen ?? []).flatMap((key) => markIn(key, ["", "busy"]));
  return [...marks, ...seen].some((mark) => !told.prompts.has(mark)) ? ["a prompt that is not in the transcript"] : [];
}

/** The mark of the words, where the cause was said by one of these: a person (`""`, `busy`), or a subagent. */
function markIn(key: string, by: readonly string[]): readonly string[] {
  try {
    const [kind, mark, from = ""] = JSON.parse(key) as readonly string[];
    const isTheirs = kind === "prompt" && by.includes(from);
    return isTheirs && mark !== undefined ? [mark.replace(/\/$/, "")] : [];
  } catch (error) {
    // Not a key of ours, so nobody said it.
    void error;
    return by.includes("") ? [key] : [];
  }
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

function borrows(verdict: Verdict): boolean {
  return begunIn(verdict).some(([session, transcript]) => host.isTranscriptOf?.(transcript, session) === false);
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
  /** The marks of all that was said. */
  readonly prompts: ReadonlySet<string>;
  /** When the host ran its hooks for the end of a turn, and when a turn was broken off. */
  readonly ends: readonly number[];
  readonly breaks: readonly number[];
  /** What it said about plans. */
  readonly verdicts: ReadonlySet<string>;
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
  try {
    const pieces = [...piecesOf(path, readTranscriptLine)];
    const spoken = pieces.flatMap((piece) => piece.prompts ?? []);
    const uses = new Map(pieces.flatMap((piece) => piece.uses.map((use) => [use.id, use] as const)));
    const passed = pieces.flatMap((piece) => piece.results.flatMap(({ id, failed }) => (failed ? [] : [id])));
    if (uses.size + spoken.length === 0) return undefined;
    const prompts = new Set(spoken.map(({ words }) => wordsMark(words)));
    const ends = pieces.flatMap((piece) => piece.ends ?? []);
    const breaks = spoken.flatMap(({ from, at }) => (from === "break" ? [at] : []));
    const verdicts = new Set(spoken.flatMap(verdictOf));
    return { uses, passed: new Set(passed), prompts, verdicts, ends, breaks };
  } catch (error) {
    // Not a regular file.
    void error;
    return undefined;
  }
}

function* piecesOf(path: string, readLine: NonNullable<typeof host.readTranscriptLine>): Generator<Transcript> {
  for (let from = { offset: 0, mark: "" }; ; ) {
    const piece = readTranscript(path, from, readLine, BYTES_MAX);
    yield piece;
    if (piece.cursor.whole || piece.cursor.offset <= from.offset) return;
    from = piece.cursor;
  }
}
