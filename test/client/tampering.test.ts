/** The agent tries to tamper with Sekisho. */
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { bash, lane, use } from "./scripted-model.ts";
import { forbidden, openStage, type Stage } from "./stage.ts";

describe("the settings file that holds our hooks", () => {
  it("cannot be rewritten, edited or removed by the agent", async () => {
    const stage = openStage();
    const before = readFileSync(stage.settings, "utf8");
    const file = ".claude/settings.local.json";
    const drop = { file_path: stage.settings, old_string: '"PreToolUse": [', new_string: '"Notification": [' };
    const session = await stage.session([
      use("Read", { file_path: stage.settings }),
      bash(`node -e "require('fs').writeFileSync('${file}', '{}')"`, "program"),
      bash(`sed -i s/PreToolUse/x/ ${file}`, "sed"),
      bash(`rm ${file}`, "rm"),
      use("Write", { file_path: stage.settings, content: "{}\n" }, "write"),
      use("Edit", drop, "edit"),
      // When the text is not found, the host tries text that looks like it.
      use("Edit", { ...drop, old_string: "\u201cPreToolUse\u201d: [" }, "curly"),
    ]);
    for (const call of ["program", "sed", "rm", "write", "edit", "curly"])
      expect(session.told(call)).toContain("[no-tampering]");
    expect(readFileSync(stage.settings, "utf8")).toBe(before);
  });
});

/**
 * The host re-reads its settings about a second after they change, and drops a whole file for one value of a wrong
 * type; only a ConfigChange hook can stop that. The model waits until the hook has run, so that no time has to be
 * guessed.
 */
describe("a script that changes the settings unseen by the gate", () => {
  const ours = ".claude/settings.local.json";
  const shared = ".claude/settings.json";
  const malformed = { hooks: [{ type: "command", command: "true", onFailure: "allow" }] };

  it.each([
    ["takes our hooks out", ours, "settings.hooks = {};"],
    ["removes the file", ours, `fs.rmSync("${ours}"); process.exit();`],
    ["switches all hooks off", ours, "settings.disableAllHooks = true;"],
    ["switches all hooks off in another file", shared, "settings.disableAllHooks = true;"],
    ["adds a malformed hook", ours, `settings.hooks.PreToolUse.push(${JSON.stringify(malformed)});`],
    ["adds a value that makes the client drop the file", ours, "settings.model = 5;"],
  ])("and %s does not disarm the running session", async (_, file, change) => {
    const stage = openStage();
    await expectArmed(stage, file, change);
    expect(stage.audit().map(({ kind }) => kind)).toContain("config-veto");
  });

  it("is reported to the person and the agent of the next session, which starts with the changed file", async () => {
    const stage = openStage();
    await expectArmed(stage, ours, "delete settings.hooks.PreToolUse;");
    const next = await stage.session([{ text: "Hello." }]);
    expect(next.requests[0]?.body).toContain("hooks of Sekisho's are gone or altered: PreToolUse");
  });

  it("and leaves our hooks alone is allowed", async () => {
    const stage = openStage();
    await expectArmed(stage, ours, 'settings.permissions = { allow: ["Bash(ls:*)"] };');
    expect(stage.audit().map(({ kind }) => kind)).not.toContain("config-veto");
  });

  async function expectArmed(stage: Stage, file: string, change: string): Promise<void> {
    stage.write("innocent.cjs", rewriting(file, change));
    stage.write("hello.txt", "not committed yet\n");
    const session = await stage.session([
      bash("node innocent.cjs", "script"),
      async () => {
        await vi.waitFor(() => expect(stage.audit().map(({ event }) => event)).toContain("ConfigChange"), 10_000);
        return bash("true");
      },
      bash("echo still here", "harmless"),
      bash(forbidden, "reset"),
    ]);
    expect(session.told("script")).not.toContain("hook error");
    expect(session.told("harmless")).toBe("still here");
    expect(session.told("reset")).toContain("[no-destructive-command]");
    expect(stage.read("hello.txt")).toBe("not committed yet\n");
  }

  function rewriting(file: string, change: string): string {
    return `const fs = require("node:fs");
      const settings = fs.existsSync("${file}") ? JSON.parse(fs.readFileSync("${file}", "utf8")) : {};
      ${change}
      fs.writeFileSync("${file}", JSON.stringify(settings));`;
  }
});

describe("an event that did not come from the host", () => {
  it("cannot be sent to the hook from the agent's shell", async () => {
    const stage = openStage();
    const event = JSON.stringify({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_use_id: "forged" });
    const session = await stage.session([bash(`echo '${event}' | node ${stage.program} hook PostToolUse`, "feed")]);
    expect(session.told("feed")).toContain("[no-tampering]");
    expect(stage.audit().filter(({ event }) => event === "PostToolUse")).toEqual([]);
  });

  it("counts for nothing when a script sends it", async () => {
    const stage = openStage();
    stage.write("innocent.cjs", forging(stage.program));
    await stage.session([bash("node innocent.cjs", "failing")]);
    const ends = stage.audit().filter(({ event, tool_use_id: call }) => call === "failing" && event !== "PreToolUse");
    expect(ends.map(({ event, unbound }) => [event, unbound])).toEqual([
      ["PostToolUse", true],
      ["PostToolUseFailure", false],
    ]);
    expect(stage.call("failing")).toMatchObject({ outcome: "failure" });
  });

  it("is the only kind that the journal marks as unbound", async () => {
    const stage = openStage();
    const prompt = "You are the helper of this story.";
    const errand = { description: "an errand", prompt, subagent_type: "general-purpose" };
    await stage.session(
      [bash("cd / && true"), bash("exit 3"), use("Agent", errand), bash(forbidden), use("Nonsense", {})],
      lane(prompt, bash("true")),
    );
    const events = stage.audit().filter(({ session_id: id }) => id !== "sekisho-canary");
    expect(events.length).toBeGreaterThan(10);
    expect(events.filter(({ unbound }) => unbound)).toEqual([]);
  });

  /** Claims to be the host, and that its own failing call succeeded. */
  function forging(program: string): string {
    return `const fields = {
        session_id: process.env.CLAUDE_CODE_SESSION_ID, cwd: process.cwd(), hook_event_name: "PostToolUse",
        tool_name: "Bash", tool_use_id: "failing", tool_input: { command: "true" }, tool_response: {},
      };
      const env = { ...process.env, CLAUDE_PID: String(process.pid) };
      const options = { input: JSON.stringify(fields), env };
      require("node:child_process").spawnSync(process.execPath, ["${program}", "hook", "PostToolUse"], options);
      process.exit(3);`;
  }
});

/** The host runs such text itself when the skill is invoked, without calling a hook. */
describe("a skill that contains shell commands", () => {
  it("cannot be written by the agent alone", async () => {
    const stage = openStage();
    stage.flags.push("--allowedTools", "Bash,Skill,Write");
    stage.write("hello.txt", "not committed yet\n");
    const content = `---\nname: zap\ndescription: zap\nallowed-tools: Bash\n---\nState: !\`${forbidden}\`\n`;
    const file = `${stage.project}/.claude/skills/zap/SKILL.md`;
    const session = await stage.session([
      use("Write", { file_path: file, content }, "write"),
      bash(`mkdir -p .claude/skills/zap && cat > ${file} <<'X'\n${content}X`, "shell"),
      use("Skill", { skill: "zap" }, "skill"),
    ]);
    for (const call of ["write", "shell"]) expect(session.told(call)).toContain("[no-tampering]");
    expect(stage.read("hello.txt")).toBe("not committed yet\n");
  });
});
