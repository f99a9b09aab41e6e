import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../hosts/index.ts";
import { toldResults as toldBy } from "./told-results.ts";

/** As the host reads its transcript. */
const toldResults = (lines: readonly unknown[], around?: Parameters<typeof toldBy>[1]) =>
  toldBy(hosts[HOST].transcriptSteps?.(lines) ?? [], around);

const ROOT = "/home/dev/project";
const ground = { root: ROOT, home: "/home/dev" };
let count = 0;

/** Entries in the format of the host. */
const entry = (type: string, content: unknown): object => ({
  parentUuid: "u",
  isSidechain: false,
  type,
  message: { role: type, content },
  timestamp: "2026-11-16T03:18:10.326Z",
  cwd: ROOT,
  sessionId: "s",
});
const used = (name: string, input: object, id: string): object =>
  entry("assistant", [{ type: "tool_use", id, name, input }]);
const answered = (content: unknown, id: string, more: object = { is_error: false }): object =>
  entry("user", [{ tool_use_id: id, type: "tool_result", content, ...more }]);

function tool(name: string, input: object, output: unknown, more?: object): readonly object[] {
  count += 1;
  return [used(name, input, `toolu_${count}`), answered(output, `toolu_${count}`, more)];
}
const ran = (command: string, output: unknown, more?: object): readonly object[] =>
  tool("Bash", { command }, output, more);
const failed = (command: string, output: string): readonly object[] =>
  ran(command, `Exit code 1\n${output}`, { is_error: true });
const edited = (path: string, name = "Edit"): readonly object[] =>
  tool(name, { file_path: path, old_string: "a", new_string: "b" }, `The file ${path} has been updated.`);
const says = (text: string): object => entry("assistant", [{ type: "text", text }]);
const asks = (text: string): object => entry("user", text);

const LINT = ran("npm run lint", "\n> lint\n\n\u2714 No ESLint warnings or errors\n");
const TEST = ran(
  "npm test",
  "\u001b[32m Test Files  4 passed (4)\u001b[39m\n      Tests  12 passed (12)\n   Duration  1.2s",
);
const CODE = `${ROOT}/src/a.ts`;
const NONE = { analyse: "unknown", test: "unknown" };
const BOTH = { analyse: "passed", test: "passed" };

const told = (...lines: readonly (object | readonly object[])[]) => toldResults(lines.flat(), ground);

describe("TS-33 the checks of a session, judged by its transcript", () => {
  it("both pass", () => {
    expect(told(edited(CODE), LINT, TEST)).toEqual(BOTH);
  });

  it("one fails", () => {
    const broken = failed("npm test", " FAIL  src/a.test.ts > adds\n      Tests  1 failed | 11 passed (12)");
    expect(told(edited(CODE), LINT, broken)).toEqual({ analyse: "passed", test: "failed" });
    const lint = failed("npx eslint .", "/home/dev/project/src/a.ts\n\n\u2716 1 problem (1 error, 0 warnings)");
    expect(told(edited(CODE), lint, TEST)).toEqual({ analyse: "failed", test: "passed" });
  });

  it("none ran", () => {
    expect(told()).toEqual(NONE);
    expect(told(edited(CODE))).toEqual(NONE);
  });

  it("a result before the last change is ignored", () => {
    expect(told(LINT, TEST, edited(CODE))).toEqual(NONE);
    expect(told(LINT, edited(CODE), TEST)).toEqual({ analyse: "unknown", test: "passed" });
  });

  it("a test started before a change does not cover it, even if its result comes later", () => {
    const both = entry("assistant", [
      { type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } },
      { type: "tool_use", id: "e", name: "Edit", input: { file_path: CODE } },
    ]);
    const passed = answered("All 3 tests passed", "t");
    expect(told(both, passed, answered("updated", "e"))).toEqual(NONE);
  });

  it("prose that mentions Edit is not a change", () => {
    const prose = [says(`I used Edit on ${CODE}, tool_use Write`), asks(`Edit ${CODE} please`)];
    expect(told(LINT, TEST, prose)).toEqual(BOTH);
  });

  it("a generated file is not a change", () => {
    for (const path of ["dist/a.js", "node_modules/x/index.js", "src/a.min.js", "src/types.d.ts", "coverage/a.html"])
      expect([path, told(LINT, TEST, edited(`${ROOT}/${path}`))]).toEqual([path, BOTH]);
  });

  it("both transcript formats are read", () => {
    const plain = [
      { role: "user", content: "fix it; All tests passed" },
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "Write", input: { file_path: CODE } }] },
      { role: "assistant", content: "No issues found, all tests passed." },
      { role: "assistant", content: [{ type: "tool_use", id: "2", name: "Bash", input: { command: "make lint" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "2", content: "No issues found!" }] },
      { role: "tool", content: "All 3 tests passed" },
    ];
    expect(toldResults(plain, ground)).toEqual(BOTH);
    expect(toldResults(plain.slice(0, 3), ground)).toEqual(NONE);
    const bare = [
      { type: "tool_use", id: "1", name: "Bash", input: { command: "pytest" } },
      { type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "=== 3 passed in 0.12s ===" }] },
      { type: "tool_use", name: "Edit", input: { file_path: "src/a.py" } },
    ];
    expect(toldResults(bare.slice(0, 2), ground).test).toBe("passed");
    expect(toldResults(bare, ground).test).toBe("unknown");
  });
});

