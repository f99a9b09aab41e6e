import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openJournal } from "./archive.ts";
import { describeStore } from "./contract.ts";
import { memoryStore } from "./memory.ts";

const home = mkdtempSync(join(tmpdir(), "sekisho-store-"));
afterAll(() => rmSync(home, { recursive: true }));

describeStore("memory", memoryStore);
describeStore("the journal", () => openJournal({ directory: mkdtempSync(join(home, "j-")) }));
describeStore("a journal that rotates and snapshots all the time", () =>
  openJournal({
    directory: mkdtempSync(join(home, "j-")),
    limits: { segmentBytes: 400, snapshotAfter: 2, snapshotChance: 1, snapshotAlwaysAfter: 3 },
  }),
);
