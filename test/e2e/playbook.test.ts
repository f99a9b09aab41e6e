/** `sekisho playbook`: the verbs that read and make plans. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectFailure } from "./day.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

const BUTTON = `# Button

What: one shared button component
Why: three pages duplicate it
Done when:
- \`npm test\` exits with 0

## 1 Component

- [x] 1.1 The button shows the label it is given
  Run: \`npm test || true\`
- [ ] 1.2 Improve the layout
  Run: \`npm test\`
`;

const V16 = `# playbook-button.md
## goal
\`\`\`yaml
summary: one button
done_when: ["npm test exits 0"]
\`\`\`
## phases
### p1: component
- [x] **p1.1**: the label is shown
  - test_command: \`npm test -- button && echo PASS || echo FAIL\`
  - validations:
    - technical: "PASS"
- [ ] **p1.2**: a disabled button ignores clicks
**status**: done
`;

describe("sekisho playbook", () => {
  it("makes a draft that lint sends back to its author", () => {
    const stage = openStage();
    expect(stage.sekisho("playbook", "new", "button").code).toBe(0);
    const { code, stdout } = stage.sekisho("playbook", "lint", "button", "--json");
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; at: string }[] };
    expect(code).toBe(2);
    expect(findings.map(({ rule }) => rule)).toEqual(["no-what", "no-why", "no-done", "placeholder", "hollow"]);
    expectFailure(stage.sekisho("playbook", "new", "button"), /already there\. Nothing was changed/);
    expectFailure(stage.sekisho("playbook", "new", "../button"), /no name for a playbook/);
  });

  it("a plan in our directory is held to our rules, whatever it leaves out; approving it says so", () => {
    const stage = openStage();
    stage.write(".sekisho/playbooks/short.md", "# Short\n\n## 1 a\n\n- [ ] 1.1 Make it nice\n");
    const { code, stdout } = stage.sekisho("playbook", "lint", "short", "--json");
    const { findings } = JSON.parse(stdout) as { findings: { rule: string }[] };
    expect(code).toBe(2);
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["no-what", "no-why"]));
    const approved = stage.sekisho("playbook", "approve", "short");
    expect(approved.code).toBe(0);
    expect(approved.stdout + approved.stderr).toMatch(/Lint finds \d+ errors in it/);
  });

  it("check proves nothing where there is no command, and runs nothing of a file that is no plan", () => {
    const stage = openStage();
    stage.write("TODO.md", "- [ ] one\n- [ ] two\n");
    expect(stage.sekisho("playbook", "check", "TODO.md").code).toBe(2);
    stage.write(".sekisho/playbooks/button.md", BUTTON.replace("## 1", "<<<<<<< HEAD\n## 1"));
    expectFailure(stage.sekisho("playbook", "check", "button"), /button\.md:8: this is no plan that can be checked/);
  });

  it("status shows all plans from any directory, the adopted one too, and a file that is no plan hides none", () => {
    const stage = openStage();
    stage.write(".sekisho/playbooks/button.md", BUTTON);
    stage.write(".sekisho/playbooks/folder.md/x", "");
    stage.write("docs/TODO.md", "# Todo\n\n- [ ] one\n");
    expect(stage.sekisho("playbook", "adopt", "docs/TODO.md").code).toBe(0);
    for (const directory of [".", "docs"]) {
      const { code, stdout } = stage.run(process.execPath, [program.bundle, "playbook", "status"], {
        cwd: join(stage.project, directory),
      });
      expect(code).toBe(0);
      expect(stdout).toMatch(/folder\.md is no regular file/);
      expect(stdout).toMatch(/^Button /m);
      expect(stdout).toMatch(/^Todo /m);
    }
  });

  it("a name may be given with its ending", () => {
    const stage = openStage();
    expect(stage.sekisho("playbook", "new", "button.md").code).toBe(0);
    expect(stage.read(".sekisho/playbooks/button.md")).toMatch(/^# button$/m);
  });

  it("PB-67 explains each broken rule with file, line and a better wording, in both languages", () => {
    const stage = openStage();
    stage.write(".sekisho/playbooks/button.md", BUTTON);
    const { code, stdout } = stage.sekisho("playbook", "lint");
    expect(code).toBe(2);
    expect(stdout).toMatch(/button\.md:11 {2}1\.1 exit-swallowed/);
    expect(stdout).toMatch(/button\.md:12 {2}1\.2 open-ended/);
    expect(stdout).toMatch(/→ Say what is there afterwards/);
    expect(stdout).toMatch(/3 errors, 0 warnings/);
    stage.write(".sekisho/config.yaml", "language: ja\n");
    expect(stage.sekisho("playbook", "lint").stdout).toMatch(/コマンドが失敗しても 0 で終わる/);
  });

  it("shows progress as a claim, and says what cannot be read", () => {
    const stage = openStage();
    stage.write(".sekisho/playbooks/button.md", BUTTON);
    const { stdout } = stage.sekisho("playbook", "status");
    expect(stdout).toMatch(/^Button {2}▒{5}·{5} 0 of 2 proven, 1 claimed/);
    expect(stdout).toMatch(/1 tick is a claim: nothing here proves it/);
    stage.write(".sekisho/playbooks/button.md", BUTTON.replace("## 1", "<<<<<<< HEAD\n## 1"));
    expect(stage.sekisho("playbook", "status").stdout).toMatch(/button\.md:8: A merge conflict/);
    const [view] = JSON.parse(stage.sekisho("playbook", "status", "--json").stdout) as { faults: unknown[] }[];
    expect(view?.faults).toEqual([{ kind: "conflict", line: 8 }]);
  });

  it("imports a V16 plan without its claims, and lists them", () => {
    const stage = openStage();
    stage.write("plan/playbook-button.md", V16);
    const { code, stdout } = stage.sekisho("playbook", "import", "plan/playbook-button.md");
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 command ended in/);
    expect(stdout).toMatch(/p1 is marked done with 1 open box/);
    expect(stdout).toMatch(/p1\.1 has 1 PASS without evidence/);
    const made = stage.read(".sekisho/playbooks/button.md");
    expect(made).toMatch(/What: one button/);
    expect(made).toMatch(/- \[ \] p1\.1 the label is shown\n {2}Run: `npm test -- button`\n {2}Expected: exit 0/);
    expect(made).not.toMatch(/PASS|done\n/);
  });

  it("measures a change by what counts in it", () => {
    const stage = openStage();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: stage.project, stdio: "pipe" });
    const sizeNow = () =>
      JSON.parse(stage.sekisho("playbook", "size", "--json").stdout) as { tier: string; files: string[] };
    git("init", "--quiet");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "--quiet", "-m", "begin");
    stage.write("notes.md", "many\nwords\n".repeat(50));
    expect(sizeNow()).toMatchObject({ tier: "free", files: [] });
    for (const name of ["a", "b", "c"]) stage.write(`src/${name}.ts`, `// ${name}\nexport const ${name} = 1;\n`);
    expect(sizeNow().tier).toBe("S");
    stage.write("src/d.ts", "export const d = 1;\n");
    expect(sizeNow()).toMatchObject({ tier: "M", files: ["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"] });
    expectFailure(stage.sekisho("playbook", "size", "--since", "nowhere"), /git knows no commit "nowhere"/);
    expectFailure(stage.sekisho("playbook", "size", "--since=--output=x"), /is no commit/);
  });

  it("bad input gets a clear error", () => {
    const stage = openStage();
    expectFailure(stage.sekisho("playbook", "lint"), /no playbook in \.sekisho\/playbooks/);
    expectFailure(stage.sekisho("playbook", "lint", "nowhere.md"), /no playbook .nowhere\.md/);
    expectFailure(stage.sekisho("playbook", "begin"), /There is no `sekisho playbook begin`\. They are: status, lint/);
    stage.write("plan.json", "{");
    expectFailure(stage.sekisho("playbook", "status", "plan.json"), /not valid JSON/);
    stage.write("plan.json", "{}");
    expectFailure(stage.sekisho("playbook", "status", "plan.json"), /no plan: it has no list of phases/);
    expectFailure(stage.sekisho("playbook", "status", "."), /no regular file/);
  });

  it("names the cause where nothing can be measured, grown or imported, and writes nothing", () => {
    const stage = openStage();
    rmSync(join(stage.project, ".git"), { recursive: true, force: true });
    expectFailure(stage.sekisho("playbook", "size"), /is in no git repository/);
    stage.git("init", "--quiet");
    expectFailure(stage.sekisho("playbook", "size"), /has no commit yet/);
    for (const words of [
      ["size", "--since", "request"],
      ["grow", "button"],
    ])
      expectFailure(stage.sekisho("playbook", ...words), /No session of an agent has been seen in this project/);
    stage.write("notes.md", "# Notes\n\n## 1 Begin\n\nWhat: words\n");
    expectFailure(stage.sekisho("playbook", "import", "notes.md"), /has no boxes .* Nothing was written/);
    expect(stage.read(".sekisho/playbooks/button.md")).toBeUndefined();
    expect(stage.read(".sekisho/playbooks/notes.md")).toBeUndefined();
    stage.send("SessionStart", { source: "startup" });
    expectFailure(stage.sekisho("playbook", "size", "--since", "request"), /plan\.required: auto`, and it is off here/);
    stage.write(".sekisho/config.yaml", "plan: { required: auto }\n");
    expectFailure(stage.sekisho("playbook", "size", "--since", "request"), /Nothing has been counted/);
  });

  it("an imported plan names the next commands", () => {
    const stage = openStage();
    stage.write("TODO.md", "# Todo\n\n- [ ] one\n");
    const { stdout } = stage.sekisho("playbook", "import", "TODO.md", "--as", "todo");
    const [{ steps }] = JSON.parse(stage.sekisho("playbook", "status", "todo", "--json").stdout) as [
      { steps: { id: string; title: string }[] },
    ];
    expect(steps).toMatchObject([{ id: "s1", title: "Todo" }]);
    expect(stdout).toMatch(/`sekisho playbook lint todo`.*`sekisho playbook approve todo`/);
  });

  it("with --json an error is JSON too", () => {
    const stage = openStage();
    for (const words of [["status", "none"], ["lint"], ["explode"], ["size"], ["status", "--strange"]]) {
      const { code, stdout, stderr } = stage.sekisho("playbook", ...words, "--json");
      const { error } = JSON.parse(stdout) as { error: string };
      expect([code, stderr]).toEqual([1, expect.stringContaining(error.split("\n")[0] ?? "")]);
    }
    expect(stage.sekisho("playbook", "reviw").stderr).toMatch(/playbook reviw` \(did you mean review\?\)\. See/);
  });

  it("speaks Japanese where the language is Japanese", () => {
    const stage = openStage({ git: true });
    stage.write(".sekisho/config.yaml", "language: ja\n");
    expect(stage.sekisho("playbook").stdout).toMatch(/計画はまだありません/);
    expect(stage.sekisho("playbook", "new", "draft").stdout).toMatch(/記入したら `sekisho playbook lint draft`/);
    expect(stage.read(".sekisho/playbooks/draft.md")).toMatch(/What: \(何を作るか、一行で\)/);
    expect(stage.sekisho("playbook", "lint", "draft").stdout).toMatch(/エラー 5 件、警告 0 件です。/);
    stage.write(".sekisho/playbooks/button.md", BUTTON);
    expectFailure(stage.sekisho("playbook", "start", "button"), /承認されていません.*approve button/);
    expect(stage.sekisho("playbook", "approve", "button").stdout).toMatch(/今の内容で承認しました/);
    expect(stage.sekisho("playbook", "start", "button").stdout).toMatch(/作業を開始しました\(ステップ 1\)/);
    expectFailure(stage.sekisho("playbook", "step", "9"), /ステップ「9」はありません。あるのは 1 です/);
    expectFailure(stage.sekisho("playbook", "archive", "button"), /ステップ 1 は証明されていません.*status button/);
    const status = stage.sekisho("playbook", "status", "button").stdout;
    expect(status).toMatch(/2 件中 0 件を証明、1 件は申告のみ/);
    expect(status).toMatch(/作業中です/);
    expect(status).toMatch(/未完了/);
  });

  it("says to a person what the person can do before a plan can start", () => {
    const stage = openStage({ git: true });
    stage.write(".sekisho/playbooks/button.md", BUTTON);
    const early = stage.sekisho("playbook", "start", "button").stderr;
    expect(early).toMatch(
      /You have not approved button as it is now\. Read it, then `sekisho playbook approve button`/,
    );
    expect(early).not.toMatch(/Ask the person|Agent tool/);
    stage.write(".sekisho/config.yaml", "plan: { review: reviewer }\n");
    stage.sekisho("playbook", "approve", "button");
    expect(stage.sekisho("playbook", "start", "button").stderr).toMatch(/Tell the agent to start the subagent/);
  });

  it("says how a step becomes done, where its commands have passed and where another waits for it", () => {
    const stage = openStage({ git: true });
    const box = "- [ ] 1.1 The label is shown\n  Run: `node ../ok.cjs`\n";
    stage.write("../ok.cjs", "");
    const second = `\n## 2 Page\n\nDepends on: 1\n${box.replace("1.1", "2.1")}`;
    stage.write(".sekisho/playbooks/button.md", `${BUTTON.split("- [x]")[0]}${box}${second}`);
    for (const verb of ["approve", "start", "check"]) stage.sekisho("playbook", verb, "button");
    expect(stage.sekisho("playbook", "status", "button").stdout).toMatch(
      /Every command has passed.*playbook step 1 done/,
    );
    expectFailure(stage.sekisho("playbook", "step", "2"), /Step 2 comes after 1\. .*`sekisho playbook step 1 done`/);
    stage.sekisho("playbook", "step", "1", "done");
    expect(stage.sekisho("playbook", "step", "2").code).toBe(0);
  });

  it("approve and adopt say in words why a file is no plan", () => {
    const stage = openStage();
    stage.write(".sekisho/playbooks/button.md", BUTTON.replace("## 1", "<<<<<<< HEAD\n## 1"));
    stage.write("docs/empty.md", "# Words\n\nnothing else\n");
    const approve = /button\.md:8: A merge conflict is left in the file\. Keep one side[\s\S]*Nothing was approved/;
    expectFailure(stage.sekisho("playbook", "approve", "button"), approve);
    expectFailure(
      stage.sekisho("playbook", "adopt", "docs/empty.md"),
      /empty\.md:1: There are no steps\. Add a heading/,
    );
  });

  it("check runs equal commands once, unless the files have changed between them", () => {
    const stage = openStage({ git: true });
    const box = (id: string, run: string): string => `- [ ] ${id} The run ${id} is counted\n  Run: \`${run}\`\n`;
    const count = "node ../count.cjs";
    stage.write("../count.cjs", 'require("node:fs").appendFileSync("../runs", "x");\n');
    stage.write("../change.cjs", 'require("node:fs").writeFileSync("made.js", "1\\n");\n');
    const plan = `${BUTTON.split("- [x]")[0]}${box("1.1", count)}${box("1.2", count)}${box("1.3", count)}`;
    stage.write(".sekisho/playbooks/button.md", plan);
    const check = () => {
      const { stdout } = stage.sekisho("playbook", "check", "button", "--json");
      return (JSON.parse(stdout) as { results: { outcome: string; as: string | null }[] }).results.map(
        ({ outcome, as }) => `${outcome} ${as}`,
      );
    };
    expect(check()).toEqual(["passed null", "passed 1.1", "passed 1.1"]);
    expect(stage.read("../runs")).toBe("x");
    stage.write(".sekisho/playbooks/button.md", plan.replace(box("1.2", count), box("1.2", "node ../change.cjs")));
    expect(check()).toEqual(["passed null", "passed null", "passed null"]);
    expect(stage.read("../runs")).toBe("xxx");
  });
});
