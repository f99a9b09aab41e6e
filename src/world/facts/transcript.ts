/** Reads the new part of the host's transcript since the last read, in bounded pieces: the file is untrusted. */
import { existsSync, lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type HookEvent, narrator } from "../../kernel/event.ts";
import type {
  Transcript,
  TranscriptLine,
  TranscriptPrompt,
  TranscriptResult,
  TranscriptUse,
} from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { within } from "../../lib/paths.ts";
import { type Cursor, MAIN } from "../../state/session/coverage.ts";
import type { Session } from "../../state/session/session.ts";
import type { LookingHost } from "../host.ts";
import { bytesAt, withTranscriptFile } from "../machine/transcript-file.ts";

/** Given by the host, since only it knows how its lines are written and where. */
type ReadLine = (line: string) => TranscriptLine | undefined;
type TranscriptHost = Pick<LookingHost, "readTranscriptLine" | "transcriptOfAgent">;
/** Readings of this event that were made already. */
export type Readings = Readonly<Record<string, Transcript>>;

/** Limit per event; the rest is read at the next event. */
const BYTES_MAX = 4 * 1024 * 1024;
const MARK_BYTES = 64;
const LINE_FEED = 0x0a;

export function transcriptOf(
  event: HookEvent,
  session: Session | undefined,
  { readTranscriptLine }: TranscriptHost,
  readings: Readings = {},
): Transcript | null {
  if (!isTold(event) || readTranscriptLine === undefined) return null;
  const actor = narrator(event);
  if (actor !== MAIN) return readFor(actor, event.transcript, session, readTranscriptLine);
  return own(readings, MAIN) ?? readFor(MAIN, pathOf(event, session), session, readTranscriptLine);
}

function readFor(actor: string, path: string, session: Session | undefined, readLine: ReadLine): Transcript {
  const cursor = own(session?.coverage?.cursors ?? {}, actor);
  return readTranscript(path, cursor, (line) => {
    const told = readLine(line);
    return told && (actor !== MAIN || !told.aside) ? told : undefined;
  });
}

/**
 * The file that the host named when the session began: a later event may come from somebody else and name another. The
 * host itself moves the file only to another project's directory beside it.
 */
function pathOf(event: HookEvent, session: Session | undefined): string {
  const given = "transcript" in event && event.name !== "SubagentStop" ? event.transcript : "";
  const begun = session?.transcript;
  if (begun === undefined || given === begun) return given;
  const isMoved = basename(given) === basename(begun) && dirname(dirname(given)) === dirname(dirname(begun));
  return isMoved && !existsSync(begun) ? given : begun;
}

/** The transcripts in which changes that wait may be confirmed, from where the last reading ended. */
export function awaitedTranscripts(event: HookEvent, session: Session, host: TranscriptHost): Readings {
  const main = pathOf(event, session);
  if (event.name !== "Stop" && event.name !== "SubagentStop") return awaitedIn(main, session, host);
  const given = event.name === "SubagentStop" ? { path: event.transcript } : {};
  return awaitedIn(main, session, host, { actor: narrator(event), ...given });
}

/** `first` is read in any case, from the path that its event names. */
export function awaitedIn(
  main: string,
  session: Session,
  { readTranscriptLine, transcriptOfAgent }: TranscriptHost,
  first?: { readonly actor: string; readonly path?: string },
): Readings {
  if (readTranscriptLine === undefined || !main.startsWith("/")) return {};
  const awaited = (session.awaiting ?? []).map(({ awaits }) => awaits.agent ?? MAIN);
  const actors = [...new Set([...(first ? [first.actor] : []), ...awaited])].slice(0, AWAITED_MAX);
  const told = actors.flatMap((actor) => {
    const usual = actor === MAIN ? main : transcriptOfAgent?.(main, actor);
    if (usual === undefined) return [];
    // Some agents have a directory of their own; anywhere else the file could be the caller's.
    const named = first?.actor === actor ? (first.path ?? usual) : usual;
    const path = within(named, dirname(usual)) ? named : usual;
    return [[actor, readFor(actor, path, session, readTranscriptLine)] as const];
  });
  return Object.fromEntries(told);
}

const AWAITED_MAX = 4;

