/** Looks into a file for secrets: piece by piece, so that a large one costs no more memory than a small one. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { holdsKey } from "../../lib/secrets.ts";

const PIECE_BYTES = 1024 * 1024;
/** A secret may lie across the end of a piece. */
const OVERLAP_BYTES = 8 * 1024;

/** Of the first `max` bytes. False for everything but a readable regular file. */
export function contentHoldsKey(path: string | Buffer, max: number): boolean {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return false;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && piecesHoldKey(fd, Math.min(stat.size, max));
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}

function piecesHoldKey(fd: number, size: number): boolean {
  const bytes = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size));
  for (let at = 0; at < size; at += PIECE_BYTES - OVERLAP_BYTES) {
    const length = readSync(fd, bytes, 0, bytes.length, at);
    if (length === 0) return false;
    if (holdsKey(bytes.toString("latin1", 0, length))) return true;
    if (at + length >= size) return false;
  }
  return false;
}