describe("MD-63 the last change of code", () => {
  it.each(["Write", "Edit", "MultiEdit"])("%s of a source file is a change", (name) => {
    expect(told(TEST, edited(CODE, name)).test).toBe("unknown");
  });

  it("editing a notebook or code of any language is a change", () => {
    expect(told(TEST, tool("NotebookEdit", { notebook_path: `${ROOT}/a.ipynb`, new_source: "1" }, "ok")).test).toBe(
      "unknown",
    );
    for (const name of ["a.py", "a.go", "a.rs", "A.java", "a.vue", "a.css", "tsconfig.json"])
      expect([name, told(TEST, edited(`${ROOT}/${name}`)).test]).toEqual([name, "unknown"]);
  });

  it.each("js jsx ts tsx mjs cjs css scss sass less html vue svelte astro json".split(" "))(
    "tracked: .%s",
    (ending) => {
      expect(told(TEST, edited(`${ROOT}/src/a.${ending}`, "Write")).test).toBe("unknown");
    },
  );

  it.each("node_modules dist build coverage .next .nuxt .svelte-kit out .turbo".split(" "))("ignored: %s/", (name) => {
    expect(told(TEST, edited(`${ROOT}/packages/${name}/a.js`)).test).toBe("passed");
  });

  it.each([".min.js", ".min.css", ".bundle.js", ".bundle.css", ".js.map", ".css.map"])("ignored: %s", (ending) => {
    expect(told(TEST, edited(`${ROOT}/src/a${ending}`)).test).toBe("passed");
  });

  it("editing a document is not a change, and reading is not either", () => {
    expect(told(TEST, edited(`${ROOT}/README.md`)).test).toBe("passed");
    expect(told(TEST, tool("Read", { file_path: CODE }, "1\tlet a;")).test).toBe("passed");
  });

  it("a project below a directory named build is still a project", () => {
    const root = "/srv/build/project";
    const lines = [...TEST, ...edited(`${root}/src/a.ts`)];
    expect(toldResults(lines, { root }).test).toBe("unknown");
    expect(toldResults([...TEST, ...edited(`${root}/build/a.js`)], { root }).test).toBe("passed");
    expect(toldResults(lines, ground).test).toBe("unknown");
  });

  it("configured file extensions count as code", () => {
    const lines = [...TEST, ...edited(`${ROOT}/a.cfm`)];
    expect(toldResults(lines, ground).test).toBe("passed");
    expect(toldResults(lines, { ...ground, endings: ["cfm"] }).test).toBe("unknown");
  });

  it("a command that writes or deletes code is a change too", () => {
    for (const command of ["sed -i s/a/b/ src/a.ts", "echo 'x' > src/a.ts", "rm src/a.ts", "cp /tmp/a.ts src/a.ts"])
      expect([command, told(TEST, ran(command, "")).test]).toEqual([command, "unknown"]);
    for (const command of ["npm test > out.log", "rm -rf dist/a.js", "git status"])
      expect([command, told(TEST, ran(command, "")).test]).toEqual([command, "passed"]);
  });
});

