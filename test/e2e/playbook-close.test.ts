/** The end of a plan: proof, archive, what is told, and what may leave the machine. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

const PLAN =
  "# Button\n\nWhat: a button\nWhy: it is missing\nDone when:\n- it is drawn\n\n## 1 Draw it\n\n- [ ] 1.1 it is drawn\n";
const FILE = ".sekisho/playbooks/button.md";

describe.skipIf(forPeople.skip)(`PB-76 sekisho playbook close${forPeople.why}`, () => {
  let stage: Stage;

  beforeEach(() => {
    stage = openStage({ git: true });
    stage.write(".sekisho/config.yaml", 'plan:\n  required: code\n  state_file: "on"\n');
    stage.write(FILE, PLAN);
    stage.git("switch", "-qc", "feat/button");
    stage.git("add", "-A");
    stage.git("commit", "-qm", "plan");
    stage.sekisho("playbook", "approve", "button");
    stage.sekisho("playbook", "start", "button");
  });

  it("needs proof of every step, archives the file, and tells what is in no commit and what is next", () => {
    expectFailure(stage.sekisho("playbook", "archive"), /Nothing has proven step 1 of button/);
    expect(stage.sekisho("playbook", "step", "1", "done").code).toBe(0);
    stage.write("left.ts", "x\n");
    stage.write(".sekisho/playbooks/other.md", PLAN.replace("Button", "Other"));
    const { code, stdout } = stage.sekisho("playbook", "close", "--json");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        path: FILE,
        archived: ".sekisho/playbooks/archive/button.md",
        unproven: [],
        uncommitted: expect.arrayContaining(["left.ts"]),
        published: null,
        next: [".sekisho/playbooks/other.md"],
      },
    ]);
    expect([existsSync(join(stage.project, FILE)), stage.read(".sekisho/playbooks/archive/button.md")]).toEqual([
      false,
      PLAN,
    ]);
    expect(JSON.parse(stage.sekisho("state", "--json").stdout).playbook).toMatchObject({
      active: null,
      last_archived: FILE,
    });
    expect(stage.read("state.md")).toContain("active: null");
    expectFailure(stage.sekisho("playbook", "close", "other"), /not approved/);
  });

  it("a person closes it with a reason, which is recorded", () => {
    expectFailure(stage.sekisho("playbook", "close", "--force", "  "), /Say why/);
    const { code, stdout } = stage.sekisho("playbook", "close", "--force", "withdrawn by the customer");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Not proven: 1")]);
    expect(JSON.stringify(stage.sekisho("audit", "--json").stdout)).toContain("withdrawn by the customer");
  });

  it("an older plan of the same name keeps its place in the archive", () => {
    stage.write(".sekisho/playbooks/archive/button.md", "older\n");
    stage.sekisho("playbook", "close", "--force", "x");
    expect(stage.read(".sekisho/playbooks/archive/button.md")).toBe("older\n");
    expect(stage.read(".sekisho/playbooks/archive/button-2.md")).toBe(PLAN);
  });

  it("an archived plan that is put back is a new plan: nothing of it has passed", () => {
    const stepNow = (): unknown => {
      const [view] = JSON.parse(stage.sekisho("playbook", "status", "button", "--json").stdout) as {
        standing: { is: string };
        steps: { is: string; said: string | null }[];
      }[];
      return [view?.standing.is, view?.steps[0]?.is, view?.steps[0]?.said];
    };
    stage.sekisho("playbook", "step", "1", "done");
    expect(stepNow()).toEqual(["at work", "passed", "done: a person said so"]);
    stage.sekisho("playbook", "close");
    stage.write(FILE, PLAN);
    expect(stepNow()).toEqual(["draft", "open", null]);
    stage.sekisho("playbook", "approve", "button");
    expect(stepNow()).toEqual(["approved", "open", null]);
    expectFailure(stage.sekisho("playbook", "step", "1"), /button\.md is not begun/);
    expectFailure(stage.sekisho("playbook", "archive"), /Nothing has proven step 1 of button/);
  });

  it("PB-76 X18 nothing is pushed unless a person has allowed it and asks for it", () => {
    stage.sekisho("playbook", "step", "1", "done");
    stage.git("init", "-q", "--bare", join(stage.root, "origin.git"));
    stage.git("remote", "add", "origin", join(stage.root, "origin.git"));
    const bin = join(stage.root, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "gh"),
      `#!/bin/sh\n[ "$2" = view ] && exit 1\necho "$*" >> "${join(stage.root, "gh.log")}"\necho https://example.invalid/1\n`,
    );
    chmodSync(join(bin, "gh"), 0o755);
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    expectFailure(stage.sekishoWith(env, "playbook", "close", "--pr"), /Publishing is not allowed here/);
    stage.sekisho("config", "set", "plan.publish", "pr");
    expectFailure(stage.sekishoWith(env, "playbook", "close", "--merge"), /Publishing is not allowed here/);
    expectFailure(stage.sekishoWith(env, "playbook", "close", "--pr"), /not committed: commit them first/);
    expect(existsSync(join(stage.root, "gh.log"))).toBe(false);
    stage.git("add", "-A");
    stage.git("commit", "-qm", "all");
    const { code, stdout } = stage.sekishoWith(env, "playbook", "close", "--pr");
    expect([code, stdout]).toEqual([0, expect.stringContaining("https://example.invalid/1")]);
    expect(stage.git("ls-remote", "origin")).toContain("refs/heads/feat/button");
    expect(existsSync(join(stage.project, FILE))).toBe(false);
  });
});

describe("PB-76 in an agent's shell", () => {
  it("closing and forcing are the person's, archiving what is proven is open", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    expect(stage.bash("sekisho playbook close button").code).toBe(2);
    expect(stage.bash('sekisho playbook close button --force "x"').code).toBe(2);
    expect(stage.bash("sekisho playbook archive").code).toBe(0);
  });
});
