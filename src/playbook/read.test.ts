/** Plans of every dialect, and what a half-written one gives. */
import fc from "fast-check";
import { load as parse } from "js-yaml";
import { describe, expect, it } from "vitest";
import { claimsIn } from "./claims.ts";
import { readPlaybook } from "./read.ts";
import { readV2 } from "./v2.ts";
import { readV16 } from "./v16.ts";
import { writePlaybook } from "./write.ts";

const BUTTON = `# Button

Id: 7f3a9c2e
What: one shared button component
Why: three pages duplicate it
Branch: feat/button
Done when:
- \`npm test\` exits with 0

## 1 Component
Goal: the component is tested
Executor: worker
Max iterations: 5
Stance: building
Scope: src/button/**, test/button/**

- [x] 1.1 The button shows the label it is given
  Run: \`npm test -- button\`
  Expected: exit 0
- [-] 1.2 [P] A disabled button ignores clicks (depends on 1.1)
  Run:
  \`\`\`sh
  npm test -- disabled
  \`\`\`
  Expected: contains "1 passed"

## 2 Pages
Depends on: 1

- [ ] 2.1 The three pages import the button
- [~] 2.2 No page has a button of its own
`;

describe("our own format", () => {
  const playbook = readPlaybook(BUTTON);

  it("PB-63 has what, why, done when, branch and id", () => {
    expect(playbook).toMatchObject({
      dialect: "sekisho",
      title: "Button",
      id: "7f3a9c2e",
      what: "one shared button component",
      why: "three pages duplicate it",
      branch: "feat/button",
      done: [{ words: "`npm test` exits with 0", line: 8 }],
      faults: [],
    });
  });

  it("PB-64 has steps with goal, dependencies, executor, iterations, stance and scope", () => {
    expect(playbook.steps).toMatchObject([
      {
        id: "1",
        title: "Component",
        line: 10,
        goal: "the component is tested",
        executor: "worker",
        iterations: 5,
        stance: "building",
        scope: ["src/button/**", "test/button/**"],
      },
      { id: "2", depends: ["1"], scope: [] },
    ]);
  });

  it("PB-69 has criterion, command and expected result of every box", () => {
    expect(playbook.steps[0]?.subtasks).toMatchObject([
      {
        id: "1.1",
        mark: "done",
        line: 17,
        criterion: "The button shows the label it is given",
        proofs: [{ run: "npm test -- button", expected: "exit 0", line: 18 }],
      },
      {
        id: "1.2",
        mark: "doing",
        parallel: true,
        depends: ["1.1"],
        criterion: "A disabled button ignores clicks",
        proofs: [{ run: "npm test -- disabled", expected: 'contains "1 passed"' }],
      },
    ]);
  });

  it("a mark that nobody knows counts as not done", () => {
    expect(playbook.steps[1]?.subtasks.map(({ mark }) => mark)).toEqual(["open", "unknown"]);
  });

  it("is the same plan after it was written and read again", () => {
    const again = readPlaybook(writePlaybook(playbook));
    const without = (text: string) =>
      JSON.parse(text.replace(/"(line|expectedLine)":\d+/g, '"$1":0').replace(/"~"/g, '"?"')) as unknown;
    expect(without(JSON.stringify(again))).toEqual(without(JSON.stringify(playbook)));
  });

  it("can be written in Japanese", () => {
    const text =
      "# ボタン\n何を: 共通ボタン\nなぜ： 三画面に重複\n完了条件:\n- `npm test` が 0 で終わる\n## 1 部品\n担当: worker\n- [ ] 1.1 ラベルが表示される\n  実行: `npm test`\n  期待: exit 0\n";
    expect(readPlaybook(text)).toMatchObject({
      what: "共通ボタン",
      why: "三画面に重複",
      done: [{ words: "`npm test` が 0 で終わる" }],
      steps: [{ executor: "worker", subtasks: [{ proofs: [{ run: "npm test", expected: "exit 0" }] }] }],
    });
  });
});

