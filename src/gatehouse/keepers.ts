/** The journals that stay open and folded between events. */
import { openKeeper } from "../store/disk.ts";
import { guarded } from "../store/errno.ts";
import { isFault, type Keeper } from "../store/store.ts";
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

/** A resident process can afford to flush what it keeps before it speaks. */
function lasting(directory: string): Keeper {
  const { journal, ...keeper } = openKeeper({ directory, limits: SNAPSHOTS });
  let quiet: NodeJS.Timeout | undefined;
  return {
    ...keeper,
    append: (body, now) => {
      clearTimeout(quiet);
      quiet = setTimeout(() => void guarded(directory, () => snapshot(journal)), QUIET_MS);
      return keeper.append(body, now, { durable: true });
    },
    close: () => {
      clearTimeout(quiet);
      keeper.close();
    },
  };
}
