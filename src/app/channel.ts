/**
 * What the host showed the daemon over its own connection decides which evidence counts on the fast lane. An agent can
 * forge an event, a record and a line of the transcript; it cannot make the host report what did not happen.
 */
import type { Gatehouse, Places } from "../kernel/facts.ts";
import type { SightOf } from "../kernel/testimony.ts";
import { isWitnessed } from "../state/session/awaiting.ts";
import type { CheckHistories, CheckHistory, CheckResult } from "../state/session/checks.ts";
import type { Proof } from "../state/session/proof.ts";
import type { Session } from "../state/session/session.ts";
import type { ArmingOf } from "../world/facts/host-settings.ts";
import { hostFileText } from "../world/machine/host-file.ts";
import { type Bonds, bondsIn, isBondsKey } from "./bonds.ts";
import {
  approvalKey,
  begunKey,
  causeKey,
  checkKey,
  endedKey,
  partKey,
  readKey,
  reviewKey,
  skillSeenKey,
} from "./sighting-keys.ts";

/** Everything that was seen of one session since the daemon started. */
export interface Sighted {
  readonly since: number;
  readonly keys: ReadonlySet<string>;
  /** What binds the agent in it, if the host has reported an event of it. */
  readonly bonds?: Bonds | undefined;
}

/** As the daemon tells it to a process: the bonds are one of the keys. */
export function sightedFrom(since: number, keys: readonly string[]): Sighted {
  const bonds = keys.find(isBondsKey);
  const others = new Set(keys.filter((key) => !isBondsKey(key)));
  return { since, keys: others, ...(bonds !== undefined && { bonds: bondsIn(bonds) }) };
}

/** What the host reported itself: the sightings, or `unasked` if there is a daemon that this process did not ask. */
export type Channel = Sighted | "unasked" | undefined;

/** Undefined where no daemon is needed: on the plain lane, or if it was looked for and is not up. */
export function channelOf(id: string, session: Session | undefined, asking: AskingChannel): Channel {
  const sighted = asking.sightedOf?.(id);
  // What the daemon saw counts whatever the journal says about the session.
  if (sighted && (sighted.bonds || sighted.keys.size > 0)) return sighted;
  if (session?.witnessedSince === undefined) return undefined;
  if (sighted || asking.gatehouse) return sighted;
  // The hooks may have been moved to the plain lane since the session began.
  const now = asking.places.hostSettings.map((path) => [path, asking.armingOf(hostFileText(path)).hooks] as const);
  return isWitnessed(Object.fromEntries(now)) ? "unasked" : undefined;
}

export interface AskingChannel {
  /** What the daemon saw of a session; absent where nobody asked it. */
  readonly sightedOf?: (session: string) => Sighted | undefined;
  /** How the daemon was found, where somebody looked. */
  readonly gatehouse?: Gatehouse;
  readonly armingOf: ArmingOf;
  readonly places: Pick<Places, "hostSettings">;
}

/** Whether the cause of a waiting change was seen. A prompt from before the daemon's start rests on the transcript. */
export function sightOf(channel: Channel): SightOf | undefined {
  if (channel === undefined) return undefined;
  return ({ awaits, at }) => {
    const key = causeKey(awaits);
    if (key === undefined) return "seen";
    if (channel === "unasked") return "unknown";
    const isEarlier = !("call" in awaits) && at < channel.since;
    return isEarlier || channel.keys.has(key) ? "seen" : "unseen";
  };
}

/** The session without evidence that was never seen, and how much of it the daemon should have seen. */
export function withoutUnseen(session: Session, seen: Sighted): { readonly session: Session; readonly unseen: number } {
  const { checks, proof, witnessedSince = 0, coverage } = session;
  const known = whollySeen.get(seen.keys) ?? new WeakSet();
  if ([checks, proof].every((evidence) => !evidence || known.has(evidence))) return { session, unseen: 0 };
  let [unseen, dropped] = [0, 0];
  const told = (coverage?.gaps ?? []).flatMap(({ kind, at }) => (kind === "forged" ? at : []));
  const since = Math.max(seen.since, witnessedSince, ...told);
  const missed = (at: number): false => {
    dropped++;
    if (at > since) unseen++;
    return false;
  };
  const isSeen: IsSeen = (at, ...keys) => keys.some((key) => seen.keys.has(key)) || missed(at);
  const left: Session = {
    ...session,
    ...(checks && { checks: seenChecks(checks, isSeen, seen) }),
    ...(proof && { proof: seenProof(proof, isSeen) }),
  };
  if (dropped > 0) return { session: left, unseen };
  for (const evidence of [checks, proof]) if (evidence) known.add(evidence);
  whollySeen.set(seen.keys, known);
  return { session, unseen: 0 };
}

/** Evidence of which all was seen stays so until a record changes it, and then it is another object. By session. */
const whollySeen = new WeakMap<Sighted["keys"], WeakSet<object>>();

type IsSeen = (at: number, ...keys: readonly string[]) => boolean;

/** Checks that failed count whoever reports them. */
function seenChecks(histories: CheckHistories, isSeen: IsSeen, { keys }: Sighted): CheckHistories {
  const counts = (result: CheckResult | undefined): result is CheckResult => {
    if (result?.outcome !== "passed" || result.call === undefined) return result !== undefined;
    const { call, check, endedAt } = result;
    // The end of a check in the background is reported by a prompt.
    const isOfTask = keys.has(begunKey(call, check));
    return isSeen(endedAt, checkKey(call, result), ...(isOfTask ? [endedKey(call)] : []));
  };
  const entries = Object.entries(histories).map(([key, { whole, other, parts }]): readonly [string, CheckHistory] => {
    const [check = ""] = key.split(" ");
    const seenParts = parts?.filter((part) => isSeen(part.endedAt, partKey(check, part)));
    return [
      key,
      { ...(counts(whole) && { whole }), ...(counts(other) && { other }), ...(seenParts && { parts: seenParts }) },
    ];
  });
  return Object.fromEntries(entries);
}

function seenProof(proof: Proof, isSeen: IsSeen): Proof {
  const seenOf = (times: Readonly<Record<string, number>>, keyOf: (name: string) => string) =>
    Object.fromEntries(Object.entries(times).filter(([name, at]) => isSeen(at, keyOf(name))));
  return {
    ...proof,
    skills: seenOf(proof.skills, skillSeenKey),
    reads: seenOf(proof.reads, readKey),
    approvals: seenOf(proof.approvals, approvalKey),
    reviews: Object.fromEntries(
      Object.entries(proof.reviews).filter(([type, { pass, at }]) => !pass || isSeen(at, reviewKey(type))),
    ),
  };
}
