/**
 * A 32-bit checksum for a process that has just started and has compiled nothing yet: it reads whole words and uses
 * only operations that the interpreter runs fast. CRC-32 works byte by byte (15 times slower here), and loading the
 * native one costs 2 to 5 ms, half of a hook's budget.
 *
 * It detects torn writes and disk errors: every step is reversible, so a change within one word is always found, and
 * any other change is missed once in four billion. It does not protect against forgery; the seals do.
 */
export function checksum(bytes: Uint8Array): number {
  const words = wordsOf(bytes);
  const count = (bytes.length + 3) >>> 2;
  let sum = bytes.length | 0;
  for (let at = 0; at < count; at++) {
    sum = ((sum << 5) | (sum >>> 27)) ^ (words[at] as number);
    sum = (sum + (sum << 3)) | 0;
  }
  sum ^= sum >>> 15;
  sum = Math.imul(sum, 0x85eb_ca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}

/** Room for one record; a snapshot is copied separately. */
const SCRATCH_BYTES = 2048;
const scratch = new Uint8Array(SCRATCH_BYTES);
const scratchWords = new Uint32Array(scratch.buffer);

/** The bytes aligned to words, padded with zeros. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.length > SCRATCH_BYTES) {
    const copy = new Uint8Array((bytes.length + 3) & ~3);
    copy.set(bytes);
    return new Uint32Array(copy.buffer);
  }
  scratch.set(bytes);
  scratch.fill(0, bytes.length, (bytes.length + 3) & ~3);
  return scratchWords;
}
