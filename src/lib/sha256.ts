/**
 * SHA-256 of short texts. Loading `node:crypto` would cost a hook 4 to 7 ms. Written for a process that hashes once or
 * twice: no calls in the loops, and numbers of 32 bits with a sign, which V8 need not allocate.
 */
import { writeUtf8 } from "./bytes.ts";

/** Twenty-four bytes of it, in hex: nobody finds a second text with the same mark. */
export function markOf(text: string): string {
  return native ? native(text).slice(0, MARK_CHARS) : ownMark(text);
}

const MARK_CHARS = 48;
let native: ((text: string) => string) | undefined;

/** A process that lasts hashes with `node:crypto`. `hex` is SHA-256. */
export function hashWith(hex: (text: string) => string): void {
  native = hex;
}

function ownMark(text: string): string {
  const bytes = new Uint8Array(roomFor(text.length * BYTES_PER_UNIT));
  const length = writeUtf8(bytes, text, 0);
  const end = roomFor(length);
  // After the text a bit that is set, then zeros, then the length in bits.
  bytes[length] = 0x80;
  for (let at = 1; at <= 4; at++) bytes[end - at] = (length * 8) >>> (at * 8 - 8);
  const hash = [...START];
  const words = new Int32Array(64);
  for (let at = 0; at < end; at += 64) mix(hash, words, bytes, at);
  let mark = "";
  for (let at = 0; at < 6; at++) mark += (0x100000000 + ((hash[at] as number) >>> 0)).toString(16).slice(1);
  return mark;
}

/** No UTF-16 unit takes more in UTF-8. */
const BYTES_PER_UNIT = 3;

/** In whole blocks. */
function roomFor(length: number): number {
  return ((length + 72) >> 6) << 6;
}

function mix(hash: number[], words: Int32Array, bytes: Uint8Array, from: number): void {
  for (let i = 0, at = from; i < 16; i++, at += 4)
    words[i] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number);
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = ((words[i - 16] as number) + low + (words[i - 7] as number) + high) | 0;
  }
  let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const one =
      (h +
        (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) +
        ((e & f) ^ (~e & g)) +
        (ROUNDS[i] as number) +
        (words[i] as number)) |
      0;
    const two =
      ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) +
        ((a & b) ^ (a & c) ^ (b & c))) |
      0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) hash[i] = ((hash[i] as number) + (mixed[i] as number)) | 0;
}

/** The fractions of the square and cube roots of the first primes, as the standard defines them. */
const START: readonly number[] = [
  1779033703, -1150833019, 1013904242, -1521486534, 1359893119, -1694144372, 528734635, 1541459225,
];
// biome-ignore format: a table of numbers
const ROUNDS: readonly number[] = [
  1116352408, 1899447441, -1245643825, -373957723, 961987163, 1508970993, -1841331548, -1424204075,
  -670586216, 310598401, 607225278, 1426881987, 1925078388, -2132889090, -1680079193, -1046744716,
  -459576895, -272742522, 264347078, 604807628, 770255983, 1249150122, 1555081692, 1996064986,
  -1740746414, -1473132947, -1341970488, -1084653625, -958395405, -710438585, 113926993, 338241895,
  666307205, 773529912, 1294757372, 1396182291, 1695183700, 1986661051, -2117940946, -1838011259,
  -1564481375, -1474664885, -1035236496, -949202525, -778901479, -694614492, -200395387, 275423344,
  430227734, 506948616, 659060556, 883997877, 958139571, 1322822218, 1537002063, 1747873779,
  1955562222, 2024104815, -2067236844, -1933114872, -1866530822, -1538233109, -1090935817, -965641998,
];
