/** A body that doesn't fit into its record goes beside the journal, flushed before the record names it. See ADR 0052. */
import { maskText } from "../lib/secrets.ts";
import { clip } from "../lib/text.ts";
import type { MessageRecord } from "../state/inbox/records.ts";
import { keepBlob } from "../store/blobs/blobs.ts";
import { isFault } from "../store/store.ts";

const BODY_BYTES = 600;
const PREVIEW_CHARS = 160;

/** The record with the beginning of its body, and a function that keeps the text again once the record is there. */
export function withLongText(
  journal: string,
  record: MessageRecord,
): { readonly record: MessageRecord; readonly keepAgain: () => void } {
  const { body = "", blob } = record;
  if (blob || Buffer.byteLength(JSON.stringify(body)) <= BODY_BYTES) return { record, keepAgain: () => undefined };
  const keep = () => keepBlob(journal, body);
  const kept = keep();
  const short = { ...record, body: clip(maskText(body), PREVIEW_CHARS) };
  // A text that is too long for a blob, or a full disk: the beginning is better than nothing.
  return isFault(kept)
    ? { record: short, keepAgain: () => undefined }
    : { record: { ...short, blob: kept }, keepAgain: () => void keep() };
}
