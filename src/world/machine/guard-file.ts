/** A guard's file: where it lies, and the digest by which a person trusts it. */
import { readPlain } from "../../disk/plain-file.ts";

export const GUARD_DIRECTORY = ".sekisho/guards";

/** Larger than any script. */
const BYTES_MAX = 1024 * 1024;

export function guardPath(project: string, name: string): string {
  return `${project}/${GUARD_DIRECTORY}/${name}`;
}

/** Undefined when there is no regular file of that name, or it is too large. */
export function guardDigest(path: string, digest: (text: string) => string): string | undefined {
  const file = readPlain(path, BYTES_MAX);
  // As Latin-1, every byte is one character: no two files give the same text.
  return file && "bytes" in file && !file.cut ? digest(file.bytes.toString("latin1")) : undefined;
}
