/** Evidence rules on the built program: their effect, mistakes in them, and how they are shown. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noticeOf, verdictOf } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

const SKILL = "code-quality-rules";
const RULES = `rules:\n  code_skill: ${SKILL}\n  document_skill: document-quality-rules\n`;

function working(settings = RULES): Stage {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", settings);
  for (const name of [SKILL, "document-quality-rules"]) stage.write(`.claude/skills/${name}/SKILL.md`, "rules");
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

function writes(stage: Stage, file: string, more: object = {}) {
  return stage.use("Write", { file_path: `${stage.project}/${file}`, content: "x" }, more);
}

function takesUp(stage: Stage, skill: string, more: object = {}): void {
  const use = { tool_name: "Skill", tool_input: { skill }, tool_use_id: `skill-${skill}`, ...more };
  stage.send("PreToolUse", use);
  stage.send("PostToolUse", { ...use, tool_response: { success: true, commandName: skill } });
}

describe("evidence rules in use", () => {
  it("GT-5 GT-10 GT-11 code is refused until the skill was invoked in this session, with any tool", () => {
    const stage = working();
    const refused = writes(stage, "a.ts");
    expect(verdictOf(refused)).toBe("deny");
    expect(refused.stderr).toContain(`Invoke the skill ${SKILL} (Skill tool), then do this again.`);
    expect(verdictOf(stage.bash("echo 1 > a.ts"))).toBe("deny");
    takesUp(stage, SKILL);
    expect(writes(stage, "a.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(verdictOf(stage.bash("echo 1 > a.ts"))).toBe("pass");
    expect(verdictOf(writes(stage, "a.md"))).toBe("deny");
    stage.send("SessionStart", { source: "startup", session_id: "s2" });
    expect(verdictOf(writes(stage, "a.ts", { session_id: "s2" }))).toBe("deny");
  });

  it("evidence survives compaction and a resume after the end", () => {
    const stage = working();
    takesUp(stage, SKILL);
    stage.send("SessionStart", { source: "compact" });
    expect(verdictOf(writes(stage, "a.ts"))).toBe("pass");
    stage.send("SessionEnd", { reason: "other" });
    stage.send("SessionStart", { source: "resume" });
    expect(verdictOf(writes(stage, "a.ts"))).toBe("pass");
  });

  it("nothing is required without such a skill or without settings", () => {
    const stage = working("language: en\n");
    expect(verdictOf(writes(stage, "a.ts"))).toBe("pass");
    const other = working("rules:\n  code_skill: no-such-skill\n");
    expect(verdictOf(writes(other, "a.ts"))).toBe("pass");
  });

  it("a file must be read before a command changes it", () => {
    const stage = working("rules:\n  read_before_edit: deny\n");
    stage.write("a.ts", "1");
    expect(verdictOf(stage.bash("sed -i s/1/2/ a.ts"))).toBe("deny");
    const use = { tool_name: "Read", tool_input: { file_path: `${stage.project}/a.ts` }, tool_use_id: "r" };
    stage.send("PreToolUse", use);
    stage.send("PostToolUse", { ...use, tool_response: {} });
    expect(verdictOf(stage.bash("sed -i s/1/2/ a.ts"))).toBe("pass");
    expect(verdictOf(stage.bash("echo new > b.ts && sed -i s/n/m/ b.ts"))).toBe("pass");
  });

  it("TS-20 10 GT-12 input that cannot be parsed is refused, with the cause and the way out", () => {
    const stage = working();
    const answer = stage.sendBytes("PreToolUse", '{"tool_name": "Write", "tool_inp');
    expect(answer).toMatchObject({ code: 2, stdout: "" });
    expect(answer.stderr).toMatch(/not JSON|cut off/);
    expect(answer.stderr).toMatch(/sekisho (?:pause|uninstall|doctor)/);
  });

  it("TS-20 3 GT-12 an empty session id is refused, with the cause and the way out", () => {
    const answer = writes(working(), "a.ts", { session_id: "" });
    expect(answer).toMatchObject({ code: 2, stdout: "" });
    expect(answer.stderr).toMatch(/session_id/);
    expect(answer.stderr).toMatch(/start a new session, and to run `sekisho doctor`/);
  });

  it("TS-20 14 GT-13 a write without a path is refused", () => {
    const stage = working();
    expect(stage.use("Write", { content: "x" })).toMatchObject({ code: 2 });
    expect(stage.use("NotebookEdit", { new_source: "x" })).toMatchObject({ code: 2 });
  });
});

describe("mistakes in rules and settings", () => {
  const BROKEN = `${RULES}gates:
  # a person's own
  rules:
    - name: mine
      when: {event: PreToolUse, globs: ["mine/**"]}
      need: {evidence: approval, of: mine}
      else: deny
    - name: theirs
      when:
        event: PreToolUse
      need: {evidence: vibes, of: x}
      else: allow
  code_extension: [yaml]
`;

  it("are named with file, line and key; the other rules apply and nothing is loosened", () => {
    const stage = working(BROKEN);
    const notice = noticeOf(stage.send("SessionStart", { source: "startup", session_id: "s3" }));
    expect(notice).toMatch(/gates\.rules entry 2: need\.evidence must be .*\(in .*\.sekisho\/config\.yaml, line 11\)/);
    expect(notice).toMatch(/gates\.code_extension is not a setting .*code_extensions.*line 16\)/);
    expect(verdictOf(writes(stage, "a.ts"))).toBe("deny");
    expect(verdictOf(writes(stage, "mine/x"))).toBe("deny");
  });

  it("are reported by doctor, config validate and rules too", () => {
    const stage = working(BROKEN);
    const place = /config\.yaml,\s+line\s+11\)/;
    expect(stage.sekisho("config", "validate").stdout).toMatch(place);
    expect(stage.sekisho("rules").stdout).toMatch(place);
    expect(stage.sekisho("doctor").stdout.replace(/\s+/g, " ")).toMatch(place);
    const { problems } = JSON.parse(stage.sekisho("config", "validate", "--json").stdout);
    expect(problems[0]).toMatchObject({ key: "gates.rules", line: 11, entry: 1 });
  });

  it("an unreadable file keeps its last valid content", () => {
    const stage = working();
    expect(verdictOf(writes(stage, "a.ts"))).toBe("deny");
    stage.write(".sekisho/config.yaml", "rules: [\n");
    expect(verdictOf(writes(stage, "a.ts"))).toBe("deny");
    expect(noticeOf(stage.send("UserPromptSubmit", { prompt: "hi" }))).toMatch(
      /config\.yaml cannot be read.*still holds/,
    );
  });

  it("rules removed during a session apply to its end, and the person is told", () => {
    const stage = working();
    stage.send("UserPromptSubmit", { prompt: "hi" });
    stage.write(".sekisho/config.yaml", "language: en\n");
    expect(verdictOf(writes(stage, "a.ts"))).toBe("deny");
    expect(noticeOf(stage.send("UserPromptSubmit", { prompt: "go on" }))).toContain("rules.code_skill: ");
    expect(verdictOf(writes(stage, "a.ts"))).toBe("deny");
  });

  it("no rule can switch a policy off", () => {
    const stage = working(`${RULES}gates:\n  rules:\n    - {name: x, policies: {no-tampering: off}}\n`);
    expect(verdictOf(stage.use("Write", { file_path: `${stage.project}/.sekisho/config.yaml`, content: "" }))).toBe(
      "deny",
    );
  });
});

describe("sekisho rules", () => {
  it("says when no rule is in force", () => {
    const { code, stdout } = openStage().sekisho("rules");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("No rule") });
  });

  it("says what the end of a turn requires: nothing, a skill, or checks", () => {
    const stage = openStage();
    const shown = (): string => stage.sekisho("rules").stdout;
    expect(shown()).toMatch(/changed code {2}nothing is asked for\n.*No check of this project is known/);
    stage.write(".sekisho/config.yaml", "profile: praxis\n");
    expect(shown()).toMatch(/what asks for the skills code-quality-rules, .*verification-before-completion is off/);
    expect(shown()).toMatch(/changed code {2}nothing is asked for/);
    stage.write(".claude/skills/verification-before-completion/SKILL.md", "rules");
    expect(shown()).toMatch(/changed code {2}held until the skill verification-before-completion is taken up/);
    stage.write("package.json", '{"scripts":{"test":"node test.js"}}');
    expect(shown()).toMatch(/changed code {2}held until they pass\n {2}✘ {2}test +missing +npm test/);
  });

  it("prints a working command that installs the skills of a profile, and so does init", () => {
    const stage = openStage({ registered: false });
    const repository = join(import.meta.dirname, "..", "..");
    const place = join(stage.root, "a package");
    for (const part of ["dist", "plugin/skills"])
      cpSync(join(repository, part), join(place, part), {
        recursive: true,
        filter: (path) => !path.includes(".build-"),
      });
    const sekisho = (...args: readonly string[]): string =>
      stage.run(process.execPath, [join(place, "dist", "sekisho.cjs"), ...args]).stdout;
    const line = /^ {2}(mkdir -p .*)$/m;
    const told = line.exec(sekisho("init", "--yes", "--lane", "plain", "--profile", "praxis"))?.[1];
    expect(told).toBe(line.exec(sekisho("rules"))?.[1]);
    expect(stage.run("/bin/sh", ["-c", told ?? "false"])).toMatchObject({ code: 0, stderr: "" });
    expect(sekisho("rules")).not.toMatch(/is off|there is no skill/);
    expect(sekisho("init", "--yes", "--lane", "plain")).not.toContain("mkdir");
  });

  it("shows each rule, its source, and whether the newest session satisfies it", () => {
    const stage = working(`${RULES}  writing_skill: writing-skills\n  read_before_edit: ask\n`);
    takesUp(stage, SKILL);
    const { rules, session } = JSON.parse(stage.sekisho("rules", "--json").stdout);
    expect(session.id).toBe("s1");
    expect(rules).toMatchObject([
      {
        name: "code-skill",
        else: "deny",
        met: true,
        at: expect.stringMatching(/Z$/),
        from: expect.stringMatching(/config\.yaml$/),
      },
      { name: "document-skill", met: false, evidence: "not shown in this session" },
      { name: "writing-skill", off: "there is no skill writing-skills here" },
      { name: "read-before-edit", else: "ask", met: null },
    ]);
    const { stdout } = stage.sekisho("rules");
    expect(stdout).toMatch(/✔ code-skill\s+deny[\s\S]*✘ document-skill[\s\S]*- writing-skill\s+off/);
    const isLong = (line: string): boolean => line.length > 80 && !line.includes(stage.project);
    expect(stdout.split("\n").filter(isLong)).toEqual([]);
  });

  it("accepts no other subcommand, and an agent may run it", () => {
    const stage = working();
    expect(stage.sekisho("rules", "open")).toMatchObject({ code: 1, stdout: "" });
    expect(verdictOf(stage.bash("sekisho rules && sekisho gate status"))).toBe("pass");
  });
});
