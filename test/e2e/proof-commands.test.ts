/** The verification commands on the built program: what they run, record, reuse and show. */
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { openStage, registeredEvents, type Stage } from "./stage.ts";

/** Each run of the test leaves a mark outside the tree. */
function project(test = "node test.js"): Stage {
  const stage = openStage();
  stage.write("package.json", JSON.stringify({ scripts: { test } }));
  stage.write("test.js", 'require("fs").appendFileSync(process.env.HOME + "/runs", "x"); process.exit(0);\n');
  stage.write("a.js", "1\n");
  stage.write("README.md", "# a\n");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  return stage;
}

const runs = ({ run, home }: Stage): number => run("cat", [`${home}/runs`]).stdout.length;

interface Certificate {
  readonly status: string;
  readonly digest: { readonly tree: string; readonly files: string } | null;
  readonly checks: readonly {
    readonly check: string;
    readonly standing: string;
    readonly command: string;
    readonly exitCode: number | null;
    readonly started: string | null;
    readonly ended: string | null;
    readonly files: string | null;
    readonly verifier: string | null;
  }[];
}

function certificate(stage: Stage, ...args: readonly string[]): { code: number | null; shown: Certificate } {
  const { code, stdout } = stage.sekisho("certificate", "--json", ...args);
  return { code, shown: JSON.parse(stdout) as Certificate };
}

describe.skipIf(forPeople.skip)(`verify and certificate${forPeople.why}`, () => {
  it("PL-44 runs missing checks, records command, exit code, times and digest, and reports the status", () => {
    const stage = project();
    expect(certificate(stage)).toMatchObject({ code: 2, shown: { status: "unverified" } });
    const { code, stdout } = stage.sekisho("verify");
    expect(code).toBe(0);
    expect(stdout).toContain("[1/1] test  npm test");
    expect(stdout).toContain("passed");
    const { code: after, shown } = certificate(stage);
    expect(after).toBe(0);
    expect(shown).toMatchObject({
      status: "verified",
      checks: [{ check: "test", standing: "passed", command: "npm test", exitCode: 0, files: shown.digest?.files }],
    });
    expect(shown.checks[0]?.verifier).toContain("a person");
    expect(Date.parse(shown.checks[0]?.ended ?? "")).toBeGreaterThanOrEqual(Date.parse(shown.checks[0]?.started ?? ""));
    expect(shown.digest?.tree).toBe(stage.git("rev-parse", "HEAD^{tree}").trim());
  });

  it("PL-42 TS-41 a valid pass is not run again unless forced", () => {
    const stage = project();
    stage.sekisho("verify");
    expect(runs(stage)).toBe(1);
    expect(stage.sekisho("verify").stdout).toContain("its proof still stands");
    expect(runs(stage)).toBe(1);
    stage.sekisho("verify", "--force");
    expect(runs(stage)).toBe(2);
  });

  it("PL-41 a changed document keeps the pass, changed code does not", () => {
    const stage = project();
    stage.sekisho("verify");
    stage.write("README.md", "# b\n");
    expect(certificate(stage).shown.status).toBe("verified");
    stage.write("a.js", "2\n");
    expect(certificate(stage).shown).toMatchObject({ status: "unverified", checks: [{ standing: "stale" }] });
    stage.sekisho("verify");
    expect(runs(stage)).toBe(2);
  });

  it("a check that fails or rewrites files proves nothing", () => {
    const failing = project('node -e "process.exit(3)"');
    expect(failing.sekisho("verify").code).toBe(2);
    expect(certificate(failing).shown.checks).toMatchObject([{ standing: "failed", exitCode: 3 }]);
    const rewriting = project(`node -e "require('fs').writeFileSync('a.js', String(process.hrtime.bigint()))"`);
    expect(rewriting.sekisho("verify").stdout).toContain("files changed while it ran");
    expect(certificate(rewriting).shown.checks).toMatchObject([{ standing: "changed" }]);
  });

  it("a redefined check does not count until a person has run it", () => {
    const stage = project();
    stage.send("SessionStart", { source: "startup" });
    stage.write("package.json", JSON.stringify({ scripts: { test: "node --version" } }));
    expect(certificate(stage).shown.checks).toMatchObject([{ standing: "redefined" }]);
    stage.sekisho("verify");
    expect(certificate(stage).shown.checks).toMatchObject([{ standing: "passed" }]);
  });

  it("the Markdown has a row per check; both formats at once are an error", () => {
    const stage = project();
    stage.sekisho("verify");
    expect(stage.sekisho("certificate", "--markdown").stdout).toMatch(/\| test \| passed \| `npm test` \| 0 \| .*Z \|/);
    expectFailure(stage.sekisho("certificate", "--markdown", "--json"), /Either --markdown or --json/);
    expectFailure(stage.sekisho("certificate", "--session", "nobody"), /No session here/);
  });

  it("PL-43 nothing is written into the project", () => {
    const stage = project();
    stage.sekisho("verify");
    expect(stage.git("status", "--porcelain", "--untracked-files=all")).toBe("");
    expect(existsSync(`${stage.project}/.sekisho`)).toBe(false);
    expect(readdirSync(stage.journal()).some((name) => name.startsWith("journal."))).toBe(true);
  });

  it("without known checks it says how to configure one, and changes nothing", () => {
    const stage = openStage();
    expectFailure(stage.sekisho("verify"), /verify:\n {4}commands/);
    expect(stage.sekisho("certificate").stdout).toContain("nothing to show");
  });

  it("configured commands replace the detected ones", () => {
    const stage = project();
    stage.write(".sekisho/config.yaml", 'verify: { commands: ["test=true", "lint=test -f a.js"] }\n');
    const { stdout, code } = stage.sekisho("verify");
    expect(code).toBe(0);
    expect(stdout).toContain("lint  test -f a.js");
    expect(runs(stage)).toBe(0);
  });

  it("in an agent's shell the checks run and nothing is recorded", () => {
    const stage = project();
    const { stdout } = stage.run("env", ["CLAUDECODE=1", ...programWords(stage), "verify", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ verified: true, recorded: false });
    expect(certificate(stage).shown.status).toBe("unverified");
  });
});

