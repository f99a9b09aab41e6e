/**
 * What the host itself reported over its connections, by session. Kept in memory only: nobody else can add to it, and it
 * ends with the daemon.
 */
import { type Bonds, bondsIn, bondsKey, isBondsKey } from "../../app/bonds.ts";
import type { Sighted } from "../../app/channel.ts";
import type { Noted } from "../../app/sighting.ts";
import type { Seen } from "../../daemon/challenge.ts";

export interface Sighting {
  readonly session: string;
  /** The host's process, which holds the connection. */
  readonly host: number;
  /** The bonds are one of them, as text. */
  readonly keys: readonly string[];
}

const SESSIONS_MAX = 64;
const KEYS_MAX = 512;
const KEY_CHARS_MAX = 700;
const BONDS_CHARS_MAX = 16_000;

export interface Sightings {
  /** From the worker that saw it; returns what the supervisor and other workers must know. */
  see(session: string, noted: Noted): Sighting;
  /** From another process. */
  note(sighting: Sighting): void;
  of(session: string): Sighted;
  ofHost(pid: number): Seen;
  all(): readonly Sighting[];
  /** When the first of these could have been made. */
  startAt(time: number): void;
}

interface Memory {
  readonly host: number;
  readonly keys: Set<string>;
  readonly bonds?: BondsText | undefined;
}

/** Read when they are first asked for: the supervisor only passes them on. */
interface BondsText {
  readonly text: string;
  value?: Bonds;
}

export function sightings(started: number): Sightings {
  /** The least recently noted session goes first, and of each session the oldest key. */
  const known = new Map<string, Memory>();
  let since = started;
  const remember = (session: string, host: number, keys: readonly string[], news: BondsText | undefined): void => {
    const before = known.get(session);
    const all = before?.keys ?? new Set<string>();
    addTo(all, keys);
    known.delete(session);
    const isFitting = news !== undefined && news.text.length <= BONDS_CHARS_MAX;
    known.set(session, { host, keys: all, bonds: isFitting ? news : before?.bonds });
    const [oldest] = known.keys();
    if (known.size > SESSIONS_MAX && oldest !== undefined) known.delete(oldest);
  };
  return {
    see: (session, { host, keys, bonds }) => {
      const text = bonds && bondsKey(bonds);
      remember(session, host, keys, bonds && text !== undefined ? { text, value: bonds } : undefined);
      return { session, host, keys: text === undefined ? keys : [...keys, text] };
    },
    note: ({ session, host, keys }) => {
      const text = keys.find(isBondsKey);
      const others = text === undefined ? keys : keys.filter((key) => !isBondsKey(key));
      remember(session, host, others, text === undefined ? undefined : { text });
    },
    of: (session) => {
      const memory = known.get(session);
      return memory ? { since, keys: memory.keys, bonds: bondsOf(memory.bonds) } : { since, keys: NO_KEYS };
    },
    ofHost: (pid) => {
      const ofThisHost = [...known].filter(([, { host }]) => host === pid);
      return { since, of: Object.fromEntries(ofThisHost.map(([session, memory]) => [session, allOf(memory)])) };
    },
    all: () => [...known].map(([session, memory]) => ({ session, host: memory.host, keys: allOf(memory) })),
    startAt: (time) => {
      since = time;
    },
  };
}

/** The newest are last. */
function addTo(all: Set<string>, keys: readonly string[]): void {
  for (const key of keys.filter(({ length }) => length <= KEY_CHARS_MAX)) {
    all.delete(key);
    all.add(key);
  }
  for (const key of all) {
    if (all.size <= KEYS_MAX) break;
    all.delete(key);
  }
}

const NO_KEYS: ReadonlySet<string> = new Set();

function bondsOf(bonds: BondsText | undefined): Bonds | undefined {
  if (bonds) bonds.value ??= bondsIn(bonds.text);
  return bonds?.value;
}

function allOf({ keys, bonds }: Memory): readonly string[] {
  return bonds ? [...keys, bonds.text] : [...keys];
}
