/** Every rule with a sentence that breaks it and one that does not. */
import { describe, expect, it } from "vitest";
import { lintView } from "../../views/playbook.ts";
import { readPlaybook } from "../read.ts";
import { lint } from "./lint.ts";
import { RULES, type RuleName } from "./rules.ts";

const strict = { strict: false };

/** The rules that a criterion with a sound command breaks. */
function faultsOf(criterion: string, run = "npm test", expected = "exit 0"): readonly RuleName[] {
  const proof = run === "" ? "" : `  Run: \`${run}\`\n  Expected: ${expected}\n`;
  const text = `# P\nWhat: a\nWhy: b\nDone when:\n- c 1\n## 1 Component\n- [ ] 1.1 ${criterion}\n${proof}`;
  return lint(readPlaybook(text), text.length, strict).map(({ rule }) => rule);
}

describe("TS-51 PB-67 criteria", () => {
  it.each<readonly [RuleName, string, string]>([
    ["action", "Implement the login form", "The login form has a field for the password"],
    ["action", "ログイン機能を実装する", "ログイン画面にパスワード欄がある画面が 1 つ表示される"],
    ["action", "テストを追加した", "`npm test` が 12 件を表示して 0 で終わる"],
    ["vague", "The error is shown properly", "The error is shown below the field"],
    ["vague", "エラーが適切に表示される", "エラーが入力欄の下に表示される"],
    ["open-ended", "The layout is improved", "The layout has two columns"],
    ["open-ended", "画面が完成している", "画面に五つの項目が並んでいる"],
    ["compound", "The form has a label and the page has a title", "The form has a label"],
    ["compound", "ラベルが表示され、かつ色が赤である", "ラベルの色が赤である"],
    ["tautological", "Component", "The component takes a label"],
    ["needs-close", "The branch is merged", "The branch holds 3 commits"],
    ["needs-close", "PR が main にマージされている", "main との差分が 3 ファイルである"],
    ["proxy", "src/button.ts exists", "src/button.ts exports a function"],
    ["several", "It lists names, ages, towns, streets", "It lists five names"],
    ["hollow", "TBD", "The list has 3 rows"],
  ])("%s: “%s” but not “%s”", (rule, bad, good) => {
    expect(faultsOf(bad)).toContain(rule);
    expect(faultsOf(good)).toEqual([]);
  });

  it("bare-success: only without a condition and without a command", () => {
    expect(faultsOf("The login works", "")).toContain("bare-success");
    expect(faultsOf("ログインが動作する", "")).toContain("bare-success");
    expect(faultsOf("The login works when the password has 12 letters", "")).not.toContain("bare-success");
    expect(faultsOf("The login works")).not.toContain("bare-success");
  });

  it("no-proof: a criterion that nobody can check", () => {
    expect(faultsOf("The page is blue", "")).toEqual(["no-proof"]);
    expect(faultsOf("`curl localhost:3000` answers 200", "")).toEqual([]);
  });

  it("words in quotation marks are named, not said", () => {
    expect(faultsOf("The list of forbidden words has 「適切」")).toEqual([]);
    expect(faultsOf("The page shows `works properly`")).toEqual([]);
  });

  it("one run of a command may show its exit code and its output", () => {
    expect(faultsOf("`npm test` exits with 0 and lists the button suite")).toEqual([]);
  });
});

describe("TS-51 PB-69 commands", () => {
  it.each<readonly [RuleName, string]>([
    ["exit-swallowed", "npm test || true"],
    ["exit-swallowed", "npm test || echo failed"],
    ["exit-swallowed", "test -f a && echo PASS || echo FAIL"],
    ["exit-swallowed", "npm test; echo done"],
    ["exit-swallowed", "npm test &"],
    ["exit-swallowed", "! npm test"],
    ["exit-swallowed", "find tmp -name x -delete 2>/dev/null || true"],
    ["filtered-output", "npm test | tail -3"],
    ["filtered-output", "npm test 2>&1 | grep passed"],
    ["compound-command", "npm run lint && npm test"],
    ["trivial-command", "echo PASS"],
    ["trivial-command", "true"],
    ["proxy-command", "test -f src/button.ts"],
    ["proxy-command", "ls -la src"],
    ["proxy-command", "[ -e src/button.ts ]"],
    ["stale-command", "grep passed logs/test.log"],
    ["pseudo-command", "npm test -- <name of the test>"],
    ["pseudo-command", "手動で確認"],
    ["pseudo-command", "npm run ..."],
  ])("%s: %s", (rule, run) => {
    expect(faultsOf("The label is shown 1 time", run)).toContain(rule);
  });

  it.each([
    ["npm test"],
    ["cd packages/a && npm test"],
    ["npx vitest run -t '日本語の題名'"],
    ["curl -fsS localhost:3000/health"],
    ["CI=1 npm test"],
    ["! false; npm test".slice(9)],
  ])("%s is sound", (run) => {
    expect(faultsOf("The label is shown 1 time", run)).toEqual([]);
  });

  it("unknown-expected: anything but the known forms", () => {
    expect(faultsOf("The label is shown 1 time", "npm test", "all good")).toEqual(["unknown-expected"]);
    for (const known of ["exit 0", "exits with 0", ">= 3", "≥ 3", "<= 3", "== 3", "3", "contains 3 passed"]) {
      expect(faultsOf("The label is shown 1 time", "npm test", known)).toEqual([]);
    }
  });
});

