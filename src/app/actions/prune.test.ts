import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { type BlobName, blobsIn, keepBlob, readBlob } from "../../store/blobs/blobs.ts";
import { openJournal } from "../../store/journal/archive.ts";
import type { Here } from "../project.ts";
import { pruneOld } from "./prune.ts";

const DAY = 86_400_000;

it("removes long texts with the records that named them, and keeps those of unread messages", () => {
  const directory = tempDirectory("prune");
  const store = openJournal({ directory, limits: { segmentBytes: 2000 } });
  const past = Date.now() - 400 * DAY;
  const keep = (text: string): BlobName => keepBlob(directory, text) as BlobName;
  const [unread, read] = [keep("unread"), keep("read")];
  const message = { kind: "message", to: "lead", from: "worker1", type: "note", subject: "" } as const;
  store.append({ ...message, id: "a", blob: unread }, past);
  store.append({ ...message, id: "b", blob: read }, past);
  store.append({ kind: "mail", do: "read", box: "lead", numbers: [[2, 2]] }, past);
  store.append({ kind: "mail", do: "drain", box: "lead" }, past);
  for (let count = 0; count < 40; count++)
    store.append({ kind: "action", action: "filler", detail: "x".repeat(300) }, count < 30 ? past : Date.now());
  for (const { sha256 } of [unread, read]) utimesSync(join(blobsIn(directory), sha256.slice(0, 2), sha256), 1, 1);
  const place = { store, settings: { settings: defaultSettings }, places: { journal: directory } } as unknown as Here;
  const { removed, blobs } = pruneOld(place, { from: "a test" });
  expect(removed).toBeGreaterThan(0);
  expect(blobs).toBe(1);
  expect([readBlob(directory, unread), readBlob(directory, read)]).toEqual(["unread", undefined]);
  expect(store.verify()).toMatchObject({ integrity: "intact" });
  store.close();
});
