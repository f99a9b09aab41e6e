/** Flushes what other writers have appended, or this one without a flush. */
import { closeSync, constants, fdatasync, fdatasyncSync } from "node:fs";
import type { StoreFault } from "../store.ts";
import { listDirectory } from "./directory.ts";
import { guarded, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { openSegment, segmentPath } from "./segment.ts";

/** The last two segments: the one before was flushed when its successor began. */
export function flushJournal(directory: string): StoreFault | undefined {
  return guarded(directory, () => {
    for (const segment of listDirectory(directory).segments.slice(-2)) {
      ifThere(() => withFile(segmentPath(directory, segment), constants.O_RDONLY, fdatasyncSync));
    }
    return undefined;
  });
}

/**
 * In another thread, while this one goes on. Through a file of its own: the one of the journal may be closed before the thread comes to it. A segment that is gone
 * was pruned, and flushed before.
 */
export async function flushSegments(directory: string, from: number, to: number): Promise<void> {
  for (let segment = from; segment <= to; segment++) {
    const fd = ifThere(() => openSegment(directory, segment, constants.O_RDONLY));
    if (fd === undefined) continue;
    try {
      await new Promise<void>((resolve, reject) => {
        fdatasync(fd, (error) => (error ? reject(error) : resolve()));
      });
    } finally {
      closeSync(fd);
    }
  }
}
