/** The complete store on the local disk, for reading back, verifying and pruning. No event loads it. */
import { closeSync, fstatSync } from "node:fs";
import type { PartTable } from "../../state/part.ts";
import type { Parts } from "../../state/parts.ts";
import type { JournalRecord } from "../../state/record.ts";
import type { Store } from "../store.ts";
import { listDirectory } from "./directory.ts";
import { type JournalOptions, openKeeper } from "./disk.ts";
import { guarded, ifThere } from "./errno.ts";
import { isInternal } from "./line.ts";
import { prune } from "./prune.ts";
import { entriesIn, openSegment } from "./segment.ts";
import { verify } from "./verify.ts";

export function openJournal<P extends PartTable = Parts>(options: JournalOptions<P>): Store<P> {
  const { directory } = options;
  const { journal, ...keeper } = openKeeper(options);
  return {
    ...keeper,
    records: () => recordsIn(directory),
    verify: () => guarded(directory, () => verify(directory, journal.parts, journal.authority)),
    prune: (now, retention) => guarded(directory, () => prune(journal, now, retention)),
  };
}

/** From the oldest segment on; a segment that is pruned meanwhile is skipped. */
function* recordsIn(directory: string): Generator<JournalRecord> {
  for (const segment of listDirectory(directory).segments) {
    const fd = ifThere(() => openSegment(directory, segment));
    if (fd === undefined) continue;
    try {
      for (const { entry } of entriesIn(fd, fstatSync(fd).size)) if (entry && !isInternal(entry)) yield entry;
    } finally {
      closeSync(fd);
    }
  }
}
