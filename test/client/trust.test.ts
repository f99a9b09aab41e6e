/** Trust in the real host: what it requires, what it allows, and what it never allows. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, lane, type ModelRequest, type Step, use } from "./scripted-model.ts";
import { openStage, type Stage } from "./stage.ts";

/** A command of the domain that is gated while building, and that the host asks about by itself. */
const WORK = "node work.js";
const files = { "work.js": 'console.log("worked");\n' };
const THRESHOLD = 0.5;

/** Seven successes raise trust from 0.3 to 0.511. */
const days: readonly Step[] = Array.from({ length: 7 }, () => bash(WORK));

const oath = (more = ""): string => `profile: { name: oath, trust_gate_threshold: ${THRESHOLD} }\n${more}`;

/** A project whose agent has seven successful calls. */
async function earned(settings: string): Promise<Stage> {
  const stage = openStage(files);
  await stage.session(days);
  stage.write(".sekisho/config.yaml", settings);
  return stage;
}

/** At trust 0.511 and medium risk the autonomy is 0.756. */
const APPROVE = "trust: { approve: true }\nautonomy: { auto_approve_threshold: 0.7 }\n";

/** Almost nothing is pre-approved: the host would ask, and without a person it refuses. */
const asking = { allowed: "Read" };

describe("the profile oath", () => {
  it("TR-64 at starting trust a gated command is refused without a person to ask, and the model is told why", async () => {
    const stage = openStage({ ...files, ".sekisho/config.yaml": "profile: oath\n" });
    const session = await stage.session([bash(WORK, "work"), bash("ls", "look")]);
    expect(session.told("work")).toContain(
      "[CONFIRM] Bash: shell_exec, medium risk, stance BUILDING, trust 0.3, autonomy 0.65; from trust 0.8 on it is not asked (human_approval).",
    );
    expect(session.told("work")).toContain("This needs a person's confirmation and nobody is here to give it.");
    expect(session.told("look")).toContain("hello.txt");
    expect(stage.call("work")).toMatchObject({ verdict: "deny", outcome: "refused" });
  });

  it("TR-64 after enough successes the command passes", async () => {
    const stage = await earned(oath());
    const session = await stage.session([bash(WORK, "work")]);
    expect(session.told("work")).toBe("worked");
    expect(stage.call("work")).toMatchObject({ verdict: "pass", outcome: "success" });
  });
});

describe("trust.approve", () => {
  it("TR-45 without it the host still asks about earned commands, and with it no longer", async () => {
    const stage = await earned(oath());
    const before = await stage.play(asking, [bash(WORK, "before")]);
    expect(before.told("before")).not.toBe("worked");
    expect(stage.call("before")).toMatchObject({ verdict: "pass", outcome: "refused" });
    stage.write(".sekisho/config.yaml", oath(APPROVE));
    const session = await stage.play(asking, [
      bash(WORK, "after"),
      bash("git commit --allow-empty -m x", "not-earned"),
      bash("rm -rf ~", "floor"),
      use("Write", { file_path: join(stage.home, "x"), content: "x" }, "elsewhere"),
    ]);
    expect(session.told("after")).toBe("worked");
    expect(session.told("not-earned")).toContain("[CONFIRM]");
    expect(session.told("floor")).toContain("[no-destructive-command]");
    expect(stage.call("elsewhere")).toMatchObject({ verdict: "pass", outcome: "refused" });
  });

  it("the person's own permission rules of the host still apply", async () => {
    const stage = await earned(oath(APPROVE));
    stage.write(".claude/settings.json", JSON.stringify({ permissions: { deny: ["Bash(node:*)"] } }));
    const session = await stage.play(asking, [bash(WORK, "work")]);
    expect(session.told("work")).not.toBe("worked");
    stage.write(".claude/settings.json", JSON.stringify({ permissions: { ask: ["Bash(node:*)"] } }));
    const second = await stage.play(asking, [bash(WORK, "asked")]);
    expect(second.told("asked")).not.toBe("worked");
    stage.write(".claude/settings.json", "{}");
    const plan = await stage.play({ ...asking, flags: ["--permission-mode", "plan"] }, [bash(WORK, "planned")]);
    expect(plan.told("planned")).not.toBe("worked");
    // Control: without such a rule the command is approved.
    const control = await stage.play(asking, [bash(WORK, "approved")]);
    expect(control.told("approved")).toBe("worked");
  });
});

describe("a stance", () => {
  it("TR-62 PLANNING refuses an edit of code, tells the model why, and allows a plan", async () => {
    const stage = openStage({ ".sekisho/config.yaml": "stance: { default: planning }\n", "src/app.ts": "a\n" });
    const session = await stage.session([
      use("Read", { file_path: join(stage.project, "src/app.ts") }),
      use("Edit", { file_path: join(stage.project, "src/app.ts"), old_string: "a", new_string: "b" }, "edit"),
      bash("git tag x; echo b > src/app.ts", "hidden"),
      use("Write", { file_path: join(stage.project, "docs/plan.md"), content: "first\n" }, "plan"),
    ]);
    expect(stage.read("src/app.ts")).toBe("a\n");
    expect(stage.read("docs/plan.md")).toBe("first\n");
    expect(session.told("edit")).toContain(
      "[BLOCKED] Edit is file_write_src work (medium risk), and the stance is PLANNING (phase_policy).",
    );
    expect(session.told("hidden")).toContain("(phase_policy)");
    expect(session.requests[0]?.body).toContain("Sekisho: the stance is PLANNING.");
  });
});

describe("the model ladder", () => {
  const prompt = "You are the helper of this story.";
  const errand = { description: "an errand", prompt, subagent_type: "general-purpose", run_in_background: false };
  const modelOf = ({ body }: ModelRequest): string => (JSON.parse(body) as { model: string }).model;
  const helperIn = (requests: readonly ModelRequest[]) =>
    requests.filter(({ opening }) => opening.includes(prompt)).map(modelOf)[0] ?? "";

  it("TR-72 a subagent runs with the model that fits the trust if model.apply is set, and only then", async () => {
    const input = { ...errand, model: "haiku" };
    const stage = openStage();
    const plain = await stage.session([use("Agent", input, "errand")], lane(prompt, { text: "Done." }));
    expect(helperIn(plain.requests)).toContain("haiku");
    stage.write(".sekisho/config.yaml", "model: { apply: true }\n");
    const raised = await stage.session([use("Agent", input, "errand")], lane(prompt, { text: "Done." }));
    expect(helperIn(raised.requests)).toContain("opus");
    expect(raised.told("errand")).toContain("Done.");
  });

  it("TR-113 three failures in a row are reported to the model", async () => {
    const stage = openStage();
    const session = await stage.session([
      bash("node -e 'process.exit(3)'"),
      bash("node -e 'process.exit(3)'", "second"),
      bash("node -e 'process.exit(3)'", "third"),
    ]);
    const note = "Sekisho: 3 failures in a row in shell_exec.";
    const at = session.requests.findIndex(({ body }) => body.includes(note));
    expect(session.requests[at]?.results.has("third")).toBe(true);
    expect(session.requests[at - 1]?.results.has("third")).toBe(false);
  });
});
