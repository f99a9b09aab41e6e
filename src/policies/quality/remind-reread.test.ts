import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../../hosts/index.ts";
import type { Gathered } from "../../kernel/facts.ts";
import type { Example } from "../../kernel/policy.ts";
import { ordinaryFacts, PROJECT, verdictOf } from "../describe-policy.ts";
import { using } from "../example.ts";
import { remindReread } from "./remind-reread.ts";

const { parse } = hosts[HOST];
const path = `${PROJECT}/src/a.ts`;
const edit = { kind: "edit", name: "Edit", path, edits: [{ old: "a", new: "b", all: false }] } as const;

function advice(when: Example["when"], given: Gathered = {}): readonly string[] {
  const { notes, trace } = verdictOf(remindReread, when, given);
  expect(trace.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  return notes.map(({ en }) => en);
}

const failing = (error: string, more: object = {}): Example["when"] => ({
  ...using(edit, "PostToolUseFailure"),
  interrupted: false,
  error,
  ...more,
});

const REREAD = expect.stringContaining("Read it again, then edit");
const MORE = expect.stringContaining("more of the surrounding text, or set replace_all");
const CHECK = expect.stringContaining("Check the path, or make the file with Write");

describe("TS-38 MD-80 a failed edit gets the advice for its kind", () => {
  const rows = [
    ["String to replace not found in file.\nString: is not unique", REREAD],
    ["old_string was not found", REREAD],
    ["The text was NOT FOUND IN a.ts", REREAD],
    ["no match", REREAD],
    ["the pattern did not match", REREAD],
    ["invalid old_string", REREAD],
    ["old_string is not unique in the file", MORE],
    ["multiple occurrences of old_string", MORE],
    ["Found 2 matches of the string to replace, but replace_all is false.\nString: no match", MORE],
    ["File does not exist.", CHECK],
    ["File has not been read yet. Read it first before writing to it.", expect.stringContaining("Read it, then edit")],
    ["File has been modified since read, either by the user or by a linter.", REREAD],
  ] as const;
  it.each(rows)("from the failure event: %s", (error, wanted) => {
    expect(advice(failing(error))).toEqual([wanted]);
  });
  it.each(rows)("from a PostToolUse event marked as failed: %s", (error, wanted) => {
    expect(advice({ ...using(edit, "PostToolUse"), failed: true, error })).toEqual([wanted]);
  });
  it.each(rows)("from the batch event: %s", (error, wanted) => {
    const response = `<tool_use_error>${error}</tool_use_error>`;
    const calls = [{ id: "c1", tool: "Edit", path: "src/a.ts", response }];
    expect(advice({ name: "PostToolBatch", calls })).toEqual([wanted]);
  });
});

describe("MD-81 the error text is read from every field the host uses", () => {
  const fields = { session_id: "s-1", cwd: PROJECT, tool_name: "Edit", tool_use_id: "call-1" };
  const input = { file_path: path, old_string: "a", new_string: "b" };
  it.each([{ error: "no match" }, { tool_response: "no match" }])("in %o", (words) => {
    const body = JSON.stringify({ ...fields, hook_event_name: "PostToolUseFailure", tool_input: input, ...words });
    const parsed = parse({ body, env: {} });
    expect("event" in parsed && advice(parsed.event as unknown as Example["when"])).toEqual([REREAD]);
  });
  it.each([
    ["edit-missing", REREAD],
    ["edit-ambiguous", MORE],
    ["edit-no-file", CHECK],
    ["edit-unread", expect.stringContaining("n.ipynb has to be read")],
  ])("in a real payload of the host: %s", (name, wanted) => {
    const file = join(import.meta.dirname, "../../../test/payloads", `PostToolBatch.${name}.json`);
    const parsed = parse({ body: readFileSync(file, "utf8"), env: {} });
    expect("event" in parsed && advice(parsed.event as unknown as Example["when"])).toEqual([wanted]);
  });
});

describe("no message", () => {
  const missing = "<tool_use_error>String to replace not found in file.</tool_use_error>";
  const batch = (...calls: readonly object[]): Example["when"] => ({ name: "PostToolBatch", calls });
  const call = { id: "c1", tool: "Edit", path: "src/a.ts", response: missing };
  it.each([
    ["of an edit that went well and quotes such words", batch({ ...call, response: `The file says ${missing}` })],
    ["of another tool", batch({ ...call, tool: "Bash" })],
    ["of a file that was read and says so", batch({ ...call, tool: "Read" })],
    ["of a call without words", batch({ ...call, response: "" })],
    ["of an input that was none", failing("InputValidationError: the required parameter `old_string` is missing")],
    ["of a change that would change nothing", failing("old_string and new_string are exactly the same.")],
    ["of another failure", failing("EACCES: permission denied")],
    ["of an edit that a person broke off", failing("not found", { interrupted: true })],
    ["of one that the host says was none", failing("not found", { failed: false })],
    ["of a success", { ...using(edit, "PostToolUse"), failed: false }],
  ])("%s", (_, when) => {
    expect(advice(when)).toEqual([]);
  });

  it("again in the batch about a call that had its own event", () => {
    const session = { ...ordinaryFacts.session, settled: ["c1"] };
    expect(advice(batch(call), { session })).toEqual([]);
  });

  it("more than once per file, or about more than two files", () => {
    const of = (name: string): object => ({ ...call, id: name, path: name });
    expect(advice(batch(of("a"), of("a"), of("b"), of("c")))).toHaveLength(2);
  });
});

describe("MD-82 cause of a changed text", () => {
  const session = {
    ...ordinaryFacts.session,
    formatted: [{ path, by: "prettier", at: 1 }],
    written: [path, `${PROJECT}/src/b.ts`],
  };
  it("the advice names the formatter that changed the file", () => {
    expect(advice(failing("no match"), { session })).toEqual([expect.stringContaining("reformatted by prettier")]);
  });
  it("the formatter is also found when the file is named through a link", () => {
    const when = { ...failing("no match"), tool: { ...edit, path: "/link/a.ts" } };
    const targets = { "/link/a.ts": path };
    expect(advice(when, { session, targets })).toEqual([expect.stringContaining("reformatted by prettier")]);
  });
  it("the advice says that this session has written to the file", () => {
    const when = { ...failing("modified since read"), tool: { ...edit, path: "src/b.ts" } };
    expect(advice(when, { session })).toEqual([expect.stringContaining("written to in this session")]);
  });
  it("no cause is given when the text occurs more than once", () => {
    expect(advice(failing("is not unique"), { session })[0]).not.toContain("prettier");
  });
  it("the advice stays short for any file name", () => {
    const calls = ["x".repeat(200), "y".repeat(200)].map((name) => ({
      ...{ id: name, tool: "Edit", path: `/${name}` },
      response: "<tool_use_error>no match",
    }));
    for (const note of advice({ name: "PostToolBatch", calls })) expect(note.length).toBeLessThan(220);
  });
});
