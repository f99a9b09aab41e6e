/** `sekisho playbook`: the verbs that read and make plans. */
import { execFileSync } from "node:child_process";
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
    expect(stage.sekisho("playbook", "status").stdout).toMatch(/button\.md:8: a merge conflict/);
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
    expectFailure(stage.sekisho("playbook", "size", "--since", "nowhere"), /git cannot tell/);
    expectFailure(stage.sekisho("playbook", "size", "--since=--output=x"), /is no commit/);
  });

  it("bad input gets a clear error", () => {
    const stage = openStage();
    expectFailure(stage.sekisho("playbook", "lint"), /no playbook in \.sekisho\/playbooks/);
    expectFailure(stage.sekisho("playbook", "lint", "nowhere.md"), /no playbook .nowhere\.md/);
    expectFailure(stage.sekisho("playbook", "begin"), /"begin" is none of status, lint/);
    stage.write("plan.json", "{");
    expectFailure(stage.sekisho("playbook", "status", "plan.json"), /not valid JSON/);
    stage.write("plan.json", "{}");
    expectFailure(stage.sekisho("playbook", "status", "plan.json"), /no plan: it has no list of phases/);
    expectFailure(stage.sekisho("playbook", "status", "."), /no regular file/);
  });
});
