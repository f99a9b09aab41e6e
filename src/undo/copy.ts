/** Reads one file once and never through a link; it is hashed while copied, so that the digest fits the copy. */
import { createHash, type Hash } from "node:crypto";
import { constants, fstatSync, readSync, type Stats, writeSync } from "node:fs";
import { withFile } from "../store/journal/file.ts";
import { raw } from "./bytes.ts";

export interface Read {
  readonly sha256: string;
  /** The name git gives to the content. */
  readonly blob: string;
  readonly size: number;
  /** The file changed while it was read. */
  readonly changed: boolean;
}

const CHUNK_BYTES = 256 * 1024;

/** Throws file system errors. `expected` is the file found before; any other file is not read. */
export function readThrough(path: string, expected: Stats, hashName: "sha1" | "sha256", to?: string): Read {
  return withFile(raw(path), constants.O_RDONLY, (fd) => {
    const before = fstatSync(fd);
    if (!before.isFile() || before.ino !== expected.ino || before.dev !== expected.dev) {
      throw new Error("it is another file than a moment ago");
    }
    const [sha256, blob] = [createHash("sha256"), createHash(hashName).update(`blob ${before.size}\0`)];
    const copied = to === undefined ? pump(fd, before.size, [sha256, blob]) : copyTo(to, fd, before.size, sha256, blob);
    const after = fstatSync(fd);
    const changed = copied !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs;
    return { sha256: sha256.digest("hex"), blob: blob.digest("hex"), size: copied, changed };
  });
}

function copyTo(to: string, from: number, size: number, ...hashes: readonly Hash[]): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  return withFile(to, flags, (fd) => pump(from, size, hashes, fd));
}

/** Reads at most the initial size, because a growing file might never end. */
function pump(from: number, size: number, hashes: readonly Hash[], to?: number): number {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
  let done = 0;
  while (done < size) {
    const read = readSync(from, buffer, 0, Math.min(buffer.length, size - done), null);
    if (read === 0) break;
    const piece = buffer.subarray(0, read);
    for (const hash of hashes) hash.update(piece);
    if (to !== undefined) writeAll(to, piece);
    done += read;
  }
  return done;
}

export function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
