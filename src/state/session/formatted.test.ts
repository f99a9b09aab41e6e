import { expect, it } from "vitest";
import type { JournalRecord } from "../record.ts";
import { fold, newState } from "../state.ts";
import { FORMATTED_MAX, FORMATTED_PATH_CHARS_MAX } from "./formatted.ts";
import { OTHER_TOOLS, TOOLS_MAX } from "./tool-counts.ts";

const begun = { kind: "verdict", rid: "r0", t: 1, session: "s", event: "SessionStart", decision: "pass" } as const;
const format = (path: string, more: object = {}): JournalRecord =>
  ({ kind: "format", rid: "r", t: 5, session: "s", path, by: "prettier", ...more }) as JournalRecord;
const after = (...records: readonly JournalRecord[]) => [begun, ...records].reduce(fold, newState).sessions["s"];
const use = (tool: string, more: object = {}): JournalRecord =>
  ({ ...begun, rid: "r1", event: "PreToolUse", tool, ...more }) as JournalRecord;

it("MD-82 reformatted files are remembered once each, and the injected characters are counted", () => {
  const session = after(format("/a", { injected: 40 }), format("/b"), format("/a", { by: "biome", t: 9 }));
  expect(session?.formatted).toEqual([
    { path: "/b", by: "prettier", at: 5 },
    { path: "/a", by: "biome", at: 9 },
  ]);
  expect(session?.injectedChars).toBe(40);
});

it("a failed formatter and an unknown session record nothing", () => {
  expect(after(format("/a", { problem: "it took too long" }))?.formatted).toBeUndefined();
  expect(Object.keys([format("/a")].reduce(fold, newState).sessions)).toEqual([]);
});

it("the list of formatted files stays small and is dropped when the session ends", () => {
  const many = Array.from({ length: 50 }, (_, at) => format(`/${at}`));
  expect(after(...many)?.formatted).toHaveLength(FORMATTED_MAX);
  expect(after(format(`/${"x".repeat(FORMATTED_PATH_CHARS_MAX)}`))?.formatted).toEqual([]);
  const end = { ...begun, event: "SessionEnd", changes: [{ record: "session", do: "end" }] } as const;
  expect(after(format("/a"), use("Read"), end)).not.toHaveProperty("formatted");
  expect(after(format("/a"), use("Read"), end)).toHaveProperty("tools.total", 1);
});

it("MD-83 allowed tool uses are counted", () => {
  const session = after(use("Read"), use("Bash", { decision: "deny" }), use("Read"), use("Edit", { decision: "ask" }));
  expect(session?.tools).toEqual({ total: 3, last: "Edit", counts: { Read: 2, Edit: 1 } });
  expect(after()?.tools).toBeUndefined();
});

it("MD-83 many tool names or names such as __proto__ leave the map small and correct", () => {
  const names = [...Array.from({ length: 40 }, (_, at) => `mcp__x__${at}`), "constructor", "__proto__"];
  const tools = after(...names.map((name) => use(name)))?.tools;
  expect(tools?.total).toBe(42);
  expect(Object.keys(tools?.counts ?? {})).toHaveLength(TOOLS_MAX + 1);
  expect(tools?.counts[OTHER_TOOLS]).toBe(22);
  expect(after(use("constructor"), use("constructor"))?.tools?.counts).toEqual({ constructor: 2 });
});
