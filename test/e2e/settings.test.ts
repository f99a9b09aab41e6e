/** Settings files: what they may contain, and the effect of a mistake. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, noticeOf, verdictOf } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

interface StatusSettings {
  readonly custom: readonly string[];
  readonly problems: readonly string[];
}

/** A stage with a project or user settings file. */
function withSettings(project: string | undefined, user?: string) {
  const stage = openStage();
  const setProject = (text: string): void => stage.write(".sekisho/config.yaml", text);
  const setUser = (text: string): void => {
    const path = join(stage.home, ".config/sekisho/config.yaml");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  if (project !== undefined) setProject(project);
  if (user !== undefined) setUser(user);
  return { ...stage, setProject, setUser };
}

function statusOf(stage: Stage): { settings: StatusSettings; off: readonly string[]; enabled: boolean } {
  const { code, stdout, stderr } = stage.sekisho("status", "--json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function start(stage: Stage, session = "s1"): Answer {
  return stage.send("SessionStart", { source: "startup", session_id: session });
}

/** Denied by a policy that can be switched off. */
const RISKY = "git push --force origin main";
/** Denied by a policy that cannot be switched off. */
const TAMPERING = "rm .claude/settings.local.json";
const DOUBTFUL = "git tag -d old";
const HEADLESS = { permission_mode: "dontAsk" };

describe("valid settings", () => {
  it("TS-15 TR-90 a missing file means the defaults, silently", () => {
    const stage = withSettings(undefined);
    expect(start(stage)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(statusOf(stage).settings).toEqual({ custom: [], problems: [], gaps: [] });
    expect(stage.bash(RISKY).code).toBe(2);
  });

  it.each([[""], ["# nothing but a comment\n"], ["---\n"], ["{}\n"]])(
    "TS-15 TR-90 a file with %j means the defaults, silently",
    (text) => {
      const stage = withSettings(text);
      expect(start(stage).stdout).toBe("");
      expect(statusOf(stage).settings).toEqual({ custom: [], problems: [], gaps: [] });
    },
  );

  it("TS-15 TR-90 a partial file changes only the settings it names", () => {
    const stage = withSettings("language: ja\n");
    expect(statusOf(stage).settings).toEqual({ custom: ["language"], problems: [], gaps: [] });
    expect(stage.bash(RISKY).stderr).toContain("関所はこれを止めます");
    expect(verdictOf(stage.bash(DOUBTFUL, HEADLESS))).toBe("deny");
  });

  it("TR-90 user and project file are merged, and the project overrides", () => {
    const stage = withSettings("language: en\n", "language: ja\nask:\n  headless: ask\n");
    expect(statusOf(stage).settings).toEqual({ custom: ["language", "ask.headless"], problems: [], gaps: [] });
    const answer = stage.bash(DOUBTFUL, HEADLESS);
    expect(verdictOf(answer)).toBe("ask");
    expect(answer.stdout).toContain("Sekisho asks");
  });

  it("a change applies at the next event, and so does the file's removal", () => {
    const stage = withSettings("language: ja\n");
    expect(stage.bash(RISKY).stderr).toContain("関所");
    stage.setProject("language: en\n");
    expect(stage.bash(RISKY).stderr).toContain("Sekisho refuses");
    stage.setProject("policies:\n  no-destructive-command: off\n");
    expect(stage.bash(RISKY).code).toBe(0);
    rmSync(join(stage.project, ".sekisho"), { recursive: true });
    expect(stage.bash(RISKY).code).toBe(2);
  });

  it("a policy switched off is off, all others stay on, and the person is told once per session", () => {
    const stage = withSettings("policies:\n  no-destructive-command: off\n");
    expect(noticeOf(start(stage))).toContain("switched off here: no-destructive-command");
    expect(start(stage).stdout).toBe("");
    expect(stage.send("UserPromptSubmit", { prompt: "go" }).stdout).toBe("");
    expect(noticeOf(start(stage, "s2"))).toContain("switched off here: no-destructive-command");
    // Another policy may still ask.
    const { code, stdout } = stage.bash(RISKY);
    expect([code, stdout.includes("no-destructive-command")]).toEqual([0, false]);
    // The floor of the policy cannot be switched off.
    expect(stage.bash("rm -rf ~").stderr).toContain("[no-destructive-command]");
    expect(stage.bash(TAMPERING).code).toBe(2);
    expect(statusOf(stage).off).toEqual(["no-destructive-command"]);
  });

  it.each([["off"], ["false"], ['"off"'], ["no"]])(
    "a policy is switched off by %s, or the mistake is reported",
    (word) => {
      const stage = withSettings(`policies:\n  no-destructive-command: ${word}\n`);
      const isOff = stage.bash(RISKY).code === 0;
      const { settings, off } = statusOf(stage);
      expect(off).toEqual(isOff ? ["no-destructive-command"] : []);
      expect(settings.problems).toHaveLength(isOff ? 0 : 1);
    },
  );

  it.each([["no-tampering"], ["track-session"], ["remind-settings"]])("%s cannot be switched off", (id) => {
    const stage = withSettings(`policies:\n  ${id}: off\n`);
    expect(stage.bash(TAMPERING).code).toBe(2);
    expect(statusOf(stage).off).toEqual([]);
    start(stage);
    const { sessions } = JSON.parse(stage.sekisho("status", "--json").stdout) as { sessions: { bound: boolean }[] };
    expect(sessions).toMatchObject([{ bound: true }]);
  });

  it("switching a floor policy off is not reported as off", () => {
    expect(noticeOf(start(withSettings("policies:\n  no-tampering: off\n")))).not.toContain("switched off here");
  });

  it("`enabled: false` lets everything pass, says so at session start, and records nothing", () => {
    const stage = withSettings("enabled: false\n");
    expect(noticeOf(start(stage))).toContain("opted out");
    for (const command of [RISKY, "rm -rf /", TAMPERING, "rm \u0000"]) {
      expect(stage.bash(command)).toEqual({ code: 0, stdout: "", stderr: "" });
    }
    expect(stage.send("Stop").stdout).toBe("");
    expect(stage.audit()).toEqual([]);
    expect(statusOf(stage).enabled).toBe(false);
    expect(stage.sekisho("status").stdout).toContain("opted out");
  });

  it.each([
    ["enabled: false\n", "enabled: false"],
    ["policies:\n  no-destructive-command: off\n", "policies.no-destructive-command: off"],
  ])("a file with %j created during a session loosens nothing in it, and the person is told", (said, notice) => {
    const stage = withSettings(undefined);
    const session_id = "s1";
    const attempt = (): number | null =>
      stage.send("PreToolUse", { session_id, tool_name: "Bash", tool_input: { command: RISKY } }).code;
    start(stage);
    stage.setProject(said);
    expect(attempt()).toBe(2);
    expect(stage.send("Stop", { session_id }).code).toBe(0);
    expect(noticeOf(stage.send("UserPromptSubmit", { session_id, prompt: "go on" }))).toContain(notice);
    expect(stage.send("SessionStart", { session_id, source: "compact" }).code).toBe(0);
    expect(attempt()).toBe(2);
    expect(stage.send("UserPromptSubmit", { session_id, prompt: "go on" }).stdout).toBe("");
  });

  it("a person's `config set` opens in a running session, and nothing else does", () => {
    const stage = withSettings(undefined);
    const session_id = "s1";
    const attempt = (): number | null =>
      stage.send("PreToolUse", { session_id, tool_name: "Bash", tool_input: { command: RISKY } }).code;
    start(stage);
    expect(attempt()).toBe(2);
    expect(stage.sekisho("config", "set", "policies.no-destructive-command", "off").code).toBe(0);
    expect(attempt()).toBe(0);
    expect(stage.sekisho("config", "unset", "policies.no-destructive-command").code).toBe(0);
    expect(attempt()).toBe(2);
  });

  it("`language: ja` applies to the agent and the person", () => {
    const stage = withSettings("language: ja\nenabled: true\npolicies:\n  no-destructive-command: off\n");
    expect(noticeOf(start(stage))).toContain("ここでは無効");
    expect(stage.bash(TAMPERING).stderr).toMatch(
      /関所はこれを止めます: .*\n理由: .*\n代わりに: .*\n利用者へ: sekisho explain/s,
    );
  });

  it("`language: auto` follows the user's terminal", () => {
    const { send } = withSettings("language: auto\n");
    const fields = { tool_name: "Bash", tool_input: { command: RISKY }, tool_use_id: "t" };
    expect(send("PreToolUse", fields, { env: { LANG: "ja_JP.UTF-8" } }).stderr).toContain("関所");
    expect(send("PreToolUse", fields, { env: { LANG: "en_US.UTF-8" } }).stderr).toContain("Sekisho refuses");
  });

  it("EH-31 `ask.headless` decides what a question becomes without a person", () => {
    const stage = withSettings("ask:\n  headless: ask\n");
    expect(verdictOf(stage.bash(DOUBTFUL, HEADLESS))).toBe("ask");
    stage.setProject("ask:\n  headless: deny\n");
    expect(verdictOf(stage.bash(DOUBTFUL, HEADLESS))).toBe("deny");
    expect(verdictOf(stage.bash(DOUBTFUL))).toBe("ask");
  });
});

describe("TS-15 TR-91 TR-93 an invalid value", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["enabled", 'enabled: "no"', "enabled"],
    ["enabled", "enabled: 0", "enabled"],
    ["enabled", "enabled:", "enabled"],
    ["language", "language: fr", "language"],
    ["language", "language: [ja]", "language"],
    ["ask.headless", "ask:\n  headless: allow", "ask.headless"],
    ["ask.headless", "ask:\n  headless: true", "ask.headless"],
    ["ask", "ask: deny", "ask"],
    ["audit.retention_days", "audit:\n  retention_days: 0", "audit.retention_days"],
    ["audit.retention_days", "audit:\n  retention_days: 3651", "audit.retention_days"],
    ["audit.retention_days", "audit:\n  retention_days: 1.5", "audit.retention_days"],
    ["audit.retention_days", "audit:\n  retention_days: ninety", "audit.retention_days"],
    ["audit.max_megabytes", "audit:\n  max_megabytes: 15", "audit.max_megabytes"],
    ["audit.max_megabytes", "audit:\n  max_megabytes: 1e9", "audit.max_megabytes"],
    ["audit.max_megabytes", "audit:\n  max_megabytes: -.inf", "audit.max_megabytes"],
    ["a policy", "policies:\n  no-destructive-command: maybe", "policies.no-destructive-command"],
    ["a policy", "policies: off", "policies"],
    ["an unknown key", "colour: red", "colour"],
    ["an unknown key", "audit:\n  level: 3", "audit.level"],
    ["an unknown key", "__proto__:\n  enabled: false", "__proto__"],
    ["an unknown key", "constructor: 1", "constructor"],
    ["an unknown policy", "policies:\n  no-such-policy: off", "policies.no-such-policy"],
    ["an unknown policy", "policies:\n  constructor: off", "policies.constructor"],
  ];

  it.each(rows)("%s: `%s` is reported and ignored, and the rest of the file applies", (_, text, key) => {
    const rest = text.startsWith("language") ? "# nothing more" : "language: ja";
    const stage = withSettings(`${text}\n${rest}\n`);
    const { settings, enabled, off } = statusOf(stage);
    expect(settings.problems).toHaveLength(1);
    expect(settings.problems[0]).toMatch(new RegExp(`^${key.replaceAll(".", "[.]")}`));
    expect(settings.custom).toEqual(rest.startsWith("#") ? [] : ["language"]);
    expect({ enabled, off }).toEqual({ enabled: true, off: [] });
    expect(noticeOf(start(stage))).toContain(key);
    expect(verdictOf(stage.bash(RISKY))).toBe("deny");
    expect(verdictOf(stage.bash(DOUBTFUL, HEADLESS))).toBe("deny");
  });

  it("TR-92 trust.trust_score_override is forbidden by name", () => {
    const stage = withSettings("trust:\n  trust_score_override: 1.0\n");
    expect(statusOf(stage).settings.problems).toEqual([
      expect.stringMatching(/^trust\.trust_score_override is forbidden/),
    ]);
    expect(noticeOf(start(stage))).toContain("trust.trust_score_override is forbidden");
  });

  it("falls back to the user's file, and the message says so correctly", () => {
    const stage = withSettings(
      "policies:\n  no-destructive-command: maybe\n",
      "policies:\n  no-destructive-command: off\n",
    );
    const [problem] = statusOf(stage).settings.problems;
    const isOn = stage.bash(RISKY).code === 2;
    expect(problem?.includes("stays on")).toBe(isOn);
  });
});

describe("TS-15 TR-91 EH-6 an unreadable file", () => {
  const BROKEN: readonly (readonly [string, string])[] = [
    ["is no YAML", "policies: [\n  no-destructive-command: off\n"],
    ["has a tab for an indent", "policies:\n\tno-destructive-command: off\n"],
    ["says a key twice", "language: ja\nlanguage: en\n"],
    ["is a list", "- policies\n- off\n"],
    ["is a text", "no-destructive-command off\n"],
    ["holds a tag for code", "policies: !!js/function 'function () {}'\n"],
    ["is bytes", "\u0000\u0001\u0002\n"],
    ["is far too large", `# ${"x".repeat(300_000)}\nlanguage: ja\n`],
  ];

  it.each(BROKEN)("that %s leaves the defaults, and is reported once per session and in `status`", (_, text) => {
    const stage = withSettings(text);
    expect(noticeOf(start(stage))).toMatch(/config\.yaml|\(file\)/);
    expect(start(stage).stdout).toBe("");
    expect(stage.send("UserPromptSubmit", { prompt: "go on" }).stdout).toBe("");
    expect(noticeOf(start(stage, "s2"))).not.toBe("");
    expect(statusOf(stage).settings).toMatchObject({ custom: [], problems: [expect.stringMatching(/\S/)] });
    expect(stage.sekisho("status").stdout).toContain("Problem");
    expect(stage.bash(RISKY).code).toBe(2);
    expect(stage.bash("ls").code).toBe(0);
  });

  it("is reported with its name and line", () => {
    const stage = withSettings("language: ja\npolicies: [\n");
    const [problem] = statusOf(stage).settings.problems;
    expect(problem).toContain(join(stage.project, ".sekisho/config.yaml"));
    expect(problem).toMatch(/line \d/);
  });

  const AFTER_STRICT: readonly (readonly [string, (stage: ReturnType<typeof withSettings>) => void])[] = [
    ...BROKEN.filter(([, text]) => !text.startsWith("language")).map(
      ([name, text]) => [name, (stage: ReturnType<typeof withSettings>) => stage.setProject(text)] as const,
    ),
    [
      "is a directory",
      ({ project }) => {
        rmSync(join(project, ".sekisho/config.yaml"));
        mkdirSync(join(project, ".sekisho/config.yaml"));
      },
    ],
  ];

  it.each(AFTER_STRICT)("that %s does not loosen its earlier settings", (_, breakIt) => {
    const stage = withSettings(
      "ask:\n  headless: deny\npolicies:\n  no-destructive-command: on\n",
      "ask:\n  headless: ask\npolicies:\n  no-destructive-command: off\n",
    );
    expect(stage.bash(RISKY).code).toBe(2);
    expect(verdictOf(stage.bash(DOUBTFUL, HEADLESS))).toBe("deny");
    breakIt(stage);
    expect(stage.bash(RISKY).code).toBe(2);
    expect(verdictOf(stage.bash(DOUBTFUL, HEADLESS))).toBe("deny");
    expect(statusOf(stage).settings.problems).toHaveLength(1);
  });

  it("keeps its last valid content until it is fixed", () => {
    const stage = withSettings("language: ja\n");
    expect(stage.bash(RISKY).stderr).toContain("関所");
    stage.setProject("language: [\n");
    expect(stage.bash(RISKY).stderr).toContain("関所");
    expect(statusOf(stage).settings.problems[0]).toContain("what it last said still holds");
    stage.setProject("ask:\n  headless: deny\n");
    expect(stage.bash(RISKY).stderr).toContain("Sekisho refuses");
    expect(statusOf(stage).settings.problems).toEqual([]);
  });

  it("is the only problem reported: mistakes in its last content have no line any more", () => {
    const stage = withSettings("language: klingon\n");
    expect(statusOf(stage).settings.problems).toEqual([expect.stringMatching(/language must be .*line 1\)/)]);
    stage.setProject("language: [\n");
    expect(statusOf(stage).settings.problems).toEqual([expect.stringMatching(/cannot be read: .*line \d/)]);
  });

  it("that was never valid does not affect the user's file", () => {
    const stage = withSettings("policies: [\n", "language: ja\n");
    expect(statusOf(stage).settings.custom).toEqual(["language"]);
    expect(stage.bash(RISKY).stderr).toContain("関所");
  });

  it("ST-8 a broken settings cache is rebuilt", () => {
    const stage = withSettings("language: ja\n");
    expect(stage.bash(RISKY).stderr).toContain("関所");
    for (const text of ["", "{", "null", "[]", '{"settings":{},"sources":[],"policyIds":[]}', '{"settings":null}']) {
      writeFileSync(join(stage.journal(), "settings.json"), text);
      expect(stage.bash(RISKY).stderr).toContain("関所");
    }
  });
});
