/** A journal file: its name, how it is opened, how its lines are read and how a line is appended. */
import { constants, openSync, readSync, writeSync } from "node:fs";
import { indexOfByte } from "../../lib/bytes.ts";
import { segmentName } from "./directory.ts";
import { persistently } from "./errno.ts";
import { decodeLine, type Entry } from "./line.ts";

export const FIRST_SEGMENT = 1;

const CHUNK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const NOTHING = Buffer.allocUnsafe(0);

export interface Line {
  /** Without line feeds. A view that is valid until the next line is read. */
  readonly bytes: Buffer;
  readonly start: number;
  /** Offset after its line feed. */
  readonly end: number;
}

export function segmentPath(directory: string, segment: number): string {
  return `${directory}/${segmentName(segment)}`;
}

/** Follows no link and never blocks on a pipe or device; only a plain file is a segment. */
export function openSegment(directory: string, segment: number, flags = constants.O_RDONLY): number {
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  return openSync(segmentPath(directory, segment), flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
}

/**
 * The complete lines between two offsets; a line across two chunks is read again from its start. A last line without a
 * line feed is not complete yet. Blank lines between records are skipped.
 */
export function* linesIn(fd: number, from: number, size: number): Generator<Line> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(CHUNK_BYTES, size - from)));
  let at = from;
  while (at < size) {
    const chunk = readAt(fd, buffer, at, size);
    let start = 0;
    for (let end = indexOfByte(chunk, LINE_FEED); end !== -1; end = indexOfByte(chunk, LINE_FEED, start)) {
      if (end > start) yield { bytes: chunk.subarray(start, end), start: at + start, end: at + end + 1 };
      start = end + 1;
    }
    if (start === 0) {
      if (chunk.length < CHUNK_BYTES) return;
      const end = lineFeedAfter(fd, buffer, at + chunk.length, size);
      if (end === undefined) return;
      // No record is as long as a chunk, so the line is damaged and its bytes are not needed.
      yield { bytes: NOTHING, start: at, end };
      start = end - at;
    }
    at += start;
  }
}

/** The records that count, up to and including the first `close`; damaged lines are `undefined`. */
export function* entriesIn(fd: number, size: number): Generator<Line & { readonly entry: Entry | undefined }> {
  for (const line of linesIn(fd, 0, size)) {
    const entry = decodeLine(line.bytes);
    yield { ...line, entry };
    if (entry?.kind === "close") return;
  }
}

/**
 * Appends bytes with one write and returns whether they are there. After a short write another record may follow, so
 * the whole is written again and never just the rest. If only the line feed is missing, the record is complete and
 * would count twice; then only a line feed is added.
 */
export function addTo(fd: number, bytes: Buffer): boolean {
  const written = write(fd, bytes);
  if (written === bytes.length) return true;
  if (written === bytes.length - 1) return write(fd, Buffer.of(LINE_FEED)) === 1;
  return write(fd, bytes) === bytes.length;
}

function write(fd: number, bytes: Buffer): number {
  return persistently(() => writeSync(fd, bytes));
}

function readAt(fd: number, buffer: Buffer, at: number, size: number): Buffer {
  const wanted = Math.min(buffer.length, size - at);
  return buffer.subarray(
    0,
    persistently(() => readSync(fd, buffer, 0, wanted, at)),
  );
}

function lineFeedAfter(fd: number, buffer: Buffer, from: number, size: number): number | undefined {
  for (let at = from; at < size; ) {
    const chunk = readAt(fd, buffer, at, size);
    if (chunk.length === 0) return undefined;
    const found = indexOfByte(chunk, LINE_FEED);
    if (found !== -1) return at + found + 1;
    at += chunk.length;
  }
  return undefined;
}
