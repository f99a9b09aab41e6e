/** SHA-256, loaded only for sealing or cutting, because `node:crypto` costs a process 4 to 7 ms. */
import type * as Crypto from "node:crypto";
import { builtin } from "./builtin.ts";

interface Digest {
  update(data: Uint8Array | string): void;
  hex(): string;
}

export function sha256Hex(data: Uint8Array | string): string {
  return crypto().createHash("sha256").update(data).digest("hex");
}

/** For data in several pieces. */
export function sha256(): Digest {
  const hash = crypto().createHash("sha256");
  return { update: (data) => void hash.update(data), hex: () => hash.digest("hex") };
}

function crypto(): typeof Crypto {
  return builtin<typeof Crypto>("node:crypto");
}
