/** Makes a record small enough for one write: the longest texts are cut and marked with a digest of the whole. */

import type { JournalRecord, RecordBody } from "../../state/record.ts";
import type { Action } from "../../state/signed-action.ts";
import { sha256Hex } from "../digest.ts";
import { SIGNATURE_TO_COME, type Sign } from "../signature.ts";
import { isFault, type StoreFault } from "../store.ts";
import { faultOf } from "./errno.ts";
import { FRAME_BYTES, RECORD_BYTES_MAX } from "./line.ts";

type Loose = Readonly<Record<string, unknown>>;
type Shorten = (text: string) => string;

const JSON_BYTES_MAX = RECORD_BYTES_MAX - FRAME_BYTES;

/** A value with more parts cannot fit even with empty texts, so it is not walked. */
const PARTS_MAX = JSON_BYTES_MAX / 2;
const DEPTH_MAX = 100;

/** Length of the mark; a text is cut only if that makes it shorter. */
const MARK_CHARS = 48;

/** Fields that the fold needs. */
const ESSENTIAL = [
  "kind",
  "rid",
  "t",
  "event",
  "session",
  "decision",
  "call",
  "operation",
  "whole",
  "action",
  "changes",
  "moved",
  "sig",
  "unbound",
  "injected",
];

/** Records of parts aren't cut, because the part would fold the rest. They fit or are refused. */
const CUT_KINDS: ReadonlySet<string> = new Set<RecordBody["kind"]>([
  "verdict",
  "fault",
  "action",
  "undo",
  "context",
  "format",
  "commit",
]);

/** The least important first; each step runs only if the earlier ones were not enough. Changes are never cut. */
const STEPS: readonly ((record: Loose) => Loose)[] = [
  (record) => cutField(record, "input"),
  // The list of asked policies is long, and people look for the objections.
  (record) => without(record, "asked"),
  (record) => cutField(record, "objections"),
  (record) => ("input" in record ? { ...record, input: digestOf(record["input"]) } : record),
  (record) => without(record, "shape"),
  (record) => without(record, "cwd"),
  (record) => cutField(record, "message"),
  (record) => cutField(record, "detail"),
  (record) => ({ ...record, ...("objections" in record && { objections: withoutWords(record["objections"]) }) }),
  (record) => Object.fromEntries(Object.entries(record).filter(([key]) => ESSENTIAL.includes(key))),
  // A cut id differs from the original but is always the same: it ends in a digest of the whole.
  (record) => ["session", "event", "action"].reduce<Loose>((cut, field) => cutField(cut, field), record),
];

/** Deterministic and total; returns a record that fits unchanged. */
export function fitRecord(record: JournalRecord): JournalRecord | StoreFault {
  let fitted: Loose = { ...record };
  if (fits(fitted)) return record;
  for (const step of CUT_KINDS.has(record.kind) ? STEPS : []) {
    fitted = step(fitted);
    if (fits(fitted)) return fitted as unknown as JournalRecord;
  }
  return faultOf(
    "io",
    `A record is too large to be kept: ${jsonOf(fitted)?.length} characters without anything that could be cut.`,
  );
}

/** Signs the record as it will be stored, after it was made to fit together with the signature. */
export function signedRecord(
  record: JournalRecord,
  project: string,
  sign: Sign | undefined,
): JournalRecord | StoreFault {
  if (!sign || record.kind !== "action") return fitRecord(record);
  const { rid, t, ...body } = record;
  const fitted = fitRecord({ ...body, sig: SIGNATURE_TO_COME, rid, t });
  if (isFault(fitted)) return fitted;
  // As a reader will see it: without fields that JSON leaves out.
  const seen = JSON.parse(JSON.stringify(fitted)) as Action;
  return { ...seen, sig: sign(seen, project) };
}

/** Cuts the texts in a field to the greatest common length at which the record fits, or to nothing. */
function cutField(record: Loose, field: string): Loose {
  const value = record[field];
  if (value === undefined || !isModest(value)) return record;
  const digests = new Map<string, string>();
  const at = (chars: number): Loose => ({
    ...record,
    [field]: cutTexts(value, (text) => shortened(text, chars, digests)),
  });
  let low = 0;
  let high = JSON_BYTES_MAX;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(at(middle))) low = middle;
    else high = middle - 1;
  }
  return at(low);
}

function cutTexts(value: unknown, shorten: Shorten): unknown {
  if (typeof value === "string") return shorten(value);
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, shorten));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutTexts(item, shorten)]));
}

function shortened(text: string, chars: number, digests: Map<string, string>): string {
  if (text.length <= chars + MARK_CHARS) return text;
  const digest = digests.get(text) ?? sha256Hex(text).slice(0, 16);
  digests.set(text, digest);
  // Half a surrogate pair is not a character.
  const kept = text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}…[cut ${text.length - kept.length} chars, sha256 ${digest}]`;
}

function digestOf(value: unknown): Loose {
  const json = jsonOf(value);
  if (json === undefined) return { cut: null, sha256: null };
  return { cut: Buffer.byteLength(json), sha256: sha256Hex(json) };
}

/** Keeps which policies objected when there is no room for the reasons. */
function withoutWords(objections: unknown): unknown {
  if (!Array.isArray(objections)) return objections;
  return objections.map((objection: Loose) => ({ ...without(objection, "fault"), what: "", fix: "" }));
}

function without(record: Loose, field: string): Loose {
  const { [field]: _, ...rest } = record;
  return rest;
}

/** Whether a value has few enough parts to be walked; stops counting at the limit. */
function isModest(value: unknown): boolean {
  const open = [{ value, depth: 0 }];
  for (let parts = 0; ; parts++) {
    const next = open.pop();
    if (!next) return true;
    if (parts > PARTS_MAX || next.depth > DEPTH_MAX) return false;
    if (typeof next.value !== "object" || next.value === null) continue;
    const items = Object.values(next.value);
    if (items.length > PARTS_MAX) return false;
    for (const item of items) open.push({ value: item, depth: next.depth + 1 });
  }
}

function fits(record: Loose): boolean {
  const json = jsonOf(record);
  if (json === undefined || json.length > JSON_BYTES_MAX) return false;
  // No UTF-16 unit takes more than three bytes in UTF-8.
  return json.length * 3 <= JSON_BYTES_MAX || Buffer.byteLength(json) <= JSON_BYTES_MAX;
}

/** Undefined for values that are nested too deeply or circular. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
