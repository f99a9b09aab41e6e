/** The store on the local disk, whole: what people look back with, check and prune. No event loads this. */
import { closeSync, fstatSync } from "node:fs";
import type { JournalRecord } from "../state/record.ts";
import { listDirectory } from "./directory.ts";
import { type JournalOptions, openKeeper } from "./disk.ts";
import { guarded, ifThere } from "./errno.ts";
import { isInternal } from "./line.ts";
import { prune } from "./prune.ts";
import { entriesIn, openSegment } from "./segment.ts";
import type { Store } from "./store.ts";
import { verify } from "./verify.ts";

export function openJournal(options: JournalOptions): Store {
  const { directory } = options;
  const { journal, ...keeper } = openKeeper(options);
  return {
    ...keeper,
    records: () => recordsIn(directory),
    verify: () => guarded(directory, () => verify(directory)),
    prune: (now, retention) => guarded(directory, () => prune(journal, now, retention)),
  };
}

/** From the oldest segment on; one that is pruned while we read is passed over. */
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
