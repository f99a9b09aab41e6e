/**
 * Modes in the real host: they keep the agent working until the task is done, release it when they must, and end when a
 * person says so.
 */
import { describe, expect, it } from "vitest";
import { bash, lane, type ModelRequest, type Step, use } from "./scripted-model.ts";
import { openStage, type Session, type Stage } from "./stage.ts";

const say = (text: string): Step => ({ text });

/** The messages to the model about refused Stops, one per refusal. */
function refusals({ requests }: Session): readonly string[] {
  const last = (requests.at(-1) as ModelRequest).body;
  const said = last.split("Sekisho refuses this").slice(1);
  return [...new Map(said.map((one) => [/sekisho explain (\w+)/.exec(one)?.[1], one])).values()];
}

interface ModeLine {
  readonly mode: string;
  readonly count: number;
  readonly max: number;
  readonly state: string;
}

const modesIn = ({ sekisho }: Stage): readonly ModeLine[] =>
  JSON.parse(sekisho("mode", "list", "--json").stdout) as readonly ModeLine[];

const shown = ({ events }: Session): string => JSON.stringify(events.filter(({ type }) => type !== "assistant"));

const PLAN = ".tmp/plans/login.md";

describe("persistent mode", () => {
  it("MD-56 MD-58 完了まで実装して refuses several Stops until the plan's boxes are ticked, then lets the turn end", async () => {
    const stage = openStage();
    stage.write(PLAN, "# Login\n\n- [ ] form\n- [ ] session\n");
    const tick = (text: string): Step => bash(`printf '%b' '${text}' > ${PLAN}`);
    let during: readonly ModeLine[] = [];
    const session = await stage.play({ prompt: "完了まで実装して" }, [
      say("計画を読みました。"),
      tick("# Login\\n\\n- [x] form\\n- [ ] session\\n"),
      say("フォームができました。"),
      () => {
        during = modesIn(stage);
        return bash("echo session > session.txt");
      },
      say("もうすぐです。"),
      tick("# Login\\n\\n- [x] form\\n- [x] session\\n"),
      say("すべて終わりました。"),
      say("この行は読まれません。"),
    ]);
    const [first, second, third, ...more] = refusals(session);
    expect(first).toContain("Persistent mode 1/20: 0 of 2 boxes");
    expect(second).toContain("Persistent mode 2/20: 1 of 2 boxes");
    expect(second).toContain("- [ ] session");
    expect(third).toContain("Persistent mode 3/20: 1 of 2 boxes");
    expect(more).toEqual([]);
    expect(during).toMatchObject([
      { mode: "persistent", count: 2, max: 20, state: "active" },
      { mode: "turbo", count: 0, max: 30 },
    ]);
    expect(modesIn(stage)).toEqual([]);
    expect(JSON.stringify(session.events)).not.toContain("この行は読まれません");
  });

  it("a stuck agent is released with a reason, and the mode waits for the person", async () => {
    const stage = openStage();
    const session = await stage.play({ prompt: "Implement the login page and don't stop until it is done" }, [
      say("I am stuck."),
      say("Still stuck."),
      say("I do not know."),
      say("Sorry."),
      say("This is never asked for."),
    ]);
    expect(refusals(session)).toHaveLength(3);
    expect(shown(session)).toContain("was told to continue several times and used no tool");
    expect(modesIn(stage)).toMatchObject([{ mode: "persistent", count: 3 }, { mode: "turbo" }]);
    const { stdout } = stage.sekisho("audit", "--json");
    expect(stdout).toContain('"idle"');
  });

  it("MD-66 the promise ends the mode when the agent says it, not when the person wrote it", async () => {
    const stage = openStage();
    const prompt = "Implement the login page and don't stop until it is done; then say <promise>DONE</promise>";
    const session = await stage.play({ prompt }, [
      say("Half of it."),
      bash("echo page > page.txt"),
      say("All of it. <promise>done</promise>"),
    ]);
    expect(refusals(session)).toHaveLength(1);
    expect(modesIn(stage)).toEqual([]);
  });

  it("MD-69 a turn that waits for a subagent is never refused, and the mode continues afterwards", async () => {
    const stage = openStage();
    const session = await stage.play(
      { prompt: "Implement the login page and don't stop until it is done" },
      [
        use("Agent", { description: "d", prompt: "HELPER look around", subagent_type: "general-purpose" }),
        say("I wait for the helper."),
        say("It came back."),
        bash("echo page > page.txt"),
        say("<promise>DONE</promise>"),
      ],
      lane("HELPER look around", bash("sleep 2"), say("Looked: hello.txt is there, with two lines.")),
    );
    const refused = refusals(session);
    expect(refused).toHaveLength(1);
    const order = session.requests.map(({ body }) => body.lastIndexOf("Sekisho refuses this") > 0);
    // The refusal came in the turn that the subagent's end started, not while it ran.
    expect(session.requests[order.indexOf(true)]?.body).toContain("task-notification");
    expect(modesIn(stage)).toEqual([]);
  });
});

