/** The messages that a journal holds, by recipient and id: one that is sent again is not stored again. */
import { constants, fstatSync } from "node:fs";
import { listDirectory } from "./directory.ts";
import { ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { decodeLine, kindOf } from "./line.ts";
import { linesIn, segmentPath } from "./segment.ts";

export interface MessageIds {
  /** Reads what was written since the last call. */
  catchUp(): void;
  /** Who sent the message. */
  senderOf(to: string, id: string): string | undefined;
  /** A message that this process has just written. */
  add(to: string, id: string, from: string): void;
}

/** The oldest are forgotten first. */
const KEPT = 200_000;

export function messageIds(directory: string): MessageIds {
  const known = new Map<string, string>();
  const at = { segment: 0, offset: 0 };
  /** The first counts, as in the inbox. */
  const add = (to: string, id: string, from: string): void => {
    if (!known.has(keyOf(to, id))) known.set(keyOf(to, id), from);
  };
  const note = (bytes: Buffer): boolean => {
    const kind = kindOf(bytes);
    if (kind !== "message" && kind !== "close") return false;
    const entry = decodeLine(bytes);
    if (entry?.kind === "message") add(entry.to, entry.id, entry.from);
    return entry?.kind === "close";
  };
  const follow = (segment: number): void => {
    if (segment > at.segment) Object.assign(at, { segment, offset: 0 });
    const from = at.offset;
    ifThere(() =>
      withFile(segmentPath(directory, segment), constants.O_RDONLY, (fd) => {
        for (const { bytes, end } of linesIn(fd, from, fstatSync(fd).size)) {
          // Whatever follows a `close` doesn't count.
          at.offset = note(bytes) ? Number.MAX_SAFE_INTEGER : end;
          if (at.offset > end) return;
        }
      }),
    );
  };
  return {
    catchUp() {
      const { segments } = listDirectory(directory);
      for (const segment of segments) if (segment >= at.segment) follow(segment);
      for (const oldest of known.keys()) {
        if (known.size <= KEPT) break;
        known.delete(oldest);
      }
    },
    senderOf: (to, id) => known.get(keyOf(to, id)),
    add,
  };
}

function keyOf(to: string, id: string): string {
  return `${to} ${id}`;
}
