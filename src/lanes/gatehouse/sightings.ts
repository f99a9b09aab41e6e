/**
 * What the host itself reported over its connections, by session. Kept in memory only: nobody else can add to it, and it
 * ends with the daemon.
 */
import { isBondsKey } from "../../app/bonds.ts";
import type { Sighted } from "../../app/channel.ts";
import type { Seen } from "../../daemon/challenge.ts";

export interface Sighting {
  readonly session: string;
  /** The host's process, which holds the connection. */
  readonly host: number;
  readonly keys: readonly string[];
}

const SESSIONS_MAX = 64;
const KEYS_MAX = 512;
const KEY_CHARS_MAX = 700;
const BONDS_CHARS_MAX = 16_000;

export interface Sightings {
  note(sighting: Sighting): void;
  of(session: string): Sighted;
  ofHost(pid: number): Seen;
  all(): readonly Sighting[];
  /** When the first of these could have been made. */
  startAt(time: number): void;
}

export function sightings(started: number): Sightings {
  /** The least recently noted session goes first, and of each session the oldest key. */
  const known = new Map<string, { readonly host: number; readonly keys: Set<string> }>();
  let since = started;
  const note = ({ session, host, keys }: Sighting): void => {
    const before = known.get(session)?.keys ?? new Set<string>();
    const fitting = keys.filter((key) => key.length <= (isBondsKey(key) ? BONDS_CHARS_MAX : KEY_CHARS_MAX));
    // Of the bonds the newest count.
    const old = fitting.some(isBondsKey) ? [...before].filter(isBondsKey) : [];
    for (const key of old) before.delete(key);
    for (const key of fitting) {
      before.delete(key);
      before.add(key);
    }
    for (const key of before) {
      if (before.size <= KEYS_MAX) break;
      before.delete(key);
    }
    known.delete(session);
    known.set(session, { host, keys: before });
    const [oldest] = known.keys();
    if (known.size > SESSIONS_MAX && oldest !== undefined) known.delete(oldest);
  };
  return {
    note,
    of: (session) => ({ since, keys: known.get(session)?.keys ?? new Set() }),
    ofHost: (pid) => {
      const ofThisHost = [...known].filter(([, { host }]) => host === pid);
      return { since, of: Object.fromEntries(ofThisHost.map(([session, { keys }]) => [session, [...keys]])) };
    },
    all: () => [...known].map(([session, { host, keys }]) => ({ session, host, keys: [...keys] })),
    startAt: (time) => {
      since = time;
    },
  };
}
