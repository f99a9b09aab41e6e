/** Checks whether the daemon runs and is ours. The challenge uses a nonce, so an old answer cannot be replayed. */
import { randomBytes } from "node:crypto";
import { readDoor, readKey } from "../store/door.ts";
import { type Environment, stateRoot } from "../world/machine/places.ts";
import { ask } from "./ask.ts";
import { isProven, type Proven, type Seen } from "./challenge.ts";

declare const __VERSION__: string;
declare const __BUILD__: string;

export interface Probe {
  /** `none`: no endpoint was ever set up. */
  readonly state: "none" | "up" | "down" | "stranger" | "other-version";
  readonly detail: string;
  readonly port?: number;
  readonly pid?: number;
  readonly supervisor?: number;
  readonly version?: string;
  readonly ms?: number;
  /** What the daemon saw of the host's sessions, if it was asked. */
  readonly seen?: Seen;
  /** True if nothing listens on the port, as opposed to a process that does not answer. */
  readonly isVacant?: true;
}

const TIMEOUT_MS = 1500;

export async function probeGatehouse(
  env: Environment,
  options: { readonly timeoutMs?: number; readonly host?: number } = {},
): Promise<Probe> {
  const [door, key] = [readDoor(stateRoot(env)), readKey(stateRoot(env))];
  if (!door || key === undefined) return { state: "none", detail: "no gatehouse was ever set up for this user" };
  const { port } = door;
  const nonce = randomBytes(16).toString("hex");
  const started = performance.now();
  const { timeoutMs = TIMEOUT_MS, host } = options;
  const path = `/challenge/${nonce}${host === undefined ? "" : `?host=${host}`}`;
  const answer = await ask({ port, path, timeoutMs });
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

/** A newer daemon is left alone; otherwise two installed versions would replace each other at every turn. */
function judged({ version, build, pid, supervisor, seen }: Proven): Probe {
  const isOurs = version === __VERSION__ && build === __BUILD__;
  const detail = isOurs ? "it answered the challenge" : `it runs version ${version}, this is ${__VERSION__}`;
  const state = isOurs || isNewer(version, __VERSION__) ? "up" : "other-version";
  return { state, detail, version, pid, supervisor, ...(seen && { seen }) };
}

/**
 * Compares the numbers; a release is newer than its pre-releases, which count as equal. Text that is not a version is
 * never newer.
 */
export function isNewer(version: string, than: string): boolean {
  const [theirs, ours] = [version, than].map((text) => numbersIn(text));
  if (!theirs || !ours) return false;
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}

function numbersIn(version: string): readonly number[] | undefined {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return numbers.length === 0 ? undefined : [...numbers.map(Number), version.includes("-") ? 0 : 1];
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
