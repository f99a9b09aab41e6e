/**
 * Learning from the person: an approval becomes a suggestion, one command makes it a habit, and nothing happens
 * silently.
 */
import { describe, expect, it } from "vitest";
import { noticeOf, verdictOf } from "./answer.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

const ASKED = "chmod 666 run.sh";

/** The host asks the person, who approves, and the tool runs. */
function saidYes(stage: Stage, command: string, call: string): string {
  const fields = { tool_name: "Bash", tool_input: { command }, tool_use_id: call };
  const verdict = verdictOf(stage.send("PreToolUse", fields));
  stage.send("PostToolUse", { ...fields, tool_response: { stdout: "", stderr: "", interrupted: false } });
  return verdict;
}

function atWork(): Stage {
  const stage = openStage();
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

interface Known {
  readonly suggestions: readonly { readonly id: string; readonly shape: string; readonly times: number }[];
  readonly habits: readonly { readonly id: string; readonly shape: string }[];
}
const known = (stage: Stage): Known => JSON.parse(stage.sekisho("accept", "--json").stdout) as Known;

describe.skipIf(forPeople.skip)(`learning from the person${forPeople.why}`, () => {
  it("an approval is suggested once, and allows nothing by itself", () => {
    const stage = atWork();
    expect(saidYes(stage, ASKED, "c1")).toBe("ask");
    expect(known(stage)).toMatchObject({ suggestions: [{ shape: "chmod 666 <path>", times: 1 }], habits: [] });
    expect(saidYes(stage, "chmod 666 other.sh", "c2")).toBe("ask");
    const [suggestion] = known(stage).suggestions;
    expect(suggestion).toMatchObject({ times: 2 });
    const prompted = noticeOf(stage.send("UserPromptSubmit", { prompt: "go on" }));
    expect(prompted).toContain(`sekisho accept ${suggestion?.id}`);
    expect(noticeOf(stage.send("UserPromptSubmit", { prompt: "go on" }))).toBe("");
  });

  it("one command makes it a habit: for similar commands in this directory, for questions only, until it is dropped", () => {
    const stage = atWork();
    saidYes(stage, ASKED, "c1");
    const id = known(stage).suggestions[0]?.id ?? "";
    const given = stage.sekisho("accept", id);
    expect(given).toMatchObject({ code: 0, stderr: "" });
    expect(given.stdout).toContain("chmod 666 <path>");
    expect(known(stage)).toMatchObject({ suggestions: [], habits: [{ id, shape: "chmod 666 <path>" }] });
    expect(verdictOf(stage.bash("chmod 666 third.sh"))).toBe("pass");
    expect(stage.bash("chmod 666 third.sh").stdout).toBe("");
    expect(verdictOf(stage.bash("chmod 777 third.sh"))).toBe("ask");
    expect(verdictOf(stage.bash("chmod 666 third.sh; systemctl restart x"))).toBe("ask");
    expect(verdictOf(stage.bash("chmod 666 third.sh", { cwd: stage.root }))).toBe("ask");
    expect(verdictOf(stage.bash(`chmod 666 ${stage.journal()}/x`))).toBe("deny");
    const judged = stage.sekisho("judge", "chmod 666 fourth.sh");
    expect(judged).toMatchObject({ code: 0 });
    expect(judged.stdout).toContain(`passes by a person's leave (habit ${id}), although require-trust objects`);
    const lifted = stage.audit().find((line) => "lifted_by" in line);
    expect(lifted).toMatchObject({ verdict: "pass", lifted_by: `habit ${id}` });
    expect(stage.sekisho("accept", id, "--drop").stdout).toContain("asked about again");
    expect(verdictOf(stage.bash("chmod 666 third.sh"))).toBe("ask");
  });

  it("a question names its family, and accepting the family answers all of it in the project", () => {
    const stage = atWork();
    expect(stage.bash("systemctl restart nginx").stdout).toContain("sekisho accept systemctl");
    expect(stage.sekisho("accept", "systemctl")).toMatchObject({ code: 0, stderr: "" });
    expect(known(stage)).toMatchObject({ habits: [{ id: "systemctl", shape: "every systemctl" }] });
    expect(verdictOf(stage.bash("cd src && systemctl reload postgres"))).toBe("pass");
    expect(verdictOf(stage.bash("systemctl reload postgres", { cwd: stage.root }))).toBe("pass");
    expect(verdictOf(stage.bash("systemctl reload postgres; chmod 777 x"))).toBe("ask");
    expect(verdictOf(stage.bash("systemctl poweroff"))).not.toBe("pass");
    expect(verdictOf(stage.bash("sekisho accept chmod"))).toBe("deny");
    expect(stage.sekisho("accept", "no-such-family").code).not.toBe(0);
    expect(stage.sekisho("accept", "systemctl", "--drop").stdout).toContain("asked about again");
    expect(verdictOf(stage.bash("systemctl reload postgres"))).toBe("ask");
  });

  it("a skipped check is asked about until the person says yes once, and only in that session", () => {
    const stage = atWork();
    const commit = (word: string) => `git commit --no-verify -m ${word}`;
    expect(verdictOf(stage.bash(commit("refused"), { tool_use_id: "no" }))).toBe("ask");
    expect(verdictOf(stage.bash(commit("again"), { tool_use_id: "no-2" }))).toBe("ask");
    expect(saidYes(stage, commit("one"), "yes")).toBe("ask");
    expect(verdictOf(stage.bash(commit("two")))).toBe("pass");
    expect(verdictOf(stage.bash("git push --no-verify origin topic"))).toBe("pass");
    expect(verdictOf(stage.bash(`${commit("three")}; git tag -d v1`))).toBe("ask");
    expect(stage.audit().find((line) => "lifted_by" in line)).toMatchObject({ lifted_by: "agreed" });
    stage.send("SessionEnd", { reason: "other" });
    stage.send("SessionStart", { source: "resume" });
    expect(verdictOf(stage.bash(commit("four")))).toBe("ask");
  });

  it("nothing is suggested without a person or after a no", () => {
    const stage = atWork();
    const env = { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    const fields = { tool_name: "Bash", tool_input: { command: ASKED }, tool_use_id: "c1" };
    expect(verdictOf(stage.send("PreToolUse", fields, { env }))).toBe("deny");
    stage.send("PostToolUse", { ...fields, tool_response: {} });
    stage.send("PreToolUse", { ...fields, tool_use_id: "c2" });
    stage.send("PostToolBatch", { tool_calls: [{ tool_name: "Bash", tool_input: {}, tool_use_id: "c2" }] });
    expect(known(stage)).toEqual({ suggestions: [], habits: [] });
  });

  it("invalid arguments change nothing, and an agent cannot accept", () => {
    const stage = atWork();
    saidYes(stage, ASKED, "c1");
    const id = known(stage).suggestions[0]?.id ?? "";
    expectFailure(stage.sekisho("accept", "nope"), /Nothing you said yes to here has an id that begins with "nope"/);
    expectFailure(stage.sekisho("accept", id, "--for", "400d"), /at most 90d/);
    expectFailure(stage.run("env", ["CLAUDECODE=1", "sekisho", "accept", id]), /./);
    expect(known(stage).habits).toEqual([]);
    for (const command of [
      `sekisho accept ${id}`,
      `npx sekisho accept ${id} --for 90d`,
      `sh -c 'sekisho accept ${id}'`,
    ]) {
      expect(verdictOf(stage.bash(command)), command).toBe("deny");
    }
  });
});
