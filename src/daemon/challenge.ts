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

export interface Proven extends Identity {
  readonly proof: string;
}

export const NONCE = /^[0-9a-f]{32,64}$/;

export function proofOf(key: string, nonce: string, port: number, identity: Identity): string {
  const { version, build, pid, supervisor } = identity;
  return createHmac("sha256", key)
    .update([nonce, port, version, build, pid, supervisor].join("\n"))
    .digest("base64url");
}

export function isProven(key: string, nonce: string, port: number, answer: unknown): answer is Proven {
  const { version, build, pid, supervisor, proof } = (answer ?? {}) as Partial<Record<keyof Proven, unknown>>;
  if (typeof version !== "string" || typeof build !== "string" || typeof proof !== "string") return false;
  if (typeof pid !== "number" || typeof supervisor !== "number") return false;
  return same(proof, proofOf(key, nonce, port, { version, build, pid, supervisor }));
}

/** Compares in constant time. */
export function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
