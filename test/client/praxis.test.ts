/** The profile `praxis` in the real host: which skill must be invoked before which change, and what counts as done. */
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, lane, type ModelRequest, type Step, use } from "./scripted-model.ts";
import { openStage, type Session, type Stage } from "./stage.ts";

const PLUGIN = join(import.meta.dirname, "..", "..", "plugin");

/** These tests may use skills and tasks as well. */
const allowed = "Bash,Read,Edit,Write,Agent,Skill,ToolSearch,TaskCreate,TaskUpdate";
const GUIDE = "Sekisho is a checkpoint on this client's hooks.";

const unchecked = { "answer.js": "module.exports = 41;\n", "README.md": "# Answer\n" };
const checked = {
  ...unchecked,
  "package.json": JSON.stringify({ scripts: { test: "node test.js" } }),
  "test.js": 'process.exit(require("./answer.js") === 42 ? 0 : 1);\n',
};

/** Hooks from `init`, and the plugin's skills copied into the project. */
function withSkills(files: Readonly<Record<string, string>>): Stage {
  const stage = openStage(files);
  stage.write(".sekisho/config.local.yaml", "profile: praxis\n");
  cpSync(join(PLUGIN, "skills"), join(stage.project, ".claude", "skills"), { recursive: true });
  return stage;
}

/** Hooks, skills and agents from the plugin. */
function withPlugin(files: Readonly<Record<string, string>>): Stage {
  const stage = openStage(files);
  stage.sekisho("uninstall");
  stage.write(".sekisho/config.local.yaml", "profile: praxis\n");
  const plugin = join(dirname(stage.home), "plugin");
  cpSync(PLUGIN, plugin, { recursive: true });
  stage.flags.push("--plugin-dir", plugin);
  return stage;
}

const play = (stage: Stage, steps: readonly Step[], ...lanes: Parameters<Stage["play"]>[2][]): Promise<Session> =>
  stage.play({ allowed }, steps, ...lanes);
const say = (text: string): Step => ({ text });
const read = ({ project }: Stage, name: string): Step => use("Read", { file_path: join(project, name) });
const skill = (name: string, id?: string): Step => use("Skill", { skill: name }, id);
const write = ({ project }: Stage, name: string, content: string, id?: string): Step =>
  use("Write", { file_path: join(project, name), content }, id);
const answer = (stage: Stage, value: number, id?: string): Step =>
  write(stage, "answer.js", `module.exports = ${value};\n`, id);
const agent = (type: string, prompt: string, id: string): Step =>
  use("Agent", { subagent_type: type, description: "a helper", prompt, run_in_background: false }, id);

function last({ requests }: Session): string {
  return (requests.at(-1) as ModelRequest).body;
}

const times = (text: string, part: string): number => text.split(part).length - 1;

/** The number of refusals told to the model that contain these words. */
function refusals(session: Session, words: string): number {
  const said = last(session).split("Sekisho refuses this").slice(1);
  const ids = said.filter((one) => one.includes(words)).map((one) => /sekisho explain (\w+)/.exec(one)?.[1]);
  return new Set(ids).size;
}