function programWords(stage: Stage): readonly string[] {
  const [, ...words] = stage.command("Stop");
  const at = words.findIndex((word) => word.endsWith("sekisho.cjs"));
  return words.slice(at - 2, at + 1).filter((word) => !word.startsWith("--"));
}

describe("evidence and rules", () => {
  it("show a session's evidence and whether it is current", () => {
    const stage = project();
    stage.send("SessionStart", { source: "startup" });
    const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_1" };
    stage.send("PreToolUse", call);
    stage.send("PostToolUse", { ...call, tool_response: {} });
    const entries = (): unknown => JSON.parse(stage.sekisho("evidence", "--json").stdout).entries;
    const passed = { kind: "command", strength: 1, about: "test" };
    // No event has read the transcript since; the command does.
    expect(entries()).toMatchObject([{ ...passed, standing: "stands" }]);
    const gate = JSON.parse(stage.sekisho("rules", "--json").stdout) as { verification: object };
    expect(gate.verification).toMatchObject({ stop: "once", checks: [{ check: "test", standing: "passed" }] });
    stage.write("a.js", "2\n");
    expect(stage.sekisho("evidence").stdout).toMatch(/command +test +stale/);
  });
});

describe("the gates at the end of a turn", () => {
  it("GT-2 the gates' events are registered", () => {
    const needed = "SessionStart PreCompact PostToolUse PreToolUse Stop TaskCompleted UserPromptSubmit".split(" ");
    expect(registeredEvents).toEqual(expect.arrayContaining(needed));
  });

  function changed(settings: string): Stage {
    const stage = project();
    if (settings !== "") stage.write(".sekisho/config.yaml", settings);
    stage.send("SessionStart", { source: "startup" });
    const call = { tool_name: "Bash", tool_input: { command: "node gen" }, tool_use_id: "toolu_2" };
    stage.send("PreToolUse", call);
    stage.write("a.js", "2\n");
    stage.send("PostToolUse", { ...call, tool_response: {} });
    return stage;
  }

  it("GT-25 with stop: warn the person is told and the Stop is not refused", () => {
    const { stdout } = changed("verify: { stop: warn }\n").send("Stop", { background_tasks: [] });
    const said = JSON.parse(stdout) as { decision?: string; systemMessage?: string };
    expect(said.decision).toBeUndefined();
    expect(said.systemMessage).toContain("unverified");
  });

  it("MD-75 changed code refuses the Stop once and names the command, without any mode", () => {
    const stage = changed("");
    const first = stage.send("Stop", { background_tasks: [] }).stdout;
    expect(first).toContain("`npm test`");
    expect(stage.send("Stop", { background_tasks: [], stop_hook_active: true }).stdout).not.toContain('"block"');
  });
});
