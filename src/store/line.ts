/** One record as bytes: a fresh line, a checksum, the JSON. */

import { latin1, utf8, writeLatin1, writeUtf8 } from "../kernel/bytes.ts";
import type { JournalRecord, Stamp } from "../state/record.ts";
import { checksum } from "./checksum.ts";

/** Small writes are not torn: none in 702,000 up to 600 bytes, but 2 in 57,000 beyond 3 KB when writers are killed. */
export const RECORD_BYTES_MAX = 2048;

/** Line feed, eight hex digits and a space before the JSON, a line feed after it. */
export const FRAME_BYTES = 11;

const CHECK_BYTES = 9;
const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** The journal's own records: they order and vouch for the others, and no reducer sees them. */
export type InternalBody =
  /** Ends its segment: whatever follows in the same file is void. */
  | { readonly kind: "close"; readonly next: number }
  | { readonly kind: "seal"; readonly of: number; readonly hash: string; readonly prev: string }
  | { readonly kind: "prune"; readonly segment: number; readonly seal: string };

export type Entry = JournalRecord | (InternalBody & Stamp);

/** It begins with a line feed of its own, so a half line left by a killed writer spoils nothing but itself. */
export function encodeLine(entry: Entry): Buffer {
  return checked(JSON.stringify(entry), "\n");
}

/** A text behind its checksum, with a line feed at the end. */
export function checked(json: string, before = ""): Buffer {
  const start = before.length + CHECK_BYTES;
  // No letter takes more than three bytes.
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

/** The record on a line (given without its line feeds), or nothing if the line is damaged. */
export function decodeLine(bytes: Buffer): Entry | undefined {
  if (bytes.length > RECORD_BYTES_MAX) return undefined;
  const value = decodeChecked(bytes);
  return isEntry(value) ? value : undefined;
}

/** The JSON after a checksum that holds, or nothing. */
export function decodeChecked(bytes: Buffer): unknown {
  if (bytes.length <= CHECK_BYTES || bytes[CHECK_BYTES - 1] !== SPACE) return undefined;
  if (sumOf(bytes.subarray(CHECK_BYTES)) !== latin1(bytes, 0, CHECK_BYTES - 1)) return undefined;
  try {
    return JSON.parse(utf8(bytes, CHECK_BYTES));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
