import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { tempDirectory } from "../../test/temp.ts";
import { describeStore } from "./contract.ts";
import { openJournal } from "./journal/archive.ts";
import { memoryStore } from "./memory.ts";

const home = tempDirectory("store");

describeStore("memory", memoryStore);
describeStore("the journal", (parts) => openJournal({ directory: mkdtempSync(join(home, "j-")), parts }));
describeStore("a journal that rotates and snapshots all the time", (parts) =>
  openJournal({
    directory: mkdtempSync(join(home, "j-")),
    limits: { segmentBytes: 400, snapshotAfter: 2, snapshotChance: 1, snapshotAlwaysAfter: 3, partTailBytes: 500 },
    parts,
  }),
);