describe("praxis: before a file is changed", () => {
  it("GT-10 GT-11 code needs its skill, with any tool, and a document needs its own", async () => {
    const stage = withSkills(checked);
    const { told } = await play(stage, [
      read(stage, "answer.js"),
      answer(stage, 42, "early"),
      bash("echo 'module.exports = 42;' > answer.js", "around"),
      skill("code-quality-rules", "skill"),
      answer(stage, 42, "then"),
      read(stage, "README.md"),
      write(stage, "README.md", "# The answer\n", "document"),
      skill("document-quality-rules"),
      write(stage, "README.md", "# The answer\n", "documented"),
      bash("npm test"),
    ]);
    expect(told("early")).toMatch(/Sekisho refuses this: .*code-skill.*answer\.js \(\.js\).*code-quality-rules/);
    expect(told("early")).toContain("Invoke the skill code-quality-rules (Skill tool)");
    expect(told("around")).toMatch(/Sekisho refuses this/);
    expect(told("then")).not.toMatch(/Sekisho/);
    expect(told("document")).toMatch(/Sekisho refuses this: .*document-quality-rules/);
    expect(told("documented")).not.toMatch(/Sekisho/);
    expect(stage.read("answer.js")).toBe("module.exports = 42;\n");
    expect(stage.read("README.md")).toBe("# The answer\n");
    expect(stage.sekisho("rules").stdout).toMatch(/✔ code-skill {2}deny/);
    expect(stage.sekisho("evidence").stdout).toMatch(/skill +code-quality-rules +stands/);
  });

  it("GT-10 the plugin's skill names count, and so does a skill that the person invokes", async () => {
    const stage = withPlugin(checked);
    const { told } = await play(stage, [
      read(stage, "answer.js"),
      answer(stage, 42, "early"),
      skill("sekisho:code-quality-rules"),
      answer(stage, 42, "then"),
      bash("npm test"),
    ]);
    expect(told("early")).toMatch(/Sekisho refuses this: .*code-quality-rules/);
    expect(told("then")).not.toMatch(/Sekisho/);
    const called = await stage.play({ allowed, prompt: "/sekisho:code-quality-rules" }, [
      read(stage, "answer.js"),
      write(stage, "answer.js", "module.exports = 42; // yes\n", "called"),
      bash("npm test"),
    ]);
    expect(called.told("called")).not.toMatch(/Sekisho/);
  });

  it("GT-56 an agent with the skill preloaded need not invoke it; another one must", async () => {
    const stage = withPlugin(checked);
    const [own, other] = ["Make the answer 42.", "Make the answer 43."];
    const session = await play(
      stage,
      [agent("sekisho:implementer", own, "own"), agent("general-purpose", other, "other"), bash("npm test")],
      lane(own, read(stage, "answer.js"), answer(stage, 42, "preloaded"), say("answer.js: 41 is 42 now.")),
      lane(other, read(stage, "answer.js"), answer(stage, 43, "bare"), say("answer.js is as it was.")),
    );
    expect(session.told("preloaded")).not.toMatch(/Sekisho/);
    expect(session.told("bare")).toMatch(/Sekisho refuses this: .*code-quality-rules/);
    expect(stage.read("answer.js")).toBe("module.exports = 42;\n");
  });
});

describe("praxis: what is said, and how often", () => {
  it("GT-40 GT-50 gives the guide once, and the activity when it changes", async () => {
    const stage = withSkills(checked);
    await stage.play({ allowed, prompt: "Fix the crash in answer.js" }, []);
    const go = ["--continue"];
    await stage.play({ allowed, flags: go, prompt: "There is a bug: fix this error as well" }, []);
    const session = await stage.play({ allowed, flags: go, prompt: "Research how others do it and report" }, []);
    const said = last(session);

    expect(times(said, GUIDE)).toBe(1);
    expect(times(said, "this prompt reads as debug")).toBe(1);
    expect(times(said, "this prompt reads as research")).toBe(1);
  });
});

describe("praxis: when work is done", () => {
  it("MD-68 a subagent that ends with mere possibilities is refused once", async () => {
    const stage = withSkills(unchecked);
    const prompt = "Find out why it is 41.";
    const steps = [say("I could look into it and might find the cause."), say("I might still look.")];
    const session = await play(stage, [agent("general-purpose", prompt, "helper")], lane(prompt, ...steps));
    const sent = session.requests.filter(({ opening }) => opening.includes(prompt));
    expect(sent).toHaveLength(2);
    expect(sent[1]?.body).toMatch(/Sekisho refuses this: .*possibilities/);
    expect(session.told("helper")).toContain("I might still look.");
  });

  it("GT-30 a task cannot be completed at the first attempt", async () => {
    const stage = withSkills(unchecked);
    stage.env["CLAUDE_CODE_ENABLE_TODO_TOOLS"] = "1";
    const done = { taskId: "1", status: "completed" };
    const { told } = await stage.play({ allowed, env: stage.env }, [
      use("ToolSearch", { query: "select:TaskCreate,TaskUpdate", max_results: 5 }),
      use("TaskCreate", { subject: "Say why", description: "Say why it is 41", activeForm: "Saying why" }),
      use("TaskUpdate", done, "first"),
      use("TaskUpdate", done, "second"),
    ]);
    expect(told("first")).toMatch(/The task "Say why" cannot be completed yet/);
    expect(told("second")).not.toMatch(/Sekisho/);
  });

  it("GT-21 without checks the verification skill is required, and then the turn may end", async () => {
    const stage = withSkills(unchecked);
    const session = await play(stage, [
      read(stage, "answer.js"),
      skill("code-quality-rules"),
      answer(stage, 42),
      say("Done."),
      skill("verification-before-completion", "taken"),
      say("Done, and this is how I know."),
    ]);
    expect(refusals(session, "the skill verification-before-completion was not taken up")).toBe(1);
    expect(session.requests.at(-1)?.results.has("taken")).toBe(true);
    expect(session.code).toBe(0);
  });
});
