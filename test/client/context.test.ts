/** Session context in the real host: the start of a session, compaction, and what the plugin's agents are given. */
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { lane, use } from "./scripted-model.ts";
import { openStage, type Session, type Stage } from "./stage.ts";

const GUIDE = "Sekisho is a checkpoint on this client's hooks.";

/** How often the guide is in the n-th request to the model. */
function guidesIn({ requests }: Session, at = 0): number {
  return (requests[at]?.body.split(GUIDE).length ?? 0) - 1;
}

function guided(): Stage {
  const stage = openStage();
  stage.write(".sekisho/config.local.yaml", "context:\n  guide: true\n");
  const entries = Array.from({ length: 12 }, (_, at) => `## Entry ${12 - at}\n\nSECRET-WORDS ${12 - at}\n\n`);
  stage.write(".claude/context/progress.md", `# Progress\n\n${entries.join("")}`);
  stage.write(".claude/context/task_plan.md", "# Plan\n\nBuild it.\n");
  return stage;
}

describe("session context", () => {
  it("GT-50 GT-51 the first request has the guide once, with names and counts of context files and none of their content", async () => {
    const stage = guided();
    const first = await stage.session([use("Read", { file_path: join(stage.project, "hello.txt") })]);
    expect(first.requests.length).toBeGreaterThan(1);
    first.requests.forEach((_, at) => void expect(guidesIn(first, at)).toBe(1));
    const body = first.requests[0]?.body ?? "";
    expect(body).toMatch(/- \.claude\/context\/progress\.md: 12 entries, changed \d{4}-\d\d-\d\dT\d\d:\d\dZ/);
    expect(body).not.toContain("SECRET-WORDS");
  });

  it("GT-50 a resumed session has the guide once", async () => {
    const stage = guided();
    await stage.session([]);
    const again = await stage.play({ flags: ["--continue"], prompt: "go on" }, []);
    expect(guidesIn(again)).toBe(1);
  });

  it("GT-53 compaction trims progress without loss, dates the plan, and the guide is given again", async () => {
    const stage = guided();
    await stage.session([]);
    const compacted = await stage.play({ flags: ["--continue"], prompt: "/compact" }, [
      { text: "<summary>short</summary>" },
    ]);
    expect(stage.read(".claude/context/progress.md")).not.toContain("## Entry 2\n");
    expect(stage.read(".claude/context/progress-archive.md")).toMatch(/## Entry 2\n[\s\S]*## Entry 1\n/);
    expect(stage.read(".claude/context/task_plan.md")).toMatch(/^# Plan\nLast compacted: .*Z\n\nBuild it/);
    for (const { body } of compacted.requests) expect(body).not.toContain("Additional Instructions");
    const after = await stage.play({ flags: ["--continue"], prompt: "go on" }, []);
    expect(guidesIn(after)).toBe(1);
  });

  it("without the setting nothing is said or changed", async () => {
    const stage = guided();
    stage.write(".sekisho/config.local.yaml", "");
    const session = await stage.session([]);
    expect(guidesIn(session)).toBe(0);
    expect(session.requests[0]?.body).not.toContain("progress.md");
  });
});

describe("the plugin's skills and agents", () => {
  function withPlugin(): Stage {
    const stage = openStage();
    stage.sekisho("uninstall");
    const plugin = join(dirname(stage.home), "plugin");
    cpSync(join(import.meta.dirname, "..", "..", "plugin"), plugin, { recursive: true });
    stage.flags.push("--plugin-dir", plugin);
    return stage;
  }

  it("GT-26 GT-56 are listed, and an agent has the text of its skills in its first request", async () => {
    const stage = withPlugin();
    const prompt = "Look at hello.txt with other eyes.";
    const input = { subagent_type: "sekisho:reviewer", description: "review", prompt, run_in_background: false };
    const session = await stage.session([use("Agent", input, "review")], lane(prompt, { text: "Nothing found." }));
    const init = session.events.find(({ subtype }) => subtype === "init") as { agents?: string[]; skills?: string[] };
    const skills = [
      "getting-started",
      "code-quality-rules",
      "document-quality-rules",
      "verification-before-completion",
      "writing-skills",
    ];
    expect(init.skills).toEqual(expect.arrayContaining(skills.map((name) => `sekisho:${name}`)));
    expect(init.agents).toEqual(
      expect.arrayContaining(["implementer", "reviewer", "researcher"].map((name) => `sekisho:${name}`)),
    );
    const own = session.requests.find(({ opening }) => opening.includes(prompt));
    for (const words of [
      "# Code quality rules",
      "# Document quality rules",
      "# Verification before completion",
      "somebody else must review it",
    ]) {
      expect(own?.body).toContain(words);
    }
    expect(session.told("review")).toContain("Nothing found.");
  });
});
