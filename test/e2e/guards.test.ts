/** Guards of the project's own, trusted and forgotten by a person's command. */
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

const FILE = ".sekisho/guards/no-friday";

function put(stage: Stage, body: string): void {
  stage.write(FILE, `#!/bin/sh\n${body}\n`);
  chmodSync(join(stage.project, FILE), 0o755);
}

const edit = (stage: Stage) => stage.use("Write", { file_path: `${stage.project}/a.md`, content: "x\n" });

describe.skipIf(forPeople.skip)(`PB-82 sekisho guard${forPeople.why}`, () => {
  it("trusts a guard by its content, lists it, and forgets it", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    put(stage, "echo 'no changes today' >&2; exit 1");
    expect(edit(stage).code).toBe(0);
    expect(JSON.parse(stage.sekisho("guard", "--json").stdout)).toMatchObject([
      { name: "no-friday", state: "untrusted" },
    ]);
    expect(stage.sekisho("guard", "trust", "no-friday").code).toBe(0);
    const { code, stderr } = edit(stage);
    expect([code, stderr]).toEqual([2, expect.stringContaining("guard no-friday refuses this: no changes today")]);
    put(stage, "exit 0");
    expect(edit(stage).stderr).toContain("is not the file that a person trusted");
    expect(stage.sekisho("guard").code).toBe(2);
    expect(stage.sekisho("guard", "forget", "no-friday").code).toBe(0);
    expect(edit(stage).code).toBe(0);
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });

  it("is asked by `sekisho judge`, which runs only the guard", () => {
    const stage = openStage();
    put(stage, "exit 0");
    expect(stage.sekisho("guard", "trust", "no-friday").code).toBe(0);
    expect(stage.sekisho("judge", "touch made").code).toBe(0);
    put(stage, "echo 'no changes today' >&2; exit 1");
    expect(stage.sekisho("judge", "touch made").stdout).toContain("is not the file that a person trusted");
    expect(stage.sekisho("guard", "trust", "no-friday").code).toBe(0);
    const { code, stdout } = stage.sekisho("judge", "touch made");
    expect([code, stdout]).toEqual([2, expect.stringContaining("no changes today")]);
    expect(existsSync(join(stage.project, "made"))).toBe(false);
  });

  it("refuses names that lead elsewhere, missing files and files that cannot run", () => {
    const stage = openStage();
    expectFailure(stage.sekisho("guard", "trust", "../x"), /There is no guard/);
    expectFailure(stage.sekisho("guard", "trust", "none"), /There is no guard/);
    stage.write(FILE, "#!/bin/sh\n");
    expectFailure(stage.sekisho("guard", "trust", "no-friday"), /chmod \+x/);
    expectFailure(stage.sekisho("guard", "trust"), /Give its name/);
    expectFailure(stage.sekisho("guard", "explode"), /none of list, trust, forget/);
  });
});