describe("a prompt scheduled by the agent", () => {
  it("does not free the turn when it comes in half a year, and cannot be /cancel", async () => {
    const stage = openStage();
    const allowed = "Bash,CronCreate,CronDelete,ToolSearch";
    const month = ((new Date().getMonth() + 6) % 12) + 1;
    const cron = (prompt: string, id: string): Step =>
      use("CronCreate", { cron: `0 0 1 ${month} *`, prompt, recurring: true }, id);
    const session = await stage.play({ prompt: "/persistent build the page", allowed }, [
      use("ToolSearch", { query: "select:CronCreate,CronDelete" }),
      cron("/cancel", "cancel"),
      cron("go on with the page", "made"),
      say("See you in half a year."),
      ({ results }) => use("CronDelete", { id: /job (\w+)/.exec(results.get("made") ?? "")?.[1] ?? "" }),
      say("<promise>DONE</promise>"),
    ]);
    expect(session.told("cancel")).toContain("looks like the person's");
    expect(session.told("made")).toContain("Scheduled");
    expect(refusals(session).filter((words) => words.includes("Persistent mode 1/20"))).toHaveLength(1);
    expect(modesIn(stage)).toEqual([]);
  });
});

describe("cancel by a person", () => {
  it("MD-26 /cancel ends every mode, and the agent's attempts do not", async () => {
    const stage = openStage();
    const prompt = "Implement the login page and don't stop until it is done";
    const attempts = await stage.play({ prompt }, [
      bash(`node ${stage.program} cancel`, "cancel"),
      bash(`node ${stage.program} mode stop persistent`, "stop"),
      bash("echo cancel > x; cat x", "echo"),
      say("/cancel"),
      say("キャンセルして"),
      say("cancel"),
    ]);
    expect(attempts.told("cancel")).toContain("Sekisho refuses this");
    expect(attempts.told("stop")).toContain("Sekisho refuses this");
    expect(modesIn(stage)).toMatchObject([{ mode: "persistent", count: 3 }, { mode: "turbo" }]);
    const cancelled = await stage.play({ flags: ["--continue"], prompt: "/cancel" }, [say("Stopped.")]);
    expect(refusals(cancelled).length).toBe(refusals(attempts).length);
    expect(modesIn(stage)).toEqual([]);
    expect(shown(cancelled)).toContain("cancelled: persistent mode");
  });
});

describe("cancel by a word", () => {
  it.each(["cancel", "キャンセルして"])("MD-26 %s as a prompt ends every mode, and the turn may end", async (word) => {
    const stage = openStage();
    await stage.play({ prompt: "Implement the login page and don't stop until it is done" }, [
      say("a"),
      say("b"),
      say("c"),
      say("d"),
    ]);
    expect(modesIn(stage)).toMatchObject([{ mode: "persistent", count: 3 }, { mode: "turbo" }]);
    const asked = await stage.play({ flags: ["--continue"], prompt: "add a cancel button, キャンセルボタンも" }, [
      bash("echo 1"),
      say("Added."),
      say("e"),
      say("f"),
      say("g"),
    ]);
    expect(refusals(asked).length).toBeGreaterThan(3);
    const before = refusals(asked).length;
    const cancelled = await stage.play({ flags: ["--continue"], prompt: word }, [
      say("Stopped."),
      say("This is never asked for."),
    ]);
    expect(refusals(cancelled)).toHaveLength(before);
    expect(modesIn(stage)).toEqual([]);
    expect(shown(cancelled)).toContain("cancelled: persistent mode");
    expect(JSON.stringify(cancelled.events)).not.toContain("never asked for");
  });
});

