/** The daemon proves its identity with a key that never leaves the state directory. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The daemon's description of itself; the proof covers every field. */
export interface Identity {
  readonly version: string;
  /** Hash of the policies it runs, to tell two builds of one version apart. */
  readonly build: string;
  readonly pid: number;
  readonly supervisor: number;
}

/** For a process that handles an event of this host: the keys by session. */
export interface Seen {
  readonly since: number;
  readonly of: Readonly<Record<string, readonly string[]>>;
}

export interface Proven extends Identity {
  /** Only if it was asked for. */
  readonly seen?: Seen;
  readonly proof: string;
}

export const NONCE = /^[0-9a-f]{32,64}$/;

export function proofOf(key: string, nonce: string, port: number, identity: Identity, seen?: Seen): string {
  const { version, build, pid, supervisor } = identity;
  const more = seen ? [JSON.stringify(seen)] : [];
  return createHmac("sha256", key)
    .update([nonce, port, version, build, pid, supervisor, ...more].join("\n"))
    .digest("base64url");
}

export function isProven(key: string, nonce: string, port: number, answer: unknown): answer is Proven {
  const { version, build, pid, supervisor, seen, proof } = (answer ?? {}) as Partial<Record<keyof Proven, unknown>>;
  if (typeof version !== "string" || typeof build !== "string" || typeof proof !== "string") return false;
  if (typeof pid !== "number" || typeof supervisor !== "number") return false;
  return same(proof, proofOf(key, nonce, port, { version, build, pid, supervisor }, seen as Seen | undefined));
}

/** Compares in constant time. */
export function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
