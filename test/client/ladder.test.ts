/** Plans by size: small work hears nothing of us, larger work needs a plan that a person has read. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CANARY } from "../../src/state/session/session.ts";
import { withOurCommand } from "./our-command.ts";
import { bash, type Step, use } from "./scripted-model.ts";
import { openStage, type Session, type Stage, spokenOf } from "./stage.ts";
import { hasTerminal, sit } from "./terminal.ts";

const FILES = {
  // Committed with the rest: the host tells the model of files that git does not know.
  ".sekisho/config.yaml": "plan:\n  required: auto\n",
  "README.md": "# Teh thing\n",
  "package.json": JSON.stringify({ scripts: { test: "node test.js" } }),
  "test.js": "process.exit(require('./src/b.js').sum(1, 2) === 3 ? 0 : 1);\n",
  "src/a.js": "exports.double = (n) => n * 2;\n",
  "src/b.js": "exports.sum = (a, b) => {\n  return a - b;\n};\n",
  "src/c.js": "exports.c = 1;\n",
  "src/d.js": "exports.d = 1;\n",
};

const edit = (stage: Stage, path: string, before: string, after: string, id?: string): readonly Step[] => [
  use("Read", { file_path: join(stage.project, path) }),
  use("Edit", { file_path: join(stage.project, path), old_string: before, new_string: after }, id),
];

const SMALL = (stage: Stage): readonly Step[] => [
  ...edit(stage, "README.md", "Teh", "The"),
  ...edit(stage, "src/a.js", "(n) => n * 2", "(value) => value * 2"),
  bash("npm test", "failing"),
  ...edit(stage, "src/b.js", "  return a - b;", "  const first = a;\n  const second = b;\n  return first + second;"),
  bash("npm test", "passing"),
];

/** Without the commands that Sekisho sends through its own hooks to see them refused. */
const refusals = (stage: Stage) =>
  stage.audit().filter(({ verdict, session_id }) => session_id !== CANARY && (verdict === "deny" || verdict === "ask"));

describe("plan.required: auto", () => {
  it("a typo, a local rename and the fix of a failing test: no refusal, no question, not a word", async () => {
    const stage = openStage(FILES);
    const session = await stage.session(SMALL(stage));
    expect(stage.read("src/b.js")).toContain("first + second");
    expect(stage.read("src/a.js")).toContain("value * 2");
    expect(refusals(stage)).toEqual([]);
    expect(spokenOf(session)).toEqual([]);
  });

  it("the fourth file is refused once, with the numbers, whatever tool writes it", async () => {
    const stage = openStage(FILES);
    const session: Session = await stage.session([
      ...SMALL(stage),
      ...edit(stage, "src/c.js", "c = 1", "c = 2"),
      ...edit(stage, "src/d.js", "d = 1", "d = 2", "fourth"),
      bash("sed -i s/1/2/ src/d.js", "by sed"),
      bash("npm test", "still open"),
    ]);
    expect(session.told("fourth")).toMatch(/4 files, \d+ lines since the request\. Up to 3 files need no plan\./);
    expect(session.told("by sed")).toMatch(/4 files/);
    expect(session.told("still open")).not.toMatch(/refuses|blocked/i);
    expect(stage.read("src/d.js")).toBe(FILES["src/d.js"]);
    expect(stage.read("src/c.js")).toContain("c = 2");
  });

  it.skipIf(!hasTerminal)(
    "grow drafts a plan, the person approves it in the dialog, and the work goes on",
    async () => {
      const stage = openStage(FILES);
      const question = {
        question: "Do you want to proceed?",
        header: "Plan",
        multiSelect: false,
        options: [
          { label: "approve rename", description: "as it is now" },
          { label: "skip the plan", description: "no plan for this request" },
        ],
      };
      const { questions, requests } = await sit(
        stage,
        [
          ...SMALL(stage),
          ...edit(stage, "src/c.js", "c = 1", "c = 2"),
          ...edit(stage, "src/d.js", "d = 1", "d = 2", "refused"),
          bash("sekisho playbook grow rename", "grown"),
          use("AskUserQuestion", { questions: [question] }, "asked"),
          ...edit(stage, "src/d.js", "d = 1", "d = 2", "approved"),
          bash("npm test"),
        ],
        { PATH: withOurCommand(stage) },
        { readingMs: 500 },
      );
      const told = (id: string) => requests.flatMap(({ results }) => results.get(id) ?? []).at(-1);
      expect(told("refused")).toMatch(/4 files, \d+ lines since the request/);
      expect(stage.read(".sekisho/playbooks/rename.md")).toMatch(/What: Play the story/);
      expect(told("asked")).toContain("approve rename");
      expect(stage.read("src/d.js"), told("approved")).toContain("d = 2");
      expect(questions).toBeGreaterThan(0);
    },
  );
});
