/** Encodes a record as bytes: a new line, a checksum, the JSON. */

import { latin1, utf8, writeLatin1, writeUtf8 } from "../../lib/bytes.ts";
import type { JournalRecord, Stamp } from "../../state/record.ts";
import { checksum } from "./checksum.ts";

/** Small writes are not torn: none in 702,000 up to 600 bytes, but 2 in 57,000 beyond 3 KB when writers are killed. */
export const RECORD_BYTES_MAX = 2048;

/** Line feed, eight hex digits and a space before the JSON, a line feed after it. */
export const FRAME_BYTES = 11;

const CHECK_BYTES = 9;
const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** The journal's own records, for order and integrity; no reducer sees them. */
export type InternalBody =
  /** Ends its segment; anything after it in the same file is void. */
  | { readonly kind: "close"; readonly next: number }
  | { readonly kind: "seal"; readonly of: number; readonly hash: string; readonly prev: string }
  | { readonly kind: "prune"; readonly segment: number; readonly seal: string };

export type Entry = JournalRecord | (InternalBody & Stamp);

/** Starts with its own line feed, so that a partial line of a killed writer damages only itself. */
export function encodeLine(entry: Entry): Buffer {
  return checked(JSON.stringify(entry), "\n");
}

/** A text with its checksum in front and a line feed at the end. */
export function checked(json: string, before = ""): Buffer {
  const start = before.length + CHECK_BYTES;
  // No UTF-16 unit takes more than three bytes in UTF-8.
  const bytes = Buffer.allocUnsafe(start + json.length * 3 + 1);
  const end = start + writeUtf8(bytes, json, start);
  writeLatin1(bytes, `${before}${sumOf(bytes.subarray(start, end))} `, 0);
  bytes[end] = LINE_FEED;
  return bytes.subarray(0, end + 1);
}

function sumOf(bytes: Buffer): string {
  return checksum(bytes)
    .toString(16)
    .padStart(CHECK_BYTES - 1, "0");
}

/** The record on a line (given without line feeds), or undefined if the line is damaged. */
export function decodeLine(bytes: Buffer): Entry | undefined {
  if (bytes.length > RECORD_BYTES_MAX) return undefined;
  const value = decodeChecked(bytes);
  return isEntry(value) ? value : undefined;
}

/**
 * Like `decodeLine`, but for a kind that isn't wanted it returns only kind, id and time, which it finds at both ends of the
 * line without parsing the JSON. The checksum is still checked: all readers must count the same damaged lines.
 */
export function decodeWanted(bytes: Buffer, wanted: ReadonlySet<string>): Entry | undefined {
  const kind = kindOf(bytes);
  const passed = kind === undefined || wanted.has(kind) ? undefined : passOver(bytes, kind);
  return passed ?? decodeLine(bytes);
}

const KIND_CHARS_MAX = 32;
const BEFORE_KIND = '{"kind":"';

/** The kind, if the JSON begins with it, as in every line we write. Doesn't check the checksum. */
export function kindOf(bytes: Buffer): string | undefined {
  if (bytes.length <= CHECK_BYTES) return undefined;
  const head = latin1(bytes, CHECK_BYTES, Math.min(bytes.length, CHECK_BYTES + BEFORE_KIND.length + KIND_CHARS_MAX));
  if (!head.startsWith(BEFORE_KIND)) return undefined;
  const end = head.indexOf('"', BEFORE_KIND.length);
  return end === -1 ? undefined : head.slice(BEFORE_KIND.length, end);
}

/** We write id and time last. A single closing brace after them closes the record, not an object inside it. */
const STAMP = /,"rid":"([a-z0-9]{1,20})","t":(\d{1,15})\}$/;
const STAMP_CHARS_MAX = 50;

function passOver(bytes: Buffer, kind: string): Entry | undefined {
  if (bytes.length > RECORD_BYTES_MAX) return undefined;
  const [, rid, t] = STAMP.exec(latin1(bytes, Math.max(0, bytes.length - STAMP_CHARS_MAX), bytes.length)) ?? [];
  if (rid === undefined || !isWhole(bytes)) return undefined;
  return { kind, rid, t: Number(t) } as Entry;
}

/** The JSON after a valid checksum, or undefined. */
export function decodeChecked(bytes: Buffer): unknown {
  if (!isWhole(bytes)) return undefined;
  try {
    return JSON.parse(utf8(bytes, CHECK_BYTES));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isWhole(bytes: Buffer): boolean {
  if (bytes.length <= CHECK_BYTES || bytes[CHECK_BYTES - 1] !== SPACE) return false;
  return sumOf(bytes.subarray(CHECK_BYTES)) === latin1(bytes, 0, CHECK_BYTES - 1);
}

export function isInternal(entry: Entry): entry is InternalBody & Stamp {
  return entry.kind === "close" || entry.kind === "seal" || entry.kind === "prune";
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Readonly<Record<string, unknown>>;
  if (typeof entry["kind"] !== "string" || typeof entry["rid"] !== "string" || typeof entry["t"] !== "number") {
    return false;
  }
  switch (entry["kind"]) {
    case "close":
      return typeof entry["next"] === "number";
    case "seal":
      return typeof entry["of"] === "number" && typeof entry["hash"] === "string" && typeof entry["prev"] === "string";
    case "prune":
      return typeof entry["segment"] === "number" && typeof entry["seal"] === "string";
    default:
      return true;
  }
}
