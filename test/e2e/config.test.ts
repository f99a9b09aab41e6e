/** `config`: how settings are shown and changed. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../files.ts";
import { noticeOf, verdictOf } from "./answer.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { LOCAL, PLAIN, runWith, sekishoOnPath } from "./registration.ts";
import { openStage, type Stage } from "./stage.ts";

const PROJECT_FILE = ".sekisho/config.yaml";
const LOCAL_FILE = ".sekisho/config.local.yaml";

const userFile = ({ home }: Stage): string => join(home, ".config/sekisho/config.yaml");

function rowOf(stage: Stage, key: string): string {
  return (
    stage
      .sekisho("config")
      .stdout.split("\n")
      .find((line) => line.startsWith(`${key} `)) ?? ""
  );
}

describe("config", () => {
  it("TR-105 TR-90 shows every setting, marks customized ones, and names the file", () => {
    const stage = openStage();
    stage.write(PROJECT_FILE, "trust:\n  failure_decay: 0.7\nrisk:\n  lambda1: 0.6\n");
    stage.write(LOCAL_FILE, "profile: oath\n");
    expect(rowOf(stage, "trust.failure_decay")).toMatch(/ 0\.7 +\(custom\) +project$/);
    expect(rowOf(stage, "risk.lambda1")).toMatch(/ 0\.6 +project$/);
    expect(rowOf(stage, "trust.boost_threshold")).toMatch(/ 20$/);
    expect(rowOf(stage, "profile.remote")).toMatch(/ deny +\(custom\) +profile oath$/);
    const { code, stdout } = stage.sekisho("config");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Profile +oath: /);
    const { settings, profile, files } = JSON.parse(stage.sekisho("config", "--json").stdout) as {
      settings: readonly { key: string; custom: boolean }[];
      profile: object;
      files: readonly object[];
    };
    expect(settings.length).toBeGreaterThan(30);
    for (const { key } of settings) expect(stdout).toContain(`\n${key} `);
    expect(settings.filter(({ custom }) => custom).map(({ key }) => key)).toEqual([
      "ask.headless",
      "trust.failure_decay",
      "profile.name",
      "profile.trust_gate",
      "profile.remote",
      "verify.stop",
      "verify.pipes",
    ]);
    expect(profile).toMatchObject({ name: "oath", from: join(stage.project, LOCAL_FILE) });
    expect(files).toMatchObject([{ scope: "user", exists: false }, { scope: "project" }, { scope: "local" }]);
  });

  it("TR-91 TR-93 TR-94 problems name their file and a likely correction wherever they are shown", () => {
    const stage = openStage();
    stage.write(PROJECT_FILE, "trust:\n  failure_decy: 0.7\n  warmup_operations: 0\n");
    const file = join(stage.project, PROJECT_FILE);
    const meant = `trust.failure_decy is not a setting (did you mean trust.failure_decay?); it is ignored (in ${file}, line 2)`;
    const broken =
      /trust\.warmup_operations must be a whole number from 1 to 10, not 0; 5 is used \(in .*config\.yaml, line 3\)/;
    const validated = stage.sekisho("config", "validate");
    expect(validated.code).toBe(2);
    const notice = noticeOf(stage.send("SessionStart", { source: "startup" }));
    for (const words of [stage.sekisho("config").stdout, validated.stdout, stage.sekisho("status").stdout, notice]) {
      expect(words).toContain(meant);
      expect(words).toMatch(broken);
    }
    expect(stage.sekisho("doctor", "--quick", "--json").stdout).toContain(meant);
    expect(rowOf(stage, "trust.warmup_operations")).toMatch(/ 5$/);
  });

  it("validates any file: exits with 0 if valid, 2 with problems, 1 without a file", () => {
    const stage = openStage();
    stage.write("good.yaml", "language: ja\n");
    stage.write("bad.yaml", "language: fr\n");
    stage.write("torn.yaml", "language: [\n");
    stage.write("list.yaml", "- a\n");
    expect(stage.sekisho("config", "validate")).toMatchObject({ code: 0, stdout: expect.stringContaining("defaults") });
    expect(stage.sekisho("config", "validate", "good.yaml").code).toBe(0);
    expect(stage.sekisho("config", "validate", "bad.yaml")).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^✘ language must be .* \(in bad\.yaml, line 1\)\n$/),
    });
    expect(stage.sekisho("config", "validate", "torn.yaml").stdout).toMatch(/torn\.yaml cannot be read: .*line/);
    expect(stage.sekisho("config", "validate", "list.yaml").code).toBe(2);
    stage.write("huge.yaml", `# ${"x".repeat(300_000)}\nlanguage: ja\n`);
    expect(stage.sekisho("config", "validate", "huge.yaml")).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("huge.yaml cannot be read: it is too large (more than 256 kB)"),
    });
    expectFailure(stage.sekisho("config", "validate", "none.yaml"), /no file none\.yaml/);
    const { problems } = JSON.parse(stage.sekisho("config", "validate", "bad.yaml", "--json").stdout) as {
      problems: unknown;
    };
    expect(problems).toMatchObject([{ key: "language", file: "bad.yaml" }]);
  });

  it("TR-94 get prints one setting, a group, or an error with null for programs", () => {
    const { sekisho } = openStage();
    expect(sekisho("config", "get", "trust.failure_decay")).toMatchObject({ code: 0, stdout: "0.85\n" });
    expect(sekisho("config", "get", "profile").stdout).toBe("balanced\n");
    expect(JSON.parse(sekisho("config", "get", "risk", "--json").stdout)).toEqual({
      "risk.lambda1": 0.6,
      "risk.lambda2": 0.4,
    });
    expectFailure(sekisho("config", "get", "trust.failure_decy"), /not a setting \(did you mean trust\.failure_decay/);
    expect(sekisho("config", "get", "constructor", "--json")).toMatchObject({ code: 1, stdout: "null\n" });
    for (const words of [["nonsense"], ["get"], ["set", "language"], ["get", "a", "b"], ["--scope", "user"]])
      expect(sekisho("config", ...words).code, words.join(" ")).toBe(1);
  });
});

describe.skipIf(forPeople.skip)(`config set${forPeople.why}`, () => {
  it("changes one line, keeps all others, and applies at the next event", () => {
    const stage = openStage();
    stage.write(PROJECT_FILE, "# ours\nlanguage: en # for all\n\npolicies:\n  no-destructive-command: on\n");
    expect(stage.bash("rm -rf /").stderr).toContain("Sekisho refuses");
    expect(stage.sekisho("config", "set", "language", "ja")).toMatchObject({ code: 0, stderr: "" });
    expect(stage.read(PROJECT_FILE)).toBe(
      "# ours\nlanguage: ja # for all\n\npolicies:\n  no-destructive-command: on\n",
    );
    expect(stage.bash("rm -rf /").stderr).toContain("関所");
    expect(stage.audit().find(({ event }) => event === "config")?.reason).toMatch(/^set language: ja in .*, from /);
    expect(stage.sekisho("config", "set", "language", "ja").stdout).toContain("says so already");
    expect(stage.sekisho("config", "unset", "language").stdout).toContain("in force now: auto, the default");
    expect(stage.read(PROJECT_FILE)).toBe("# ours\n\npolicies:\n  no-destructive-command: on\n");
  });

  it("fills an empty group, and a file that is one map", () => {
    const stage = openStage();
    stage.write(PROJECT_FILE, "trust:\n# the end\n");
    stage.sekisho("config", "set", "trust.failure_decay", "0.6");
    expect(stage.read(PROJECT_FILE)).toBe("trust:\n  failure_decay: 0.6\n# the end\n");
    stage.write(PROJECT_FILE, "{language: en}\n");
    stage.sekisho("config", "set", "trust.failure_decay", "0.6");
    expect(stage.read(PROJECT_FILE)).toBe("{language: en, trust: {failure_decay: 0.6}}\n");
  });

  it("says where a setting is looser than the profile asks, and goes by the setting", () => {
    const stage = openStage();
    stage.write(PROJECT_FILE, "plan:\n  required: auto\n  critic: step\n");
    const told = /plan\.required is auto, and the profile playbook asks for all\..*config unset plan\.required`/;
    const set = stage.sekisho("config", "set", "profile", "playbook", "--scope", "user");
    expect(set.stdout).toMatch(told);
    expect(set.stdout).not.toMatch(/plan\.critic is/);
    for (const words of [["status"], ["config"], ["config", "set", "plan.required", "auto"]])
      expect(stage.sekisho(...words).stdout).toMatch(told);
    expect(stage.sekisho("config", "get", "plan.required").stdout).toBe("auto\n");
    expect(stage.sekisho("config", "unset", "plan.required").code).toBe(0);
    expect(stage.sekisho("status").stdout).not.toMatch(/asks for/);
  });

  it("PB-82 the reviewer's questions are written once, where plans are reviewed, and then left to people", () => {
    const criteria = ".sekisho/frameworks/playbook-review-criteria.md";
    const stage = openStage();
    stage.sekisho("config", "set", "profile", "playbook", "--scope", "user");
    stage.sekisho("config", "unset", "profile", "--scope", "user");
    stage.sekisho("config", "set", "profile", "oath");
    expect(stage.read(criteria)).toBeUndefined();
    expect(stage.sekisho("config", "set", "plan.review", "reviewer").stdout).toContain(`${criteria} has the questions`);
    expect(stage.read(criteria)).toMatch(/^# Questions for the review of a plan/);
    stage.write(criteria, "ours\n");
    const again = stage.sekisho("config", "set", "profile", "playbook").stdout;
    expect([stage.read(criteria), again]).toEqual(["ours\n", expect.not.stringContaining("frameworks")]);
    const japanese = openStage({ registered: false });
    japanese.write(PROJECT_FILE, "language: ja\n");
    const installed = japanese.sekisho("init", ...PLAIN, "--profile", "playbook").stdout;
    expect(installed).toContain("frameworks");
    expect(installed, "it would loosen the profile").not.toContain("plan.required auto");
    expect(japanese.read(criteria)).toMatch(/^# 計画レビューの問い/);
    japanese.send("SessionStart", { source: "startup" });
    const write = { file_path: join(japanese.project, criteria), content: "PASS\n" };
    expect(verdictOf(japanese.use("Write", write)), "agents cannot change it").toBe("deny");
  });

  it("says what a profile in a shared file cannot turn on", () => {
    const stage = openStage();
    const { stdout } = stage.sekisho("config", "set", "profile", "playbook");
    expect(stdout).toMatch(/lint\.run is false.*config set lint\.run true --scope user`/);
    expect(stage.sekisho("status").stdout).not.toMatch(/asks for/);
  });

  it("writes the file of each scope, and keeps the local one out of git", () => {
    const stage = openStage();
    stage.sekisho("config", "set", "branch.protect", "main,release/*");
    stage.sekisho("config", "set", "trust.failure_decay", "0.6", "--scope", "user");
    stage.sekisho("config", "set", "profile", "oath", "--scope", "local");
    expect(stage.read(PROJECT_FILE)).toBe("branch:\n  protect: [main, release/*]\n");
    expect(fs.readFileSync(userFile(stage), "utf8")).toBe("trust:\n  failure_decay: 0.6\n");
    expect(stage.read(LOCAL_FILE)).toBe("profile: oath\n");
    expect(stage.git("status", "--porcelain", "--untracked-files=all")).not.toContain("config.local");
    expect(filesBelow(stage.project).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expectFailure(stage.sekisho("config", "unset", "profile"), /not set in .*config\.yaml\. It is in .*--scope local/);
    expect(stage.sekisho("config", "unset", "profile", "--scope", "local").code).toBe(0);
    expect(stage.read(LOCAL_FILE)).toBeUndefined();
  });

  it.each([
    ["trust.failure_decay", "1", /must be a number from 0\.5 to below 1, not 1\. Nothing was changed/],
    ["trust.failure_decay", "much", /must be a number .* not "much"/],
    ["trust.failure_decy", "0.7", /not a setting \(did you mean trust\.failure_decay\?\)/],
    ["trust.trust_score_override", "1", /is forbidden: a trust score is moved by outcomes only/],
    ["autonomy.human_required_threshold", "0.6", /auto_approve_threshold must be greater than/],
    ["policies.no-tampering", "off", /part of the floor/],
    ["policies.no-such", "off", /not a policy of this version/],
    ["profile", "navy", /must be "balanced" or "oath" or "praxis" or "drive" or "playbook" or "army"/],
  ])("TR-91 TR-92 refuses %s %s and writes nothing", (key, value, words) => {
    const stage = openStage();
    const before = "autonomy:\n  auto_approve_threshold: 0.55\n";
    stage.write(PROJECT_FILE, before);
    for (const scope of ["project", "user", "local"])
      expectFailure(stage.sekisho("config", "set", key, value, "--scope", scope), words);
    expect(stage.read(PROJECT_FILE)).toBe(before);
    expect(stage.read(LOCAL_FILE)).toBeUndefined();
    expect(fs.existsSync(userFile(stage))).toBe(false);
  });

  it.each([
    ["does not parse", "language: [\n", /cannot be read: .*Correct it first/],
    ["is a list", "- a\n", /not a map of settings/],
    ["shares a group", "undo: &all {retention_days: 3}\ntrust: *all\n", /cannot be changed line by line.*by hand/],
    ["is not UTF-8", Buffer.from([0x61, 0xff, 0x0a]), /not UTF-8/],
  ])("leaves a file alone that %s", (_, bytes, words) => {
    const stage = openStage();
    fs.mkdirSync(join(stage.project, ".sekisho"));
    fs.writeFileSync(join(stage.project, PROJECT_FILE), bytes);
    expectFailure(stage.sekisho("config", "set", "trust.failure_decay", "0.7"), words);
    expect(fs.readFileSync(join(stage.project, PROJECT_FILE)).equals(Buffer.from(bytes))).toBe(true);
  });

  it("says when a nearer file overrides it, and what a loosened setting opens counts in a running session", () => {
    const stage = openStage();
    stage.write(PROJECT_FILE, "language: en\n");
    expect(stage.sekisho("config", "set", "language", "ja", "--scope", "user").stdout).toMatch(
      /in force is en: .*project\/\.sekisho\/config\.yaml has the last word/,
    );
    stage.send("SessionStart", { source: "startup" });
    const { stdout } = stage.sekisho("config", "set", "policies.no-destructive-command", "off");
    expect(stdout).toContain("counts in running sessions");
    expect(verdictOf(stage.bash("git push --force origin main"))).not.toBe("deny");
  });
});

describe.skipIf(forPeople.skip)(`init and the settings${forPeople.why}`, () => {
  it("a profile applies to this checkout, also after another init, until another one is chosen", () => {
    const stage = openStage({ registered: false });
    expect(stage.sekisho("init", ...PLAIN, "--profile", "oath", "--approve").stdout).toMatch(/Profile +oath:/);
    expect(stage.read(LOCAL_FILE)).toBe("profile: oath\ntrust:\n  approve: true\n");
    expect(stage.read(PROJECT_FILE)).toBeUndefined();
    expect(stage.git("status", "--porcelain", "--untracked-files=all")).toBe("");
    expect(stage.sekisho("init", ...PLAIN).stdout).toMatch(/Profile +oath:/);
    expect(stage.read(LOCAL_FILE)).toBe("profile: oath\ntrust:\n  approve: true\n");
    expect(stage.sekisho("init", ...PLAIN, "--profile", "balanced").stdout).toMatch(/Profile +balanced:/);
    expect(stage.read(LOCAL_FILE)).toBe("trust:\n  approve: true\n");
    expect(filesBelow(stage.project)).toEqual([LOCAL, LOCAL_FILE].sort());
  });

  it("a shared profile goes into the shared file, and settings that loosen into the user's own", () => {
    const stage = openStage({ registered: false });
    const words = ["init", "--yes", "--scope", "project", "--profile", "oath", "--approve"];
    const answer = runWith(stage, { sekisho: sekishoOnPath }, ...words);
    expect(answer).toMatchObject({ code: 0, stderr: "" });
    expect(stage.read(PROJECT_FILE)).toBe("profile: oath\n");
    expect(stage.read(LOCAL_FILE)).toBe("trust:\n  approve: true\n");
  });

  it("a profile for all projects goes into the user's file, and a nearer file overrides it", () => {
    const stage = openStage({ registered: false });
    stage.write(LOCAL_FILE, "profile: balanced\n");
    const { stdout } = stage.sekisho("init", ...PLAIN, "--scope", "user", "--profile", "oath");
    expect(fs.readFileSync(userFile(stage), "utf8")).toBe("profile: oath\n");
    expect(stdout).toMatch(/! the profile in force is another: .*config\.local\.yaml has the last word/);
  });

  it("TR-66 init sets the stance: BUILDING, the requested one, or the one a person chose before", () => {
    const stage = openStage({ registered: false });
    const stance = () => JSON.parse(stage.sekisho("stance", "--json").stdout) as object;
    stage.sekisho("init", ...PLAIN);
    expect(stance()).toMatchObject({ stance: "BUILDING", implicit: false });
    stage.sekisho("init", ...PLAIN, "--stance", "planning");
    expect(stance()).toMatchObject({ stance: "PLANNING", implicit: false });
    expect(stage.sekisho("init", ...PLAIN).stdout).toMatch(/Stance +PLANNING/);
  });

  it("a settings file that cannot be changed stops init before anything is registered", () => {
    const stage = openStage({ registered: false });
    stage.write(LOCAL_FILE, "language: [\n");
    expectFailure(stage.sekisho("init", ...PLAIN, "--profile", "oath"), /config\.local\.yaml cannot be read/);
    expect(stage.read(LOCAL)).toBeUndefined();
    stage.write(LOCAL_FILE, "language: ja\n");
    stage.git("add", "-f", LOCAL_FILE);
    expectFailure(stage.sekisho("init", ...PLAIN, "--profile", "oath"), /tracked by git/);
    expect(stage.read(LOCAL)).toBeUndefined();
  });

  it("uninstall keeps the settings and says so; --purge removes the local file", () => {
    const stage = openStage({ registered: false });
    stage.sekisho("init", ...PLAIN, "--profile", "oath");
    stage.write(PROJECT_FILE, "language: en\n");
    expect(stage.sekisho("uninstall").stdout).toMatch(/your settings .* stay: .*config\.yaml, .*config\.local\.yaml/);
    expect(stage.read(LOCAL_FILE)).toBe("profile: oath\n");
    const { code, stdout } = stage.sekisho("uninstall", "--purge", "--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/removed .*config\.local\.yaml[\s\S]*stay: [^,]*config\.yaml\n/);
    expect(filesBelow(stage.project)).toEqual([PROJECT_FILE]);
    expect(stage.read(".git/info/exclude")).not.toContain("Sekisho");
  });
});
