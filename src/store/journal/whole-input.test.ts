import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import type { WholeInput } from "../../kernel/whole-input.ts";
import type { VerdictRecord } from "../../state/record.ts";
import { readBlob } from "../blobs/blobs.ts";
import { isFault } from "../store.ts";
import { openJournal } from "./archive.ts";

const root = tempDirectory("whole-input");
let count = 0;

function kept(
  input: unknown,
  { isCut = false, isFlushed = false, text = () => JSON.stringify(input) }: Partial<WholeInput>,
) {
  const directory = join(root, `${++count}`);
  const store = openJournal({ directory });
  const body = { kind: "verdict", event: "PreToolUse", session: "s", decision: "pass", input } as const;
  if (isFault(store.append(body, 1, { whole: { isCut, isFlushed, text } }))) throw new Error("not kept");
  const [record] = [...store.records()] as readonly VerdictRecord[];
  store.close();
  return { directory, record };
}

const LONG = { a: "x".repeat(900), b: "y".repeat(900), c: "ß".repeat(900) };

it("an input that fits into its record needs no file", () => {
  const { directory, record } = kept({ a: "x".repeat(600) }, {});
  expect(record?.whole).toBeUndefined();
  expect(readdirSync(directory)).not.toContain("blobs");
});

it.each([true, false])("an input that doesn't fit is whole beside the journal (flushed: %s)", (isFlushed) => {
  const { directory, record } = kept(LONG, { isFlushed });
  expect(JSON.stringify(record?.input)).toContain("[cut");
  expect(record?.whole && JSON.parse(readBlob(directory, record.whole) ?? "")).toEqual(LONG);
});

it("an input that was cut before is stored whole, also in the smallest record", () => {
  const { directory, record } = kept({ a: "short" }, { isCut: true, text: () => JSON.stringify(LONG) });
  expect(record?.whole && readBlob(directory, record.whole)).toBe(JSON.stringify(LONG));
});

it("an input that can't be stored leaves the record as it is", () => {
  expect(kept(LONG, { text: () => undefined }).record).toMatchObject({ decision: "pass" });
  const directory = join(root, `${count + 1}`);
  mkdirSync(directory);
  writeFileSync(join(directory, "blobs"), "in the way");
  const { record } = kept(LONG, {});
  expect(record).toMatchObject({ decision: "pass" });
  expect(record?.whole).toBeUndefined();
});
