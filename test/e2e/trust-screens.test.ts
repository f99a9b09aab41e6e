/** The trust screens of the commands, and that reading changes nothing. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../files.ts";
import { expectFailure } from "./day.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";
import { begin, curveOf, given, json, ledgerOf, scores, work } from "./trust-work.ts";

describe("the screens", () => {
  it("TR-66 TR-101 status names the stance, says when it is the default, and handles an empty ledger", () => {
    const { code, stdout } = openStage().sekisho("status");
    expect(code).toBe(0);
    expect(stdout).toContain("Stance      BUILDING (by default; `sekisho stance` sets it)");
    expect(stdout).toMatch(/^Operations {2}0 total$/m);
    expect(stdout).toContain("No outcome has been recorded yet");
  });

  it("TR-101 status lists the domains by score, with bar, operations and decision, without the fallback", () => {
    const stage = begin();
    work(stage, "s", "Read");
    work(stage, "ssf");
    stage.use("Frobnicate", {}, { tool_use_id: "strange" });
    stage.send("PostToolUse", { tool_name: "Frobnicate", tool_input: {}, tool_use_id: "strange", tool_response: {} });
    const { stdout } = stage.sekisho("status");
    expect(stdout).toMatch(/^Operations {2}5 total$/m);
    const table = stdout.slice(stdout.indexOf("\nDomain") + 1).trimEnd();
    expect(table.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["Domain", "Score", "Ops", "Status", "At medium risk"],
      ["file_read", "███░░░░░░░", "0.33500", "1", "logged_only", "passes"],
      ["shell_exec", "███░░░░░░░", "0.31301", "3", "logged_only", "passes"],
    ]);
    expect(ledgerOf(stage).domains["_global"]).toMatchObject({ successes: 1 });
    expect(json(stage, "status")).toMatchObject({
      stance: { stance: "building", isImplicit: true },
      trust: { operations: 5, domains: [{ domain: "file_read", status: "logged_only" }, { domain: "shell_exec" }] },
    });
  });

  it("TR-101 TS-16 colours by score only on a terminal that supports it", () => {
    const stage = begin();
    given(stage, { file_read: { score: 0.7 }, git_read: { score: 0.69 }, shell_exec: { score: 0.39 } });
    const on = (terminal: string) => {
      const line = `TERM=${terminal} '${program.node}' '${program.bundle}' status`;
      return stage.run("script", ["-qec", line, "/dev/null"]).stdout;
    };
    const coloured = on("xterm");
    for (const [domain, colour] of Object.entries({ file_read: 32, git_read: 33, shell_exec: 31 })) {
      expect(coloured).toMatch(new RegExp(`${domain} +\\u001b\\[${colour}m█`));
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins every colour code.
    const painted = /\u001b\[\d/;
    expect(on("dumb")).not.toMatch(painted);
    expect(stage.sekisho("status").stdout).not.toMatch(painted);
    const onServer = stage.run("env", ["CI=1", "TERM=xterm", program.node, program.bundle, "status"]);
    expect(onServer.stdout).not.toMatch(painted);
  });

  it("TR-102 TR-103 status <domain> shows every field", () => {
    const stage = begin();
    const trust = {
      score: 0.5,
      successes: 7,
      failures: 2,
      operations: 9,
      warmup: 4,
      consecutiveFailures: 2,
      target: 0.6,
    };
    given(stage, { file_read: { ...trust, lastAt: Date.now() - 2 * 3_600_000 } });
    const { code, stdout } = stage.sekisho("status", "file_read");
    expect(code).toBe(0);
    for (const row of [
      /^Domain +file_read$/m,
      /^Score +█████░░░░░ {2}0\.5$/m,
      /^Successes +7$/m,
      /^Failures +2$/m,
      /^Consecutive +2$/m,
      /^Recovering +yes -> 0\.6$/m,
      /^Total +9$/m,
      /^Last operated +\S+Z \(2 hours ago\)$/m,
      /^Warming up +yes$/m,
      /^Warm-up remaining +4$/m,
      /^ {2}low +0\.885 +auto_approved +passes$/m,
      /^ {2}medium +0\.75 +logged_only +passes$/m,
      /^ {2}high +0\.635 +logged_only +passes$/m,
      /^ {2}critical +blocked \(always\)$/m,
    ]) {
      expect(stdout).toMatch(row);
    }
  });

  it("TR-102 a domain without a record shows the starting values; an unknown one is no error", () => {
    const stage = openStage();
    expect(stage.sekisho("status", "docs_write")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Nothing has been recorded in docs_write yet.*Recovering +no/s),
    });
    for (const words of [
      ["status", "frob"],
      ["trust", "history", "frob"],
    ]) {
      expect(stage.sekisho(...words)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('no domain "frob"'),
        stderr: "",
      });
      expect(json(stage, ...words)).toMatchObject({ domain: "frob", recorded: false });
    }
  });

  it("TR-64 status <domain> says when the stance gates the domain", () => {
    const stage = openStage();
    expect(stage.sekisho("status", "shell_exec").stdout).toMatch(
      /In BUILDING shell_exec is gated: below a score of 0\.8/,
    );
    expect(stage.sekisho("status", "file_read").stdout).not.toContain("gated");
  });

  it("trust shows the ledger, also an empty one", () => {
    expect(openStage().sekisho("trust")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No outcome has been recorded yet"),
    });
    const stage = begin();
    work(stage, "sff");
    expect(stage.sekisho("trust").stdout).toMatch(
      /shell_exec +██░+ +0\.24204 +1 +2 +just now +recovering -> 0\.335, 2 failures in a row/,
    );
  });

  it("TS-16 refuses surplus arguments", () => {
    const { sekisho } = openStage();
    expectFailure(sekisho("trust", "frobnicate"), /"frobnicate" is not history/);
    expectFailure(sekisho("trust", "history"), /Give a domain/);
    expectFailure(sekisho("trust", "--what-if", "trust.failure_decay=0.7"), /history/);
    expectFailure(
      sekisho("trust", "history", "file_read", "--what-if", "trust.failure_decay=2"),
      /from 0\.5 to below 1/,
    );
    expectFailure(sekisho("trust", "history", "file_read", "--what-if", "trust.frob=2"), /no rate/);
    expectFailure(sekisho("status", "file_read", "git_read"), /at most 1 word/);
  });
});

describe("the history", () => {
  it("is recomputed with another failure_decay", () => {
    const stage = begin();
    work(stage, "ssfs");
    const view = curveOf(stage, "shell_exec", "--what-if", "trust.failure_decay=0.7");
    expect(scores(view)).toEqual([0.335, 0.36825, 0.31301, 0.36453]);
    expect(scores(view.what_if)).toEqual([0.335, 0.36825, 0.25778, 0.31345]);
    expect(view.what_if).toMatchObject({ score: 0.31345, difference: -0.05108 });
    const { stdout } = stage.sekisho("trust", "history", "shell_exec", "--what-if", "trust.failure_decay=0.7");
    expect(stdout).toMatch(/^as it was +▃▃▃▃ +0\.36453\nwhat if +▃▃▃▃ +0\.31345$/m);
    expect(stdout).toContain("Final difference: -0.05108");
    // The what-if changes nothing.
    expect(ledgerOf(stage).domains["shell_exec"]?.score).toBe(0.36453);
  });

  it("shows a curve and its last points", () => {
    const stage = begin();
    work(stage, "ssf");
    const { stdout } = stage.sekisho("trust", "history", "shell_exec");
    expect(stdout).toMatch(/^shell_exec {2}▃▃▃ {2}0\.31301$/m);
    expect(stdout).toMatch(/failure {2}0\.31301 {2}recovers towards 0\.36825/);
    expect(stage.sekisho("trust", "history", "git_read").stdout).toContain(
      "Nothing has been recorded in git_read yet.",
    );
  });
});

/** Every file with a digest of its content. */
function imprint(...directories: readonly string[]): readonly string[] {
  return directories.flatMap((directory) =>
    filesBelow(directory).map((path) => {
      const content = readFileSync(join(directory, path));
      return `${path} ${createHash("sha256").update(content).digest("hex")}`;
    }),
  );
}

