/** SHA-256 of short texts. Loading `node:crypto` would cost a hook 4 to 7 ms; this costs 1 to 2 up to 1,000 characters. */

/** Twenty-four bytes of it, in hex: nobody finds a second text with the same mark. */
export function markOf(text: string): string {
  const hash = new Uint32Array(START);
  const blocks = padded(Buffer.from(text, "utf8"));
  const words = new Uint32Array(64);
  for (let at = 0; at < blocks.length; at += 64) mix(hash, words, blocks, at);
  return [...hash.subarray(0, 6)].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Buffer): Buffer {
  const blocks = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(blocks);
  blocks[bytes.length] = 0x80;
  blocks.writeUInt32BE(Math.floor(bytes.length / 0x20000000), blocks.length - 8);
  blocks.writeUInt32BE((bytes.length << 3) >>> 0, blocks.length - 4);
  return blocks;
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function mix(hash: Uint32Array, words: Uint32Array, blocks: Buffer, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = blocks.readUInt32BE(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] ?? 0;
    const y = words[i - 2] ?? 0;
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = (words[i - 16] ?? 0) + low + (words[i - 7] ?? 0) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUNDS[i] ?? 0) + (words[i] ?? 0)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] ?? 0) + word;
}

const PRIMES: readonly number[] = firstPrimes(64);
/** The fractions of the square and cube roots of the first primes, as the standard defines them. */
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 0x100000000) >>> 0;
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let one = 2; primes.length < count; one++) if (primes.every((prime) => one % prime !== 0)) primes.push(one);
  return primes;
}