export function hasTranscript(event: HookEvent, session: Session | undefined): boolean {
  const path = pathOf(event, session);
  return path.startsWith("/") && lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** A stopped subagent sends no more events, so later events of the session read the rest of its transcript. */
export function lateTranscripts(
  event: HookEvent,
  session: Session | undefined,
  { readTranscriptLine, transcriptOfAgent }: TranscriptHost,
): Readonly<Record<string, Transcript>> {
  if (!isTold(event) || narrator(event) !== MAIN || readTranscriptLine === undefined) return {};
  const late: Record<string, Transcript> = {};
  for (const [actor, cursor] of Object.entries(session?.coverage?.cursors ?? {})) {
    if (actor === MAIN || Object.keys(late).length >= LATE_MAX) continue;
    const path = transcriptOfAgent?.(pathOf(event, session), actor);
    if (path !== undefined && hasGrown(path, cursor)) late[actor] = readTranscript(path, cursor, readTranscriptLine);
  }
  return late;
}

/** Limit per event, because everything found goes into one record. */
const LATE_MAX = 2;

/** A path that is no longer a regular file must not stop the others from being read. */
function hasGrown(path: string, { offset }: Cursor): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size > offset;
}

type Told = HookEvent<"Stop" | "SubagentStop" | "UserPromptSubmit">;

function isTold(event: HookEvent): event is Told {
  return "transcript" in event && event.transcript.startsWith("/");
}

/**
 * `from` is where the last read ended. Throws when the path is not a regular file: reading could block or lead
 * elsewhere.
 */
export function readTranscript(
  path: string,
  from: Pick<Cursor, "offset" | "mark"> | undefined,
  readLine: ReadLine,
  bytesMax = BYTES_MAX,
): Transcript {
  const read = withTranscriptFile(path, (fd, size): Transcript => {
    const joins = from !== undefined && from.offset <= size && markAt(fd, from.offset) === from.mark;
    // Without a cursor only the end matters: nothing older than the session is judged.
    const start = joins ? from.offset : Math.max(0, size - bytesMax);
    const bytes = bytesAt(fd, start, Math.min(size - start, bytesMax));
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    // A line longer than the limit is never read; the next piece starts inside it.
    const tooLong = end === 0 && bytes.length === bytesMax;
    const offset = start + (tooLong ? bytes.length : end);
    return {
      ...toldIn(bytes.subarray(0, end), readLine),
      cursor: { offset, mark: markAt(fd, offset), whole: start + bytes.length >= size },
      broken: tooLong || (!joins && (from !== undefined || start > 0)),
    };
  });
  return read ?? { uses: [], results: [], cursor: NOTHING, broken: (from?.offset ?? 0) > 0 };
}

const NOTHING = { offset: 0, mark: "", whole: true };

/** Most lines are irrelevant, and a substring search is cheaper than parsing. */
function toldIn(bytes: Buffer, readLine: ReadLine): Pick<Transcript, "uses" | "results" | "prompts" | "ends"> {
  const ends: number[] = [];
  const uses: TranscriptUse[] = [];
  const results: TranscriptResult[] = [];
  const prompts: TranscriptPrompt[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    const line = bytes.subarray(at, end);
    const told = WORDS.some((word) => line.includes(word)) ? readLine(line.toString("utf8")) : undefined;
    for (const use of told?.uses ?? []) uses.push(use);
    for (const result of told?.results ?? []) results.push(result);
    for (const prompt of told?.prompts ?? []) prompts.push(prompt);
    for (const end of told?.ends ?? []) ends.push(end);
    at = end + 1;
  }
  return { uses, results, prompts, ends };
}

/** One of them is in every line with a tool use, a result, a prompt or the end of a turn. */
const WORDS = ['"tool_', '"type":"user"', '"type":"assistant"', '"queued_command"', '"stop_hook_summary"'].map((word) =>
  Buffer.from(word),
);

/** FNV-1a over the bytes before an offset: enough to notice that the file was rewritten. */
function markAt(fd: number, offset: number): string {
  const length = Math.min(offset, MARK_BYTES);
  let sum = 0x811c9dc5;
  for (const byte of bytesAt(fd, offset - length, length)) sum = Math.imul(sum ^ byte, 0x01000193);
  return length === 0 ? "" : (sum >>> 0).toString(36);
}