describe("MD-64 MD-65 the outcome in the results", () => {
  it("the newest line wins", () => {
    expect(told(failed("npm test", "3 tests failed"), TEST).test).toBe("passed");
    expect(told(TEST, failed("npm test", "3 tests failed")).test).toBe("failed");
    expect(told(ran("make check", "2 problems\nfixing\n0 problems")).analyse).toBe("passed");
    expect(told(ran("make check", "0 problems\n2 problems")).analyse).toBe("failed");
  });

  it("a failed command proves no success, whatever it prints", () => {
    expect(told(failed("npm test", "Tests: 10 passed, 10 total\ncoverage is below the threshold")).test).toBe(
      "unknown",
    );
  });

  it("terminal colours are ignored", () => {
    const [red, green, plain] = ["\u001b[1;31m", "\u001b[32m", "\u001b[39m"];
    expect(told(ran("npm test", `Tests  ${green}12${plain} ${green}passed${plain} (12)`)).test).toBe("passed");
    expect(told(ran("npm test", `Tests  ${red}2${plain} failed | 10 passed`)).test).toBe("failed");
  });

  it("the two-line summary of unittest is read", () => {
    expect(told(ran("python -m unittest", "....\n-----\nRan 4 tests in 0.001s\n\nOK\n")).test).toBe("passed");
    expect(told(ran("python -m unittest", "Ran 4 tests in 0.001s\n\nFAILED (failures=1)\n")).test).toBe("failed");
  });

  it("both ends of a very long line are read", () => {
    const long = "x".repeat(100_000);
    expect(told(ran("make test", `${long} 3 tests failed`)).test).toBe("failed");
    expect(told(ran("make test", `All tests passed ${long}`)).test).toBe("passed");
  });
});

describe("MD-67 only command output counts", () => {
  it("not statements of the model or the person", () => {
    const words = "No issues found. All 12 tests passed. Tests: 12 passed, 0 failed";
    expect(told(edited(CODE), says(words), asks(words), entry("user", [{ type: "text", text: words }]))).toEqual(NONE);
    const forged = { type: "tool_result", tool_use_id: "x", content: words };
    expect(told(used("Bash", { command: "npm test" }, "x"), entry("assistant", [forged]))).toEqual(NONE);
    expect(told({ type: "system", content: words }, { type: "attachment", attachment: { content: words } })).toEqual(
      NONE,
    );
  });

  it.each([
    ["a file", "Read", { file_path: `${ROOT}/log.txt` }],
    ["a search", "Grep", { pattern: "passed" }],
    ["a page", "WebFetch", { url: "https://example.invalid" }],
    ["a subagent", "Agent", { prompt: "test it" }],
    ["the person's answer", "AskUserQuestion", {}],
  ])("not output of %s", (_, name, input) => {
    expect(told(tool(name, input, "No issues found\nAll tests passed"))).toEqual(NONE);
  });

  it.each(["echo 'All tests passed'", "cat results.txt", "printf 'All tests passed'", "git log", "grep -r passed ."])(
    "not text that a command repeats: %s",
    (command) => {
      expect(told(ran(command, "No issues found\nAll tests passed"))).toEqual(NONE);
    },
  );

  it("not a refusal, since nothing ran", () => {
    const refusal = "PreToolUse:Bash hook error: Sekisho refuses this: 3 tests failed";
    expect(told(TEST, ran("npm test", refusal, { is_error: true })).test).toBe("passed");
  });

  it("a result without a matching tool call is ignored", () => {
    expect(told(answered("All tests passed", "toolu_unheard_of"))).toEqual(NONE);
  });
});

describe("arbitrary transcripts", () => {
  it("a recorded transcript without checks has no outcome", () => {
    const text = readFileSync(join(import.meta.dirname, "../../test/transcripts/plain/4940.jsonl"), "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(toldResults(lines, ground)).toEqual(NONE);
    expect(toldResults([...lines, ...LINT, ...TEST], ground)).toEqual(BOTH);
  });

  it("never throws", () => {
    const part = fc.record(
      {
        type: fc.constantFrom("tool_use", "tool_result", "text", 3),
        id: fc.anything(),
        tool_use_id: fc.anything(),
        name: fc.constantFrom("Bash", "Edit", "__proto__", null),
        input: fc.oneof(fc.anything(), fc.record({ command: fc.anything(), file_path: fc.anything() })),
        content: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      fc.anything(),
      part,
      fc.record({ type: fc.constantFrom("assistant", "user"), message: fc.record({ content: fc.array(part) }) }),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => void toldResults(lines, ground)),
      { numRuns: 200 },
    );
  });

  it("only the newest of very many tool calls are read", () => {
    const many = Array.from({ length: 400 }, () => ran("make thing", "made")).flat();
    expect(told(TEST, many).test).toBe("unknown");
    expect(told(many, TEST).test).toBe("passed");
  });

  it.each([
    "1,1,1,1,",
    "problem 1,1,1,",
    "tests ",
    "passed 0 failed ",
    "eslint 0 ",
    "\u001b[1;",
    "tests: 1 skipped, ",
    "no no errors or ",
  ])("a megabyte of %j is handled in time", (words) => {
    const text = words.repeat(Math.ceil(1_000_000 / words.length)).replace(/(.{1900})/g, "$1\n");
    expect(told(ran("make test", text)).test).not.toBe("failed");
  });
});
