/** What is new in the host's transcript since it was last read: a bounded piece of a file that anybody may have written. */
import { lstatSync } from "node:fs";
import { type HookEvent, narrator } from "../kernel/event.ts";
import type { Transcript, TranscriptLine, TranscriptResult, TranscriptUse } from "../kernel/facts.ts";
import { type Cursor, MAIN } from "../state/coverage.ts";
import { own } from "../state/keyed.ts";
import type { Session } from "../state/session.ts";
import { bytesAt, withTranscriptFile } from "./transcript-file.ts";

/** How the host writes a line, and where: given by the host, since only it knows its own format. */
type ReadLine = (line: string) => TranscriptLine | undefined;
export interface TranscriptHost {
  readonly readTranscriptLine?: ReadLine;
  readonly transcriptOfAgent?: (transcript: string, agent: string) => string | undefined;
}

/** At one event. What is left is read at the next. */
const BYTES_MAX = 4 * 1024 * 1024;
const MARK_BYTES = 64;
const LINE_FEED = 0x0a;

export function transcriptOf(
  event: HookEvent,
  session: Session | undefined,
  { readTranscriptLine }: TranscriptHost = {},
): Transcript | null {
  if (!isTold(event) || readTranscriptLine === undefined) return null;
  const actor = narrator(event);
  const cursor = own(session?.coverage?.cursors ?? {}, actor);
  return readTranscript(event.transcript, cursor, (line) => {
    const told = readTranscriptLine(line);
    return told && (actor !== MAIN || !told.aside) ? told : undefined;
  });
}

/** A subagent that has stopped has no event of its own any more: the session's next ones look after what it left. */
export function lateTranscripts(
  event: HookEvent,
  session: Session | undefined,
  { readTranscriptLine, transcriptOfAgent }: TranscriptHost = {},
): Readonly<Record<string, Transcript>> {
  if (!isTold(event) || narrator(event) !== MAIN || readTranscriptLine === undefined) return {};
  const late: Record<string, Transcript> = {};
  for (const [actor, cursor] of Object.entries(session?.coverage?.cursors ?? {})) {
    if (actor === MAIN || Object.keys(late).length >= LATE_MAX) continue;
    const path = transcriptOfAgent?.(event.transcript, actor);
    if (path !== undefined && hasGrown(path, cursor)) late[actor] = readTranscript(path, cursor, readTranscriptLine);
  }
  return late;
}

/** At one event: what is found goes into one record. */
const LATE_MAX = 2;

/** What is no plain file any more was one when it was read: it must not keep us from reading the others. */
function hasGrown(path: string, { offset }: Cursor): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size > offset;
}

type Told = HookEvent<"Stop" | "SubagentStop" | "UserPromptSubmit">;

function isTold(event: HookEvent): event is Told {
  return "transcript" in event && event.transcript.startsWith("/");
}

/** `from` is where an earlier reading ended. Throws for what is no plain file: it would hold us, or lead elsewhere. */
export function readTranscript(
  path: string,
  from: Pick<Cursor, "offset" | "mark"> | undefined,
  readLine: ReadLine,
  bytesMax = BYTES_MAX,
): Transcript {
  const read = withTranscriptFile(path, (fd, size): Transcript => {
    const joins = from !== undefined && from.offset <= size && markAt(fd, from.offset) === from.mark;
    // Without a place to begin, only the end matters: nothing older than the session is judged.
    const start = joins ? from.offset : Math.max(0, size - bytesMax);
    const bytes = bytesAt(fd, start, Math.min(size - start, bytesMax));
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    // A single line that fills the whole piece will never be read; the next piece begins in its middle.
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

/** Most lines are about something else, and looking for a word is cheaper than parsing. */
function toldIn(bytes: Buffer, readLine: ReadLine): Pick<Transcript, "uses" | "results"> {
  const uses: TranscriptUse[] = [];
  const results: TranscriptResult[] = [];
  for (let at = bytes.indexOf(WORD); at >= 0; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    const told = readLine(bytes.toString("utf8", bytes.lastIndexOf(LINE_FEED, at) + 1, end));
    for (const use of told?.uses ?? []) uses.push(use);
    for (const result of told?.results ?? []) results.push(result);
    at = bytes.indexOf(WORD, end);
  }
  return { uses, results };
}

/** Of `"tool_use"` and of `"tool_result"`. */
const WORD = Buffer.from('"tool_');

/** FNV-1a over the bytes before a place: enough to see that they are not the ones that were there. */
function markAt(fd: number, offset: number): string {
  const length = Math.min(offset, MARK_BYTES);
  let sum = 0x811c9dc5;
  for (const byte of bytesAt(fd, offset - length, length)) sum = Math.imul(sum ^ byte, 0x01000193);
  return length === 0 ? "" : (sum >>> 0).toString(36);
}