describe("reading", () => {
  it("TR-107 writes nothing", () => {
    const stage = begin();
    work(stage, "sf");
    const before = imprint(stage.state, stage.project, stage.home);
    const trust = [["status"], ["status", "shell_exec"], ["trust"], ["trust", "history", "shell_exec"]];
    for (const words of [...trust, ["audit"], ["config"], ["stance"]]) {
      expect(stage.sekisho(...words)).toMatchObject({ code: 0 });
    }
    expect(imprint(stage.state, stage.project, stage.home)).toEqual(before);
  });
});

describe("the demo", () => {
  it("TR-106 TS-16 shows the screens and the four stories, and leaves real data alone", () => {
    const stage = begin();
    work(stage, "sf");
    const before = imprint(stage.state, stage.project, stage.home);
    const { code, stdout, stderr } = stage.run(program.node, [program.bundle, "demo"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(imprint(stage.state, stage.project, stage.home)).toEqual(before);
    expect(filesBelow(join(stage.root, "tmp"), { directories: true })).toEqual([]);

    const screens = stdout.split(/^\$ /m);
    const screen = (words: string) => screens.find((one) => one.startsWith(`sekisho ${words}\n`)) ?? "";
    const domains = ["file_read", "test_run", "file_write_src", "git_local", "shell_exec"];
    for (const domain of domains)
      expect(screen("status")).toMatch(new RegExp(`^${domain} +[█░]{10} +0\\.\\d{5} +\\d+ `, "m"));
    expect(screen("status file_read")).toMatch(/^Domain +file_read$/m);
    expect(screen("audit --tail 8")).toMatch(/^8 entries, 0 pending$/m);
    expect(screen("config")).toMatch(/^trust\.failure_decay +0\.85$/m);
    expect(screen("stance")).toContain("BUILDING");
    for (const title of [
      "1. Ten successes in file_read",
      "2. Five successes, two failures",
      "3. The same trust",
      "4. Five failures in a row",
    ]) {
      expect(stdout).toContain(title);
    }
    expect(stdout).toContain("self-escalation");
    expect(stdout).not.toContain(stage.project);
  });
});