describe("plans of other tools", () => {
  it.each([
    [
      "spec-kit",
      "## Phase 1: Setup\n- [X] T001 Make it\n- [ ] T002 [P] [US1] Test it (depends on T001)\n## Phase 2: Rest\n### Sub\n- [ ] T003 Go on",
      [
        ["1", 2],
        ["2", 1],
      ],
    ],
    [
      "kiro",
      "- [x] 1. Set up\n- [x] 1.1 Endpoint\n  - _Requirements: 1.1_\n- [ ] 2. Show\n  - [ ]* 2.1 Badge",
      [
        ["1", 2],
        ["2", 2],
      ],
    ],
    [
      "openspec",
      "## 1. Adapter\n- [x] 1.1 Add it\n- [ ] 1.2 Keep it\n## 2. Tests\n- [ ] 2.1 Test it",
      [
        ["1", 2],
        ["2", 1],
      ],
    ],
    [
      "superpowers",
      "### Task 1: Gate\n- [ ] **Step 1: Write the test**\n\nRun: `npm test`\nExpected: PASS\n\n- [ ] **Step 2: Commit**\n### Task 2: Rest\n- [ ] **Step 1: Go on**",
      [
        ["1", 2],
        ["2", 1],
      ],
    ],
    [
      "checklist",
      "# List\n- [ ] one\n## Later\n* [ ] two\n1. [x] three",
      [
        ["s1", 1],
        ["s2", 2],
      ],
    ],
  ])("%s: steps and boxes", (dialect, text, steps) => {
    const playbook = readPlaybook(text);
    expect(playbook.dialect).toBe(dialect);
    expect(playbook.steps.map(({ id, subtasks }) => [id, subtasks.length])).toEqual(steps);
  });

  it("takes a command below a box without indentation", () => {
    const [step] = readPlaybook("### Task 1: A\n- [ ] **Step 1: Test**\n\nRun: `npm test`\nExpected: PASS\n").steps;
    expect(step?.subtasks).toMatchObject([
      { id: "1.1", named: false, criterion: "Step 1: Test", proofs: [{ run: "npm test", expected: "PASS" }] },
    ]);
  });

  it("leaves out boxes in code blocks, also in longer ones around shorter ones", () => {
    const text = "- [ ] a\n````md\n```\n- [ ] b\n```\n- [ ] c\n````\n- [ ] d\n";
    expect(readPlaybook(text).steps.flatMap(({ subtasks }) => subtasks.map(({ criterion }) => criterion))).toEqual([
      "a",
      "d",
    ]);
  });

  it("a link is not a box", () => {
    expect(readPlaybook("- [x](there)\n- [a]: there\n- [ ] box").steps[0]?.subtasks).toHaveLength(1);
  });
});

const V16 = `# playbook-button.md
## meta
\`\`\`yaml
project: button
branch: feat/button
reviewed: true
\`\`\`
## context
\`\`\`yaml
context: {what: a button, why: three copies, who: authors, when: now, where: src/, how: one component}
\`\`\`
## goal
\`\`\`yaml
summary: one button
done_when:
  - "npm test exits 0"
\`\`\`
## phases
### p1: component
**goal**: it is there
#### subtasks
- [x] **p1.1**: \`npm test -- button\` exits with 0
  - executor: worker
  - validations:
    - technical: "PASS - 12 passed"
    - consistency: "PASS"
    - completeness: "FAIL - click is missing"
- [ ] **p1.2**: the label is shown
**status**: done
**max_iterations**: 5
### p_final: proof
**depends_on**: [p1]
- [x] **p_final.1**: \`npm test\` exits with 0
  - validations: {technical: "PASS – ran it", consistency: "PASS – read it", completeness: "PASS – all"}
**status**: done
## final_tasks
- [ ] **ft1**: committed
`;

