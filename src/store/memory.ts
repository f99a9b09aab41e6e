/** A store that lasts as long as its process: the same contract without a disk. */
import type { JournalRecord } from "../state/record.ts";
import { fold, newState } from "../state/state.ts";
import { fitRecord } from "./fit.ts";
import { NO_SEAL } from "./ledger.ts";
import { stamped } from "./rid.ts";
import { isFault, type Store } from "./store.ts";

export function memoryStore(): Store {
  const kept: JournalRecord[] = [];
  let state = newState;
  return {
    read: () => state,
    append(body, now) {
      const fitted = fitRecord(stamped(body, now));
      if (isFault(fitted)) return fitted;
      // What is kept is what a disk would give back, and nobody's later change to the body reaches it.
      const record = JSON.parse(JSON.stringify(fitted)) as JournalRecord;
      const before = state;
      state = fold(state, record);
      kept.push(record);
      return { rid: record.rid, before, after: state };
    },
    *records() {
      yield* kept;
    },
    verify: () => ({
      integrity: "intact",
      segments: [{ segment: 1, records: kept.length, integrity: "intact", detail: "In memory." }],
      head: NO_SEAL,
      records: kept.length,
      unsealed: kept.length,
    }),
    prune: () => 0,
    close: () => undefined,
  };
}
