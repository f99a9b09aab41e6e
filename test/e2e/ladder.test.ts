/** A change needs a plan that fits its size, counted from the person's request. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const PLAN = `# Rename

What: one name for the thing
Why: two names confuse people
Done when:
- \`npm test\` exits with 0

## 1 Rename

- [ ] 1.1 The thing has 1 name
  Run: \`npm test\`
  Expected: exit 0
`;

describe("the ladder: plan.required auto", () => {
  let stage: Stage;
  const file = (path: string) => join(stage.project, path);
  /** The change as it would be judged, and made if it passes. */
  const write = (path: string, content = "export const a = 1;\n") => {
    const answer = stage.use("Write", { file_path: file(path), content });
    if (answer.code === 0) stage.write(path, content);
    return answer;
  };
  const request = (prompt: string) => stage.send("UserPromptSubmit", { prompt });

  beforeEach(() => {
    stage = openStage();
    stage.git("init", "-q");
    stage.write(".sekisho/config.yaml", "plan:\n  required: auto\n");
    for (const name of ["a", "b", "c", "d", "e"]) stage.write(`src/${name}.ts`, `export const ${name} = 0;\n`);
    stage.write("README.md", "# It\n");
    stage.git("add", "-A");
    stage.git("commit", "-qm", "base");
    stage.send("SessionStart", { source: "startup" });
    request("work on it");
  });

  it("small work is neither refused nor told anything; the fourth file is refused with the numbers", () => {
    for (const path of ["README.md", "src/a.ts", "src/b.ts", "src/c.ts", "docs/x.md", "src/a.ts"]) {
      const { code, stdout } = write(path);
      expect([path, code, stdout]).toEqual([path, 0, ""]);
    }
    const { code, stderr } = write("src/d.ts");
    expect(code).toBe(2);
    expect(stderr).toMatch(/4 files, 7 lines since the request\. Up to 3 files need no plan\./);
    expect(stderr).toMatch(/`sekisho playbook grow NAME`/);
    expect(write("src/b.ts", "export const b = 2;\n").code, "the three go on").toBe(0);
    expect(stage.bash("npm test").code).toBe(0);
    expect(stage.bash("git commit -am x").code).toBe(0);
  });

  it.each([
    ["sed", "sed -i s/0/1/ src/d.ts"],
    ["a redirection", "echo x > src/d.ts"],
    ["a here document", "cat > src/d.ts <<'E'\nexport const d = 1;\nE"],
    ["tee", "tee src/d.ts < src/a.ts"],
    ["a deletion", "rm src/d.ts src/e.ts"],
  ])("%s counts as well", (_, command) => {
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) write(path);
    expect(stage.bash(command).code).toBe(command.startsWith("rm") ? 0 : 2);
  });

  it("what a program wrote is counted before the next change, even if it was committed", () => {
    expect(stage.bash("python3 make.py").code).toBe(0);
    for (const name of ["a", "b", "c", "d", "e"]) stage.write(`src/${name}.ts`, `export const ${name} = 9;\n`);
    stage.git("commit", "-qam", "made");
    const { code, stderr } = write("src/a.ts");
    expect(code).toBe(2);
    expect(stderr).toMatch(/5 files, 11 lines since the request/);
    expect(stage.bash("python3 make.py").code, "more of the same").toBe(2);
    expect(stage.bash("sekisho playbook grow made").code).toBe(0);
    expect(stage.bash("git status").code).toBe(0);
  });

  it("telling git not to look hides nothing", () => {
    for (const name of ["a", "b", "c"]) {
      write(`src/${name}.ts`);
      stage.git("update-index", "--assume-unchanged", `src/${name}.ts`);
    }
    expect(write("src/d.ts").stderr).toMatch(/4 files/);
  });

  it("work from before the request does not count", () => {
    for (const name of ["a", "b", "c", "d", "e"]) stage.write(`src/${name}.ts`, `export const ${name} = 7;\n`);
    request("now something small");
    stage.bash("python3 look.py");
    expect(write("README.md", "# That\n").code).toBe(0);
    expect(write("src/x.ts").code).toBe(0);
  });

  it("a branch that is checked out is not the agent's work", () => {
    stage.git("switch", "-qc", "other");
    for (const name of ["a", "b", "c", "d", "e"]) stage.write(`src/${name}.ts`, `export const ${name} = 8;\n`);
    stage.git("commit", "-qam", "other");
    stage.git("switch", "-q", "-");
    const move = { tool_name: "Bash", tool_input: { command: "git switch other" }, tool_use_id: "m1" };
    stage.send("PreToolUse", move);
    stage.git("switch", "-q", "other");
    stage.send("PostToolUse", { ...move, tool_response: { stdout: "", stderr: "" } });
    stage.bash("python3 look.py");
    expect(write("src/a.ts").code).toBe(0);
  });

  it("comments and formatting do not count, dependency files need a plan at once", () => {
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) write(path);
    const comment = { file_path: file("src/d.ts"), old_string: "export", new_string: "// why\nexport" };
    expect(stage.use("Edit", comment).code).toBe(0);
    request("now the next thing");
    const { code, stderr } = write("package.json", "{}\n");
    expect(code).toBe(2);
    expect(stderr).toMatch(/package\.json names dependencies, so it needs a plan/);
  });

  it("the count begins anew with a person's request, and with nothing else", () => {
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) write(path);
    stage.send("UserPromptSubmit", { prompt: "go on with the next" }, { isForged: true });
    expect(write("src/d.ts").code).toBe(2);
    request("now d and e");
    expect([write("src/d.ts").code, write("src/e.ts").code]).toEqual([0, 0]);
  });

  it("an approved plan opens it; a plan that grew beyond a short one is asked about once more", () => {
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) write(path);
    stage.write(".sekisho/playbooks/rename.md", PLAN);
    expect(write("src/d.ts").stderr).toMatch(/`sekisho playbook lint rename`.*`approve rename`/s);
    const asked = { tool_name: "AskUserQuestion", tool_input: { questions: [] }, tool_use_id: "q1" };
    const approve = (id: string) => {
      stage.send("PreToolUse", { ...asked, tool_use_id: id });
      stage.send("PostToolUse", { ...asked, tool_use_id: id, tool_response: { answers: { "Go?": "approve rename" } } });
    };
    approve("q1");
    for (let at = 4; at <= 10; at++) expect([at, write(`src/n${at}.ts`).code]).toEqual([at, 0]);
    const { code, stderr } = write("src/n11.ts");
    expect(code).toBe(2);
    expect(stderr).toMatch(/11 files, \d+ lines since the request\. The short plan .*rename\.md covers up to 10 files/);
    expect(stderr).toMatch(/`approve rename`/);
    approve("q2");
    expect([write("src/n11.ts").code, write("src/n12.ts").code]).toEqual([0, 0]);
  });

  it("a person can skip the plan, by a prompt or an answer; the agent cannot", () => {
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) write(path);
    stage.send("UserPromptSubmit", { prompt: "skip the plan" }, { isForged: true });
    const asked = { tool_name: "AskUserQuestion", tool_input: { questions: [] }, tool_use_id: "q1" };
    const answered = { ...asked, tool_response: { answers: { "Go?": "skip the plan" } } };
    stage.send("PostToolUse", { ...answered, tool_use_id: "q0" }, { isForged: true });
    expect(write("src/d.ts").code).toBe(2);
    stage.send("PreToolUse", asked);
    expect(stage.send("PostToolUse", answered).stdout).toMatch(/no plan is asked for until your next prompt/);
    expect(write("src/d.ts").code).toBe(0);
    request("rename them all, skip the plan");
    for (const name of ["a", "b", "c", "d", "e"]) expect(write(`src/${name}.ts`, "x = 3\n").code).toBe(0);
  });

  it("where git cannot tell, the names that tool uses showed are counted", () => {
    rmSync(file(".git"), { recursive: true });
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) expect(write(path).code).toBe(0);
    expect(write("src/d.ts").stderr).toMatch(/4 files since the request/);
  });

  it("S needs one passing command at the end, free nothing", () => {
    const stop = () => stage.send("Stop", { last_assistant_message: "done" });
    write("src/a.ts");
    expect(stop().stdout).toBe("");
    request("two files");
    write("src/a.ts", "export const a = 5;\n");
    write("src/b.ts", "export const b = 5;\n");
    expect(stop().stdout).toMatch(/2 files, \d+ lines since the request\. No command has passed/);
    const ran = { tool_name: "Bash", tool_input: { command: "node src/a.ts" }, tool_use_id: "r1" };
    stage.send("PreToolUse", ran);
    stage.send("PostToolUse", { ...ran, tool_response: { stdout: "", stderr: "" } });
    expect(stop().stdout).toBe("");
  });

  it("what a program made without a plan is not done at the end either", () => {
    stage.bash("python3 make.py");
    for (const name of ["a", "b", "c", "d"]) stage.write(`src/${name}.ts`, `export const ${name} = 9;\n`);
    expect(stage.send("Stop", { last_assistant_message: "done" }).stdout).toMatch(/4 files, 8 lines since the request/);
  });

  it("grow drafts a plan from what was done, which lint finds incomplete but sound", () => {
    request("rename the thing in all modules");
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) write(path);
    const { stdout } = stage.sekisho("playbook", "grow", "rename", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      path: ".sekisho/playbooks/rename.md",
      size: { tier: "S", files: ["src/a.ts", "src/b.ts", "src/c.ts"] },
    });
    expect(stage.read(".sekisho/playbooks/rename.md")).toMatch(/What: rename the thing in all modules/);
    const { findings } = JSON.parse(stage.sekisho("playbook", "lint", "rename", "--json").stdout) as {
      findings: { id: string; rule: string }[];
    };
    expect(findings.filter(({ id }) => id.startsWith("1"))).toEqual([]);
    expect(findings).not.toEqual([]);
    expect(stage.sekisho("playbook", "grow", "rename").stderr).toMatch(/already there/);
    const size = JSON.parse(stage.sekisho("playbook", "size", "--since", "request", "--json").stdout);
    expect(size).toMatchObject({ tier: "S", lines: 6 });
  });
});
