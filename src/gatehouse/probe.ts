/** Is the gatehouse there, and is it ours? Asked with a nonce, so that nobody can have learnt the answer before. */
import { randomBytes } from "node:crypto";
import { readDoor, readKey } from "../store/door.ts";
import { type Environment, stateRoot } from "../world/places.ts";
import { ask } from "./ask.ts";
import { isProven, type Proven } from "./challenge.ts";

declare const __VERSION__: string;
declare const __BUILD__: string;

export interface Probe {
  /** `none`: there is no door, so nobody can be behind it. */
  readonly state: "none" | "up" | "down" | "stranger" | "other-version";
  readonly detail: string;
  readonly port?: number;
  readonly pid?: number;
  readonly supervisor?: number;
  readonly version?: string;
  readonly ms?: number;
  /** Nobody holds the port, as against somebody who holds it and is silent. */
  readonly isVacant?: true;
}

const TIMEOUT_MS = 1500;

export async function probeGatehouse(env: Environment, options: { readonly timeoutMs?: number } = {}): Promise<Probe> {
  const [door, key] = [readDoor(stateRoot(env)), readKey(stateRoot(env))];
  if (!door || key === undefined) return { state: "none", detail: "no gatehouse was ever set up for this user" };
  const { port } = door;
  const nonce = randomBytes(16).toString("hex");
  const started = performance.now();
  const answer = await ask({ port, path: `/challenge/${nonce}`, timeoutMs: options.timeoutMs ?? TIMEOUT_MS });
  const ms = Math.round((performance.now() - started) * 10) / 10;
  if ("silent" in answer) {
    const { silent, isVacant } = answer;
    return { state: "down", detail: silent, port, ...(isVacant && { isVacant }) };
  }
  const identity = valueIn(answer.text);
  if (!isProven(key, nonce, port, identity)) {
    return { state: "stranger", detail: `something else answers on port ${port}`, port };
  }
  return { ...judged(identity), port, ms };
}

/** A newer one is left alone: two versions on one machine would otherwise drag it back and forth at every turn. */
function judged({ version, build, pid, supervisor }: Proven): Probe {
  const isOurs = version === __VERSION__ && build === __BUILD__;
  const detail = isOurs ? "it answered the challenge" : `it runs version ${version}, this is ${__VERSION__}`;
  const state = isOurs || isNewer(version, __VERSION__) ? "up" : "other-version";
  return { state, detail, version, pid, supervisor };
}

/** By the numbers alone; what is no version is not newer than anything. */
export function isNewer(version: string, than: string): boolean {
  const [theirs, ours] = [version, than].map((text) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number));
  if (!theirs || !ours) return false;
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
