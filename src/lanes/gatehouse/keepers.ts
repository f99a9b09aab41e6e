/** Journals that stay open and folded between events. */
import { fdatasyncSync } from "node:fs";
import { keyText } from "../../state/person-key.ts";
import type { RecordBody } from "../../state/record.ts";
import type { KeyInForce } from "../../store/authority.ts";
import { openKeeper } from "../../store/journal/disk.ts";
import { guarded } from "../../store/journal/errno.ts";
import { snapshot } from "../../store/journal/upkeep.ts";
import { isFault, type Keeper } from "../../store/store.ts";

/** The least recently used journal is closed. */
const KEEPERS_MAX = 64;

export interface Keepers {
  of(directory: string, key?: KeyInForce): Keeper;
  /** Reads everything and writes nothing. */
  forCanary(directory: string, key?: KeyInForce): Keeper;
  /** Drops cached state after an event that was aborted, because it may be inconsistent. */
  forget(): void;
}

export function keepers(): Keepers {
  const open = new Map<string, Keeper>();
  const letGo = (name: string): void => {
    open.get(name)?.close();
    open.delete(name);
  };
  const of = (directory: string, key: KeyInForce = {}): Keeper => {
    // With another key other records count.
    const name = `${directory} ${key.key ? keyText(key.key) : (key.isOff ?? false)}`;
    const keeper = open.get(name) ?? lasting(directory, key);
    open.delete(name);
    open.set(name, keeper);
    const [oldest] = open.keys();
    if (open.size > KEEPERS_MAX && oldest !== undefined) letGo(oldest);
    return keeper;
  };
  return {
    of,
    forCanary(directory, key) {
      const { read, close } = of(directory, key);
      const append: Keeper["append"] = (_, __, how) => {
        const state = read(how?.needs);
        return isFault(state) ? state : { rid: "", before: state, after: state };
      };
      return { read, append, close };
    },
    forget() {
      for (const name of [...open.keys()]) letGo(name);
    },
  };
}

/** Snapshots help newly started processes; the daemon writes them when no event is waiting. */
const SNAPSHOTS = { snapshotAfter: 256, snapshotChance: 1, snapshotAlwaysAfter: 256 };
const QUIET_MS = 100;

/** Records that are not flushed before the answer are flushed after this delay. */
const FLUSH_MS = 500;

/** What was refused or asked is flushed before the answer, and so is what a person did. Passes are flushed later, in a batch. */
function mustLast(body: RecordBody, how: { readonly durable?: boolean } | undefined): boolean {
  return how?.durable === true || body.kind !== "verdict" || body.decision !== "pass";
}

function lasting(directory: string, key: KeyInForce): Keeper {
  const { journal, ...keeper } = openKeeper({ directory, limits: SNAPSHOTS, key });
  let quiet: NodeJS.Timeout | undefined;
  let lately = 0;
  let flush: NodeJS.Timeout | undefined;
  // A single timer that re-arms itself, instead of a new one per record.
  const whenQuiet = (): void => {
    const waitMs = lately + QUIET_MS - Date.now();
    quiet = waitMs > 0 ? setTimeout(whenQuiet, waitMs) : undefined;
    if (!quiet) void guarded(directory, () => snapshot(journal));
  };
  const flushNow = (): void => {
    clearTimeout(flush);
    flush = undefined;
    void guarded(directory, () => journal.file && fdatasyncSync(journal.file.fd));
  };
  return {
    ...keeper,
    append: (body, now, how) => {
      lately = Date.now();
      quiet ??= setTimeout(whenQuiet, QUIET_MS);
      const durable = mustLast(body, how);
      const kept = keeper.append(body, now, how ? { ...how, durable } : { durable });
      // A flush includes all earlier records, but a failed append may not have come to it.
      if (durable && !isFault(kept)) {
        clearTimeout(flush);
        flush = undefined;
      } else flush ??= setTimeout(flushNow, FLUSH_MS);
      return kept;
    },
    close: () => {
      clearTimeout(quiet);
      if (flush) flushNow();
      keeper.close();
    },
  };
}
