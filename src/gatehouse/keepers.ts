/** The journals that stay open and folded between events. */
import { fdatasyncSync } from "node:fs";
import type { RecordBody } from "../state/record.ts";
import { openKeeper } from "../store/disk.ts";
import { guarded } from "../store/errno.ts";
import { type AppendOptions, isFault, type Keeper } from "../store/store.ts";
import { snapshot } from "../store/upkeep.ts";

/** The one that was not asked for longest is let go, and its file with it. */
const KEEPERS_MAX = 64;

export interface Keepers {
  of(directory: string): Keeper;
  /** One that knows everything and keeps nothing. */
  forTrial(directory: string): Keeper;
  /** After an event that was stopped half-way, nothing that it may have left half done is built upon. */
  forget(): void;
}

export function keepers(): Keepers {
  const open = new Map<string, Keeper>();
  const letGo = (directory: string): void => {
    open.get(directory)?.close();
    open.delete(directory);
  };
  const of = (directory: string): Keeper => {
    const keeper = open.get(directory) ?? lasting(directory);
    open.delete(directory);
    open.set(directory, keeper);
    const [oldest] = open.keys();
    if (open.size > KEEPERS_MAX && oldest !== undefined) letGo(oldest);
    return keeper;
  };
  return {
    of,
    forTrial(directory) {
      const { read, close } = of(directory);
      const append: Keeper["append"] = () => {
        const state = read();
        return isFault(state) ? state : { rid: "", before: state, after: state };
      };
      return { read, append, close };
    },
    forget() {
      for (const directory of [...open.keys()]) letGo(directory);
    },
  };
}

/** A snapshot is for processes that have just started; this one takes it when nobody waits for an answer. */
const SNAPSHOTS = { snapshotAfter: 256, snapshotChance: 1, snapshotAlwaysAfter: 256 };
const QUIET_MS = 100;

/** What is not flushed before it is spoken is flushed soon after. */
const FLUSH_MS = 500;

/**
 * What was decided lasts before it is spoken. What came of it, and that something was only looked at, is flushed together
 * with whatever else comes.
 */
function mustLast(body: RecordBody, how: AppendOptions | undefined): boolean {
  if (how?.durable === true || body.kind !== "verdict") return true;
  return body.event === "PreToolUse" && !(body.decision === "pass" && body.operation?.class === "read");
}

function lasting(directory: string): Keeper {
  const { journal, ...keeper } = openKeeper({ directory, limits: SNAPSHOTS });
  let quiet: NodeJS.Timeout | undefined;
  let lately = 0;
  let flush: NodeJS.Timeout | undefined;
  // One timer that looks again, not a new one for every record.
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
      // A flush takes along everything that was added before it.
      if (durable) clearTimeout(flush);
      flush = durable ? undefined : (flush ?? setTimeout(flushNow, FLUSH_MS));
      return keeper.append(body, now, { durable });
    },
    close: () => {
      clearTimeout(quiet);
      if (flush) flushNow();
      keeper.close();
    },
  };
}