describe("modes across sessions", () => {
  it("ST-10 ST-11 a killed session's mode continues when it is resumed, and no other session gets it", async () => {
    const stage = openStage();
    const prompt = "Implement the login page and don't stop until it is done";
    await stage.play({ prompt, flags: ["--max-turns", "2"] }, [bash("echo 1"), bash("echo 2"), bash("echo 3")]);
    expect(modesIn(stage)).toMatchObject([{ mode: "persistent", count: 0 }, { mode: "turbo" }]);
    const other = await stage.play({ prompt: "hello" }, [say("Hello.")]);
    expect(refusals(other)).toEqual([]);
    expect(modesIn(stage)).toHaveLength(2);
    // The newest conversation is the other one, so --continue would not do.
    const first = stage.audit().find(({ event }) => event === "UserPromptSubmit")?.session_id ?? "";
    const resumed = await stage.play({ flags: ["--resume", first], prompt: "go on" }, [
      say("Half."),
      bash("echo page > page.txt"),
      say("<promise>DONE</promise>"),
    ]);
    expect(refusals(resumed)).toHaveLength(1);
    expect(modesIn(stage)).toEqual([]);
  });

  it("MD-61 turbo ends when the tasks of its run are done", async () => {
    const stage = openStage();
    const env = { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" };
    const allowed = "Bash,TaskCreate,TaskUpdate,ToolSearch";
    const session = await stage.play({ prompt: "turbo: build the page", env, allowed }, [
      use("ToolSearch", { query: "select:TaskCreate,TaskUpdate" }),
      use("TaskCreate", { subject: "the form", description: "d" }, "made"),
      say("Planned."),
      use("TaskUpdate", { taskId: "1", status: "completed" }, "done"),
      say("Built."),
    ]);
    expect(session.told("made")).toContain("created");
    expect(refusals(session)).toHaveLength(1);
    expect(refusals(session)[0]).toContain("Open tasks: 1 (the form)");
    expect(modesIn(stage)).toEqual([]);
  });
});

describe("compaction", () => {
  it("MD-92 TS-39 after /compact the next request has the mode state, and the handover once", async () => {
    const stage = openStage();
    stage.write(PLAN, "- [x] form\n- [ ] session\n");
    const prompt = "完了まで実装して";
    await stage.play({ prompt }, [say("a"), say("b"), say("c"), say("d")]);
    expect(modesIn(stage)).toMatchObject([{ mode: "persistent", count: 3 }, { mode: "turbo" }]);
    await stage.play({ flags: ["--continue"], prompt: "/compact" }, [say("<summary>short</summary>")]);
    const { stdout } = stage.sekisho("handover", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ branch: "main", trigger: "manual", user_intents: [prompt] });
    const after = await stage.play({ flags: ["--continue"], prompt: "go on" }, [
      bash(`printf '%b' '- [x] form\\n- [x] session\\n' > ${PLAN}`),
      say("Done."),
    ]);
    const body = after.requests[0]?.body ?? "";
    expect(body).toContain("<session-restore>");
    expect(body).toContain("3/20");
    // Once, although the host started a session before and after the compaction and keeps earlier context.
    expect(body.split("What the person last asked for")).toHaveLength(2);
    const restored = body.split("<session-restore>").length;
    expect(modesIn(stage)).toEqual([]);
    const later = await stage.play({ flags: ["--continue"], prompt: "and now?" }, [say("Nothing.")]);
    expect(later.requests[0]?.body.split("<session-restore>")).toHaveLength(restored);
  });
});
