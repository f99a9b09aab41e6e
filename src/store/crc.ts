/** CRC-32 (the one of zlib and PNG), for a hook that has a few lines to check and for one that has thousands. */
import { builtin } from "./builtin.ts";

type Crc32 = (bytes: Uint8Array) => number;

/** Loading `node:zlib` costs 2.3 ms, as much as checking this many bytes in a program that has just started. */
const NATIVE_BEYOND_BYTES = 12 * 1024;

let table: Int32Array | undefined;
let seenBytes = 0;
let large: Crc32 | undefined;

export function crc32(bytes: Uint8Array): number {
  seenBytes += bytes.length;
  if (seenBytes <= NATIVE_BEYOND_BYTES) return plainCrc32(bytes);
  large ??= nativeCrc32() ?? plainCrc32;
  return large(bytes);
}

export function plainCrc32(bytes: Uint8Array): number {
  table ??= buildTable();
  let crc = -1;
  for (let index = 0; index < bytes.length; index++) {
    crc = (table[(crc ^ (bytes[index] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** Node has it since 20.15. */
function nativeCrc32(): Crc32 | undefined {
  return builtin<{ readonly crc32?: Crc32 }>("node:zlib").crc32;
}

function buildTable(): Int32Array {
  const built = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    built[byte] = crc;
  }
  return built;
}
