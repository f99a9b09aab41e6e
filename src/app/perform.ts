/** How the effects of the hall are performed: the store always at once, programs and copies as the lane can. */
import type { Perform } from "../kernel/drive.ts";
import type { ProgramResult, ProgramRun, Steps } from "../kernel/effect.ts";
import type { SnapshotOutcome, SnapshotRequest } from "../kernel/snapshot-request.ts";
import type { WholeInput } from "../kernel/whole-input.ts";
import type { RecordBody } from "../state/record.ts";
import type { State } from "../state/state.ts";
import type { Keeper, Kept, StoreFault } from "../store/store.ts";

/** Provided by a lane. */
export interface Means {
  readonly storeOf: (journal: string) => Keeper;
  readonly run: (program: ProgramRun) => ProgramResult | Promise<ProgramResult>;
  /** Without it nothing waits. */
  readonly wait?: (ms: number) => void | Promise<void>;
  readonly copy: (request: SnapshotRequest) => SnapshotOutcome | Promise<SnapshotOutcome>;
}

export function performWith({ storeOf, run, copy, wait }: Means): Perform {
  return (effect) => {
    switch (effect.do) {
      case "read":
        return storeOf(effect.journal).read(effect.parts);
      case "append":
        return storeOf(effect.journal).append(effect.record, effect.now, {
          durable: effect.durable,
          whole: effect.whole,
        });
      case "run":
        return run(effect.program);
      case "wait":
        return wait?.(effect.ms);
      case "job":
        return copy(effect.request);
    }
  };
}

export function* readState(journal: string): Steps<State | StoreFault> {
  return (yield { do: "read", journal }) as State | StoreFault;
}

interface Adding {
  readonly journal: string;
  readonly now: number;
  readonly durable?: boolean;
  readonly whole?: WholeInput | undefined;
}

export function* append(record: RecordBody, adding: Adding): Steps<Kept | StoreFault> {
  const { journal, now, durable = false, whole } = adding;
  return (yield { do: "append", journal, record, now, durable, whole }) as Kept | StoreFault;
}
