/**
 * Texts that are too long for a record, each in a file named by its SHA-256. A blob is written and flushed before the record
 * that names it, so a record never names a blob that a power cut could take. See ADR 0052.
 */
import { constants, fsyncSync, mkdirSync, readSync, renameSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { maskText } from "../../lib/secrets.ts";
import { sha256Hex } from "../digest.ts";
import { syncDirectory } from "../journal/directory.ts";
import { discard } from "../journal/discard.ts";
import { faultOf, guarded, ifThere } from "../journal/errno.ts";
import { withFile } from "../journal/file.ts";
import { newRid } from "../journal/rid.ts";
import type { StoreFault } from "../store.ts";

/** How a record names a blob. */
export interface BlobName {
  readonly sha256: string;
  readonly bytes: number;
}

/** A larger text is refused; nobody writes a longer message by hand or by mistake. */
export const BLOB_BYTES_MAX = 16 * 1024 * 1024;

export const UNFINISHED = "new.";

const HASH = /^[0-9a-f]{64}$/;

export function blobsIn(journal: string): string {
  return join(journal, "blobs");
}

interface Keeping {
  /** JSON is masked by value before, because masking its text could break it. */
  readonly isMasked?: boolean;
  /** Otherwise a power cut may take it, and readers find it missing. */
  readonly isFlushed?: boolean;
}

/** Masks the text like a record, stores it and returns its name. A text that is there already is not written again. */
export function keepBlob(
  journal: string,
  text: string,
  { isMasked = false, isFlushed = true }: Keeping = {},
): BlobName | StoreFault {
  const bytes = Buffer.from(isMasked ? text : maskText(text));
  if (bytes.length > BLOB_BYTES_MAX) {
    return faultOf("io", `A text of ${bytes.length} bytes is too long to be kept; ${BLOB_BYTES_MAX} is the limit.`);
  }
  const name = { sha256: sha256Hex(bytes), bytes: bytes.length };
  return guarded(journal, () => {
    const path = pathOf(journal, name.sha256);
    if (!isFlushed && isWrittenQuickly(path, bytes)) return name;
    // A file that is damaged or cut is written again; one that is there is made young, so that nobody collects it.
    if (readAt(path, name) === undefined) write(journal, path, bytes);
    else utimesSync(path, new Date(), new Date());
    return name;
  });
}

/** Under its own name at once: readers check what they read. False if a file is there. */
function isWrittenQuickly(path: string, bytes: Buffer): boolean {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const put = (): boolean => {
    withFile(path, flags, (fd) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    });
    return true;
  };
  try {
    const isThere = ifThere(put);
    if (isThere) return true;
    // The first of its shelf.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return put();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The whole text, or undefined if it is gone, damaged or longer than `max`. */
export function readBlob(journal: string, name: BlobName, max = BLOB_BYTES_MAX): string | undefined {
  if (!HASH.test(name.sha256) || !(name.bytes >= 0 && name.bytes <= max)) return undefined;
  return readAt(pathOf(journal, name.sha256), name)?.toString();
}

function pathOf(journal: string, sha256: string): string {
  return join(blobsIn(journal), sha256.slice(0, 2), sha256);
}

function readAt(path: string, { sha256, bytes }: BlobName): Buffer | undefined {
  return ifThere(() =>
    withFile(path, constants.O_RDONLY, (fd) => {
      // One byte more than expected, so that a file that grew is noticed.
      const read = Buffer.alloc(bytes + 1);
      const length = filled(fd, read);
      const found = read.subarray(0, length);
      return length === bytes && sha256Hex(found) === sha256 ? found : undefined;
    }),
  );
}

/** Complete under another name first: whoever kills the writer leaves nothing that a reader could take for the blob. */
function write(journal: string, path: string, bytes: Buffer): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `${UNFINISHED}${newRid()}`);
  try {
    withFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    });
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
  // A killed writer may have made the directories and flushed none of them.
  for (const name of [directory, blobsIn(journal), journal]) syncDirectory(name);
}

function filled(fd: number, bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const count = readSync(fd, bytes, at, bytes.length - at, at);
    if (count === 0) break;
    at += count;
  }
  return at;
}