describe("the whole plan", () => {
  const rulesOf = (text: string, options = strict) =>
    lint(readPlaybook(text), text.length, options).map(({ rule, line }) => `${rule}:${line}`);
  const head = "# P\nWhat: a\nWhy: b\nDone when:\n- c 1\n";
  const sound = "- [ ] 1.1 The label is shown 1 time\n  Run: `npm test`\n";

  it.each([
    ["no head", `Goal: x\n## 1 A\n${sound}`, ["no-why:1", "no-done:1"]],
    ["the same id twice", `${head}## 1 A\n${sound}${sound}`, ["duplicate-id:9"]],
    ["an unknown mark", `${head}## 1 A\n${sound.replace("[ ]", "[~]")}`, ["unknown-marker:7"]],
    ["an unknown dependency", `${head}## 1 A\nDepends on: 7\n${sound}`, ["unknown-dependency:6"]],
    ["`Depends:` is a dependency too", `${head}## 1 A\nDepends: 7\n${sound}`, ["unknown-dependency:6"]],
    ["a step without boxes", `${head}## 1 A\nGoal: x\n`, ["no-boxes:6"]],
    ["a step without anything", `${head}## 1 A\n${sound}## 2 B\n\nsome words\n`, ["no-boxes:9"]],
    ["a heading that groups steps is none", `${head}## 1 A\n### 1.1 B\n${sound.replace("1.1 ", "")}`, []],
    [
      "the words of a template",
      `# <title>\nWhat: (what)\nWhy: b\nDone when:\n- [state]\n## 1 (the first step)\n${sound}`,
      ["placeholder:1", "no-what:2", "no-done:4", "placeholder:6"],
    ],
    [
      "two steps of one id are no circle",
      `${head}## 1 A\n${sound}## 2 B\nDepends on: 1\n${sound.replace("1.1", "2.1")}## 1 C\nDepends on: 2\n${sound.replace("1.1", "3.1")}`,
      ["duplicate-id:13"],
    ],
    [
      "a circle",
      `${head}## 1 A\nDepends on: 2\n${sound}## 2 B\nDepends on: 1\n${sound.replace("1.1", "2.1")}`,
      ["cycle:6", "cycle:10"],
    ],
    ["over 2,500 tokens", `${head}## 1 A\n${sound}${"word\n".repeat(2100)}`, ["too-many-tokens:1"]],
    ["a merge conflict", `${head}## 1 A\n<<<<<<< HEAD\n${sound}`, ["conflict:7"]],
  ])("%s", (_, text, rules) => {
    expect(rulesOf(text)).toEqual(rules);
  });

  it("names the word that is vague, and the result that is unknown, where they stand", () => {
    const bad = "- [ ] 1.1 The error is shown properly\n  Run: `npm test`\n  Expected: all good\n";
    const text = `${head}## 1 A\n${bad}`;
    expect(lint(readPlaybook(text), text.length, strict)).toEqual([
      { rule: "vague", line: 7, id: "1.1", words: "The error is shown properly", word: "properly" },
      { rule: "unknown-expected", line: 9, id: "1.1", words: "all good" },
    ]);
    const [view] = lintView({ path: "p.md", text, playbook: readPlaybook(text) }, "ja", strict);
    expect(view?.says).toBe("「properly」はあいまいで、人によって判断が変わる。");
  });

  it("PB-66 the strict reading also demands answers, p_final, p_self_update and validations", () => {
    const steps = [1, 2, 3].map(
      (n) => `## ${n} Step\n- [ ] ${n}.1 The label is shown ${n} times\n  Run: \`npm test\`\n`,
    );
    expect(new Set(lint(readPlaybook(head + steps.join("")), 100, { strict: true }).map(({ rule }) => rule))).toEqual(
      new Set(["no-answers", "no-final", "no-self-update", "no-validations"]),
    );
  });

  it("a plan of another tool keeps its own words", () => {
    const text = "## Phase 1: Setup\n- [ ] T001 Create it properly\n\nRun: `npm test || true`\nExpected: PASS\n";
    expect(rulesOf(text)).toEqual(["exit-swallowed:4"]);
  });

  it("every rule says what is wrong and how to write it, in both languages", () => {
    for (const { says, better } of Object.values(RULES)) {
      for (const words of [says.en, says.ja, better.en, better.ja]) expect(words.length).toBeGreaterThan(4);
      expect(says.ja + better.ja).toMatch(/[ぁ-ん]/);
    }
  });
});
