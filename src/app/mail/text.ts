/** Texts of messages and tasks: inside the record while they are short, else beside the journal. */
import { maskText } from "../../lib/secrets.ts";
import { clip } from "../../lib/text.ts";
import type { QueueDocument } from "../../state/inbox/queue.ts";
import type { BlobRef } from "../../state/inbox/records.ts";
import type { Letter } from "../../state/letters/part.ts";
import { keepBlob, readBlob } from "../../store/blobs/blobs.ts";
import { orFail } from "../project.ts";
import { INLINE_BYTES } from "./parcel.ts";

const PREVIEW_CHARS = 160;

export interface KeptText {
  readonly body?: string;
  readonly blob?: BlobRef;
}

/** Flushes a long text before it is named. */
export function keptText(journal: string, text: string): KeptText {
  if (text === "") return {};
  const masked = maskText(text);
  if (fits(masked)) return { body: masked };
  return { body: clip(masked, PREVIEW_CHARS), blob: orFail(keepBlob(journal, text)) };
}

/** Whether a text needs no file. */
export function isInline(text: string): boolean {
  return fits(maskText(text));
}

function fits(masked: string): boolean {
  return Buffer.byteLength(JSON.stringify(masked)) <= INLINE_BYTES;
}

/** The entry of an imported message, as it stands in its file. */
function importedText(journal: string, { origin, data }: Pick<Letter, "origin" | "data">): string | undefined {
  const json = origin && data && readBlob(journal, data);
  if (json === undefined || !origin) return undefined;
  const { entries } = JSON.parse(json) as QueueDocument;
  const entry = entries.find(({ key, index }) => key === origin.key && index === origin.index);
  return entry && JSON.stringify(entry.fields, null, 2);
}

/** The whole text. A text that is gone is said to be gone, and what the record has of it is shown. */
export function wholeText(journal: string, kept: KeptText & Pick<Letter, "origin" | "data">): string {
  const { body = "", blob } = kept;
  if (!blob) return importedText(journal, kept) ?? body;
  return readBlob(journal, blob) ?? `${body}\n[the rest of ${blob.bytes} bytes is missing or damaged]`;
}