describe("TS-51 V16", () => {
  const playbook = readV16(V16, parse);

  it("PB-61 PB-62 has its head in YAML blocks", () => {
    expect(playbook).toMatchObject({
      dialect: "v16",
      title: "button",
      branch: "feat/button",
      what: "one button",
      why: "three copies",
      context: { who: "authors", when: "now", where: "src/", how: "one component" },
      done: [{ words: "npm test exits 0" }],
    });
  });

  it("PB-65 PB-66 has phases, subtasks, p_final and final tasks", () => {
    expect(playbook.steps).toMatchObject([
      { id: "p1", status: "done", iterations: 5, subtasks: [{ id: "p1.1", executor: "worker" }, { id: "p1.2" }] },
      { id: "p_final", depends: ["p1"], subtasks: [{ validations: { technical: "PASS – ran it" } }] },
      { isFinal: true, subtasks: [{ id: "ft1" }] },
    ]);
  });

  it("lists what is claimed and not supported", () => {
    expect(claimsIn(playbook).map(({ kind, id, count }) => [kind, id, count])).toEqual([
      ["open-boxes", "p1", 1],
      ["no-evidence", "p1.1", 1],
      ["not-passed", "p1.1", 1],
      ["ticked", "p1.1", 1],
      ["ticked", "p_final.1", 1],
      ["open-final", "p_final", 1],
    ]);
  });

  it("lists a tick no longer once a record proves it", () => {
    const kinds = claimsIn(playbook, ({ id }) => id === "p_final.1").map(({ kind, id }) => `${kind} ${id}`);
    expect(kinds).not.toContain("ticked p_final.1");
  });

  it("a YAML block that cannot be read is left out", () => {
    expect(readV16(V16.replace("project: button", "project: [button"), parse)).toMatchObject({
      what: "one button",
      steps: [{}, {}, {}],
    });
  });
});

describe("TS-51 version 2", () => {
  const plan = {
    meta: { id: "button", branch: "feat/button" },
    goal: { summary: "one button", done_when: [{ criterion: "tests pass", command: "npm test", expected: "exit 0" }] },
    context: { analysis_result: { data: { "5w1h": { why: "three copies" } } } },
    phases: [
      {
        id: "p1",
        name: "component",
        depends_on: [],
        subtasks: [
          {
            id: "p1.1",
            criterion: "label shown",
            validation_plan: { technical: { command: "npm test -- button", expected: "exit 0" } },
          },
        ],
      },
    ],
  };
  const progress = {
    phases: { p1: { status: "done" } },
    subtasks: {
      "p1.1": {
        status: "done",
        validations: {
          technical: { status: "PASS", evidence: [] },
          consistency: { status: "PASS", evidence: ["read it"] },
        },
      },
    },
  };

  it("is read from the plan", () => {
    expect(readV2(plan)).toMatchObject({
      title: "button",
      what: "one button",
      why: "three copies",
      branch: "feat/button",
      steps: [
        { id: "p1", subtasks: [{ id: "p1.1", mark: "open", proofs: [{ run: "npm test -- button" }] }] },
        { id: "goal", subtasks: [{ criterion: "tests pass", proofs: [{ run: "npm test" }] }] },
      ],
    });
  });

  it("takes claims from the progress, and lists a PASS without evidence", () => {
    const playbook = readV2(plan, progress);
    expect(playbook?.steps[0]).toMatchObject({ status: "done", subtasks: [{ mark: "done" }] });
    expect(playbook && claimsIn(playbook).map(({ kind }) => kind)).toEqual(["no-evidence", "ticked"]);
  });

  it.each([[null], [[]], ["x"], [{ phases: 1 }], [{}]])("%j is no plan", (document) => {
    expect(readV2(document)).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => void readV2({ phases: [one, other] }, other)),
    );
  });
});

describe("a plan that cannot be used", () => {
  it.each([
    ["nothing", "", "empty", 1],
    ["no boxes", "# Title\nsome words\n", "empty", 1],
    ["a merge conflict", "## 1 A\n<<<<<<< HEAD\n- [ ] 1.1 a\n=======\n- [ ] 1.1 b\n>>>>>>> other\n", "conflict", 2],
    ["an open code block", "## 1 A\n- [ ] 1.1 a\n```\n- [ ] 1.2 b\n", "fence", 3],
    ["far too long", `- [ ] a\n${"x\n".repeat(300_000)}`, "too-long", 1],
  ])("%s", (_, text, kind, line) => {
    expect(readPlaybook(text).faults).toContainEqual({ kind, line });
  });

  it("never throws, and every box has a line of the file", () => {
    const part = fc.constantFrom(
      "- [ ] ",
      "- [x]",
      "## 1 ",
      "```\n",
      "\n",
      "  ",
      "Run: `a`",
      "Expected: ",
      "**status**: done",
      "T001 ",
      "1.1 ",
      "<<<<<<< ",
      "[",
      "]",
      "\u2028",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        const count = text.split(/\r\n|[\n\r\u2028\u2029]/).length;
        for (const { line } of readPlaybook(text).steps.flatMap(({ subtasks }) => subtasks)) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(count);
        }
      }),
    );
  });
});
