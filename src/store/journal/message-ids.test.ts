import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import type { MessageRecord } from "../../state/inbox/records.ts";
import { openKeeper } from "./disk.ts";
import { encodeLine } from "./line.ts";
import { messageIds } from "./message-ids.ts";
import { segmentPath } from "./segment.ts";

const root = tempDirectory("message-ids");
const message = (id: string, to = "lead"): MessageRecord => ({
  ...{ kind: "message", id, to, from: "worker1", type: "message", subject: "s" },
});

it("knows what was stored before and since, by recipient, over several segments", () => {
  const directory = join(root, "a");
  const keeper = openKeeper({ directory, limits: { segmentBytes: 2000 } });
  const ids = messageIds(directory);
  ids.catchUp();
  expect(ids.senderOf("lead", "m0")).toBeUndefined();
  for (let n = 0; n < 30; n++) {
    keeper.append(message(`m${n}`), 1);
    if (n % 7 === 0) ids.catchUp();
  }
  ids.catchUp();
  expect(keeper.journal.ledger?.segment).toBeGreaterThan(1);
  for (let n = 0; n < 30; n++) expect(ids.senderOf("lead", `m${n}`)).toBe("worker1");
  expect(ids.senderOf("worker1", "m0")).toBeUndefined();
  ids.add("worker1", "m0", "lead");
  ids.add("worker1", "m0", "worker2");
  expect(ids.senderOf("worker1", "m0")).toBe("lead");
  keeper.close();
});

it("a message behind the end of its segment, or half of one, is not stored", () => {
  const directory = join(root, "b");
  const keeper = openKeeper({ directory });
  keeper.append(message("first"), 1);
  const path = segmentPath(directory, 1);
  appendFileSync(path, encodeLine({ ...message("half"), rid: "r0", t: 1 }).subarray(0, 60));
  appendFileSync(path, encodeLine({ kind: "close", next: 2, rid: "r1", t: 1 }));
  appendFileSync(path, encodeLine({ ...message("void"), rid: "r2", t: 1 }));
  const ids = messageIds(directory);
  ids.catchUp();
  keeper.append(message("next"), 1);
  ids.catchUp();
  expect(["first", "half", "void", "next"].map((id) => ids.senderOf("lead", id) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
  ]);
  keeper.close();
});
