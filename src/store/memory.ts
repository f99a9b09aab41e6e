/** A store in memory with the same contract, for the life of its process. */
import { foldPart, type PartTable, partNamed, type StateWith } from "../state/part.ts";
import { PARTS, type Parts } from "../state/parts.ts";
import type { JournalRecord } from "../state/record.ts";
import { fold, newState, type State } from "../state/state.ts";
import { signedRecord } from "./journal/fit.ts";
import { NO_SEAL } from "./journal/ledger.ts";
import { stamped } from "./journal/rid.ts";
import { isFault, type Store } from "./store.ts";

export function memoryStore<P extends PartTable = Parts>(given?: P): Store<P> {
  const parts: PartTable = given ?? PARTS;
  const kept: JournalRecord[] = [];
  let state = newState;
  /** The state with the parts after `count` records. Stores in memory are small, so parts are folded again each time. */
  const seen = <Name extends string>(of: State, count: number, needs: readonly Name[] = []) => {
    const values = needs.map((name) => [name, foldPart(partNamed(parts, name), kept.slice(0, count))]);
    return (needs.length === 0 ? of : { ...of, ...Object.fromEntries(values) }) as StateWith<PartTable, Name>;
  };
  const store: Store<PartTable> = {
    read: (needs) => seen(state, kept.length, needs),
    append(body, now, { needs, sign } = {}) {
      const fitted = signedRecord(stamped(body, now), "memory", sign);
      if (isFault(fitted)) return fitted;
      // Copied as a disk would return it, so that later changes to the body have no effect.
      const record = JSON.parse(JSON.stringify(fitted)) as JournalRecord;
      const before = seen(state, kept.length, needs);
      state = fold(state, record);
      kept.push(record);
      return { rid: record.rid, before, after: seen(state, kept.length, needs) };
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
      voided: [],
    }),
    prune: () => 0,
    close: () => undefined,
  };
  return store as Store<P>;
}
