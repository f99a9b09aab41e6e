import { describe, expect, it } from "vitest";
import { lineOf, readYaml } from "./settings-yaml.ts";

const FILE = `# What we agreed on.
language: ja   # of the team
audit:
  # a year
  retention_days: 365  # days
  max_megabytes: 64

branch:
  protect:
    - main
    - "release/*"
# the end
`;

describe("a settings file", () => {
  it.each([
    ["yes", "yes"],
    ["off", "off"],
    ["TRUE", true],
    ["~", null],
    ["0x10", 16],
    ["017", 17],
    ["1_000", "1_000"],
    ["2026-01-31", "2026-01-31"],
  ])("reads %s as YAML 1.2 does", (written, value) => {
    expect(readYaml(`%YAML 1.1\n---\na: ${written}\n`)).toMatchObject({ layer: { a: value } });
  });

  it.each([
    ["a key twice", "a: 1\na: 2\n", 2],
    ["a tab before a key", "a:\n\tb: 1\n", 2],
    ["a NUL", "a: \0\n", 1],
    ["a tag of its own", "a: !!js/function x\n", 1],
    ["a map as a key", "? {a: 1}\n: b\n", undefined],
    ["two documents", "a: 1\n---\nb: 2\n", undefined],
    ["an anchor that is not there", "a: *b\n", 1],
  ])("cannot have %s", (_, text, line) => {
    const result = readYaml(text);
    expect(result).toMatchObject({ problem: expect.any(String) });
    if (line !== undefined) expect(result).toMatchObject({ line });
  });

  it("may repeat a few values by name, but not grow without bound", () => {
    expect(readYaml("a: &x [main]\nb: *x\n")).toMatchObject({ layer: { a: ["main"], b: ["main"] } });
    const levels = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`)}]`);
    expect(readYaml(`a0: &a0 [x]\n${levels.join("\n")}\n`)).toMatchObject({ problem: expect.stringMatching(/alias/) });
  });
});

describe("the line of a setting", () => {
  it.each([
    ["language", 2],
    ["audit", 3],
    ["audit.retention_days", 5],
    ["audit.none", 3],
    ["branch.protect", 9],
    ["novel", undefined],
  ])("%s stands in line %s", (key, line) => expect(lineOf(FILE, key)).toBe(line));

  it("of an entry of a list, however far in it stands", () => {
    expect([0, 1, 2].map((entry) => lineOf(FILE, "branch.protect", entry))).toEqual([10, 11, 9]);
    const rules = "gates:\n  rules:\n  - name: a\n    when:\n      globs:\n        - x\n\n  # two\n  - name: b\n";
    expect([0, 1].map((entry) => lineOf(rules, "gates.rules", entry))).toEqual([3, 9]);
  });

  it("is as near as the writing allows", () => {
    expect(lineOf("a: 1\ngates: {rules: [1]}\n", "gates.rules", 0)).toBe(2);
    expect(lineOf('"a.b": 1\n', "a.b")).toBe(1);
    expect(lineOf("# x\n'gates': # y\n    \"rules\": &a\n    - 1\n", "gates.rules", 0)).toBe(4);
    expect(lineOf("a: &x {b: 1}\nc: *x\n", "c.b")).toBe(2);
    expect(lineOf("a: 1\r\nb:\r\n  c: 2\r\n", "b.c")).toBe(3);
  });
});
