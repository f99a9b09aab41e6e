/**
 * Seals: `seal(N) = sha256(seal(N−1) ‖ bytes of N up to and including its close)`, in hex, so that anyone can recompute
 * it: `(printf %s "$previous"; head -c "$end" journal.N.jsonl) | sha256sum`.
 */
import { constants, fstatSync, readSync } from "node:fs";
import { sha256 } from "../digest.ts";
import { ifThere, persistently } from "./errno.ts";
import { withFile } from "./file.ts";
import { entriesIn, segmentPath } from "./segment.ts";

const CHUNK_BYTES = 256 * 1024;

/** The seal of a segment, or undefined if the segment is missing or has no end. */
export function sealOf(directory: string, segment: number, previous: string, knownEnd?: number): string | undefined {
  return ifThere(() =>
    withFile(segmentPath(directory, segment), constants.O_RDONLY, (fd) => {
      const end = knownEnd ?? endOf(fd);
      return end === undefined ? undefined : sealBytes(fd, end, previous);
    }),
  );
}

/** Offset after the `close` that ends the segment. */
function endOf(fd: number): number | undefined {
  for (const { entry, end } of entriesIn(fd, fstatSync(fd).size)) if (entry?.kind === "close") return end;
  return undefined;
}

function sealBytes(fd: number, end: number, previous: string): string | undefined {
  const digest = sha256();
  digest.update(previous);
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end));
  for (let at = 0; at < end; ) {
    const wanted = Math.min(buffer.length, end - at);
    const got = persistently(() => readSync(fd, buffer, 0, wanted, at));
    if (got === 0) return undefined;
    digest.update(buffer.subarray(0, got));
    at += got;
  }
  return digest.hex();
}
