/** The gate in the real host: allowed and blocked commands, and what the model is told. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, lane, use } from "./scripted-model.ts";
import { forbidden, makeKeepsake, openStage, spokenOf } from "./stage.ts";

describe("a forbidden command", () => {
  it("does not run, and the model is told what was blocked, why, and what to do instead", async () => {
    const stage = openStage();
    stage.write("hello.txt", "not committed yet\n");
    const session = await stage.session([bash(forbidden, "reset")]);
    expect(stage.read("hello.txt")).toBe("not committed yet\n");
    expect(session.told("reset")).toMatch(/Sekisho refuses this: Changes that were never committed would be gone/);
    expect(session.told("reset")).toMatch(/^Why: .*\[no-destructive-command\]$/m);
    expect(session.told("reset")).toMatch(/^Instead: .*git stash/m);
    expect(session.code).toBe(0);
  });

  it("cannot delete the home directory", async () => {
    const stage = openStage();
    writeFileSync(join(stage.home, "letter.txt"), "dear friend");
    const session = await stage.session([bash('rm -rf "$HOME"', "variable"), bash("cd / && rm -rf -- ~/", "tilde")]);
    expect(existsSync(join(stage.home, "letter.txt"))).toBe(true);
    expect(session.told("variable")).toContain("Sekisho refuses this");
    expect(session.told("tilde")).toContain("Sekisho refuses this");
  });

  it("that needs confirmation is refused when no person can answer", async () => {
    const stage = openStage();
    makeKeepsake(stage);
    const session = await stage.session([bash("git branch -D keepsake", "branch")]);
    expect(stage.git("branch", "--list", "keepsake")).toContain("keepsake");
    expect(session.told("branch")).toContain("This needs a person's confirmation and nobody is here to give it.");
  });

  it("is refused by the host when the question is left to the host", async () => {
    const stage = openStage({ ".sekisho/config.yaml": "ask:\n  headless: ask\n" });
    makeKeepsake(stage);
    const session = await stage.session([bash("git branch -D keepsake", "branch")]);
    expect(stage.git("branch", "--list", "keepsake")).toContain("keepsake");
    expect(session.told("branch")).toContain("Sekisho asks: 1 commit is on no other branch");
    expect(stage.call("branch")).toMatchObject({ verdict: "ask", outcome: "refused" });
  });
});

describe("a reset", () => {
  it("runs on a clean work tree; on a dirty one it is refused with what is not committed", async () => {
    const stage = openStage();
    const clean = await stage.session([bash("git reset --hard", "clean")]);
    expect(clean.told("clean")).toContain("HEAD is now at");
    stage.write("hello.txt", "not committed yet\n");
    const dirty = await stage.session([bash("git reset --hard", "dirty")]);
    expect(stage.read("hello.txt")).toBe("not committed yet\n");
    expect(dirty.told("dirty")).toContain("1 file, 3 lines are not committed, and this discards them (hello.txt).");
  });
});

describe("everyday work", () => {
  it("runs without any output from Sekisho to the model or the person", async () => {
    const stage = openStage();
    const file = join(stage.project, "hello.txt");
    const session = await stage.session([
      bash("echo made > made.txt && cat made.txt", "command"),
      use("Read", { file_path: file }, "read"),
      use("Edit", { file_path: file, old_string: "world", new_string: "there" }, "edit"),
      use("Write", { file_path: join(stage.project, "new.txt"), content: "new\n" }, "write"),
    ]);
    expect(session.told("command")).toBe("made");
    expect(session.told("read")).toContain("world");
    expect(stage.read("hello.txt")).toBe("hello\nthere\n");
    expect(stage.read("new.txt")).toBe("new\n");
    expect(spokenOf(session)).toEqual([]);
  });
});

describe("a subagent", () => {
  const prompt = "You are the helper of this story.";
  const helper = lane(prompt, bash(forbidden, "helper-reset"), bash("echo made > made.txt", "helper-make"));
  const errand = { description: "an errand", prompt, subagent_type: "general-purpose" };

  it.each([
    ["in the foreground", { ...errand, run_in_background: false }],
    ["in the background", { ...errand, run_in_background: true }],
  ])("%s is blocked like the main agent, and the journal names its type", async (_, input) => {
    const stage = openStage();
    stage.write("hello.txt", "not committed yet\n");
    const session = await stage.session([use("Agent", input, "errand")], helper);
    expect(stage.read("hello.txt")).toBe("not committed yet\n");
    expect(stage.read("made.txt")).toBe("made\n");
    expect(session.told("helper-reset")).toContain("[no-destructive-command]");
    expect(stage.call("helper-reset")).toMatchObject({
      agent_type: "general-purpose",
      verdict: "deny",
      outcome: "refused",
    });
    expect(stage.call("helper-make")).toMatchObject({
      agent_type: "general-purpose",
      verdict: "pass",
      outcome: "success",
    });
    expect(stage.call("errand")).toMatchObject({ agent_type: null, outcome: "success" });
    const asked = session.requests.find(({ opening }) => opening.includes(prompt));
    expect(asked?.body).toContain("Sekisho checks every tool call here.");
  });
});
