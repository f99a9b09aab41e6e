/** Hooks in a shared settings file run in the host's worktrees only once the file is committed. */
import { expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const doctor = (stage: Stage) => {
  const { checks } = JSON.parse(stage.sekisho("doctor", "--quick", "--json").stdout) as {
    checks: { id: string; state: string }[];
  };
  return checks.find(({ id }) => id === "worktrees")?.state;
};
const uncommitted = (stage: Stage): unknown =>
  (JSON.parse(stage.sekisho("status", "--json").stdout) as { uncommitted: unknown }).uncommitted;

it("init, status and doctor say that a shared settings file must be committed, until it is", () => {
  const stage = openStage({ registered: false });
  stage.write("a.txt", "1\n");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  const init = stage.sekisho("init", "--yes", "--scope", "project", "--lane", "plain");
  expect(init.stdout).toMatch(/hooks do not run in worktrees \(`claude -w`\) until .*settings\.json is committed/);
  expect(stage.sekisho("status").stdout).toMatch(/not in worktrees \(claude -w\): .*settings\.json isn't committed/);
  expect([doctor(stage), uncommitted(stage)]).toEqual(["warn", expect.stringMatching(/settings\.json$/)]);
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "hooks");
  expect([doctor(stage), uncommitted(stage)]).toEqual(["ok", null]);
  expect(stage.sekisho("status").stdout).not.toContain("not in worktrees");
});

it("hooks of this machine need no commit, and neither does a project without git", () => {
  const [own, bare] = [openStage(), openStage({ git: false, registered: false })];
  expect([doctor(own), uncommitted(own)]).toEqual(["ok", null]);
  expect(bare.sekisho("init", "--yes", "--scope", "project", "--lane", "plain").stdout).not.toContain("worktrees");
});
