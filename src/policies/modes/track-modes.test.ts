import { describe, expect, it } from "vitest";
import { hallWith, send } from "../../app/example-hall.ts";
import type { Gathered } from "../../kernel/facts.ts";
import type { ModeName, Modes } from "../../state/session/modes.ts";
import { newSession, type Session } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { newState } from "../../state/state.ts";
import { memoryStore } from "../../store/memory.ts";
import { isFault } from "../../store/store.ts";
import { verdictOf } from "../describe-policy.ts";
import { exampleMode } from "../example.ts";
import { inMode } from "./example-stops.ts";
import { trackModes } from "./track-modes.ts";

const GO_ON = "Implement the login page and don't stop until it is done";
const prompt = (words: string, more: object = {}) => ({ name: "UserPromptSubmit", prompt: words, ...more }) as const;
const command = (name: string, args = "") => ({ name: "UserPromptExpansion", command: name, args }) as const;

const said = (words: string, given: Gathered = {}) => verdictOf(trackModes, prompt(words), given);
const begun = (verdict: ReturnType<typeof said>): readonly string[] =>
  verdict.changes.flatMap((change) => (change.record === "mode" && change.do === "start" ? change.mode : []));
const noted = (verdict: ReturnType<typeof said>): string => verdict.notes.map(({ en }) => en).join("\n");
const told = (verdict: ReturnType<typeof said>): string => verdict.notices.map(({ en }) => en).join("\n");
const having = (modes: Partial<Settings["modes"]>): Gathered => ({
  settings: { ...defaultSettings, modes: { ...defaultSettings.modes, ...modes } },
});
const busy = { session: inMode({ persistent: exampleMode }) };
const CANCEL = { record: "mode", do: "stop", why: "cancelled", unowned: true };

describe("a prompt that starts a mode", () => {
  it("MD-27 MD-28 TS-35 persistent mode also starts turbo mode, and both record the task", () => {
    const { changes, notices } = said(GO_ON);
    // The notice shows the person at once when a prompt was misread as starting a mode.
    expect(notices[0]?.en).toBe("on from here: persistent mode. Type `cancel` to end it");
    expect(changes).toEqual([
      { record: "mode", do: "start", mode: "persistent", by: "prompt", task: GO_ON, max: 20, promise: "DONE" },
      {
        ...{ record: "mode", do: "start", mode: "turbo", by: "mode", task: GO_ON, max: 30, promise: "DONE" },
        with: "persistent",
      },
    ]);
  });

  it("MD-27 TS-35 a mode that is already on is neither started nor announced again", () => {
    const verdict = said(GO_ON, busy);
    expect([verdict.changes, verdict.notes]).toEqual([[], []]);
    expect(told(verdict)).toContain('on already: persistent mode 0/20 "finish the login page".');
    expect(told(verdictOf(trackModes, command("sekisho:persistent", "go"), busy))).toBe("");
  });

  it("MD-27 an expired mode is replaced", () => {
    const old = { session: inMode({ persistent: { ...exampleMode, since: 0 } }), now: 25 * 3600 * 1000 };
    expect(begun(said(GO_ON, old))).toEqual(["persistent", "turbo"]);
  });

  it("MD-13 MD-14 the settings define the budget of each mode", () => {
    expect(said("/qa", having({ qa_max: 4 })).changes).toMatchObject([{ mode: "qa", max: 4 }]);
    expect(said("/turbo").changes).toMatchObject([{ mode: "turbo", max: 30 }]);
    expect(said("/turbo").changes[0]).not.toHaveProperty("with");
  });

  it.each([
    ["/persistent fix the tests", "persistent", "fix the tests"],
    ["/sekisho:persistent fix the tests", "persistent", "fix the tests"],
    ["/persistent-mode fix\nthe tests", "persistent", "fix the tests"],
    ["/qa", "qa", ""],
    ["/web-qa check it", "qa", "check it"],
    ["  /turbo do it all", "turbo", "do it all"],
  ] as const)("%j starts the mode as a command", (words, mode: ModeName, task) => {
    expect(said(words).changes[0]).toMatchObject({ do: "start", mode, task });
    const [, name = "", args = ""] = /^\s*\/(\S+)\s*([\s\S]*)$/.exec(words) ?? [];
    expect(verdictOf(trackModes, command(name, args)).changes[0]).toMatchObject({ do: "start", mode, task });
  });

  it("MD-29 the note names the skill of the mode when the skill is installed", () => {
    expect(noted(said(GO_ON, { skills: ["sekisho:persistent-mode"] }))).toMatch(/sekisho:persistent-mode.*Skill tool/);
  });

  it("MD-30 the note gives the instructions themselves when the skill is not installed", () => {
    for (const words of [GO_ON, "/qa", "/turbo"]) {
      const note = noted(said(words, { skills: ["other", "persistent", "mode"] }));
      expect(note).not.toMatch(/Skill tool|undefined/);
      expect(note.length).toBeGreaterThan(100);
    }
    expect(noted(said("/qa"))).toContain("sekisho verify");
  });

  it("a plain prompt suggests a skill only when the setting modes.skills is on", () => {
    const words = "Please fix this bug in the parser.";
    expect(noted(said(words))).toBe("");
    expect(noted(said(words, having({ skills: true })))).toContain("bug-fix");
  });

  it("with keywords switched off, commands and the word cancel still work", () => {
    expect(begun(said(GO_ON, having({ keywords: false })))).toEqual([]);
    const own = { name: "ship", strong: ["ship it"], weak: [], veto: [], mode: "turbo" } as const;
    expect(begun(said("ship it", having({ keywords: false, words: [own] })))).toEqual([]);
    expect(said("cancel", { ...busy, ...having({ keywords: false }) }).changes).toEqual([CANCEL]);
    expect(said("add a cancel button", { ...busy, ...having({ keywords: false }) }).changes).toEqual([]);
    expect(begun(said("/persistent go", having({ keywords: false })))).toEqual(["persistent", "turbo"]);
    expect(said("/cancel", { ...busy, ...having({ keywords: false }) }).changes).toEqual([CANCEL]);
  });
});

describe("a prompt that starts nothing", () => {
  it.each([
    ["TS-35 an ordinary one", "Add a test for the parser."],
    ["TS-35 add a cancel button", "add a cancel button"],
    ["empty", ""],
    ["blanks", " \n\t"],
    ["MD-20 TS-35 another command", "/review don't stop until it is done, cancel the rest"],
    ["MD-20 a path", "/etc/hosts is wrong; don't stop until it is done"],
    ["another plugin's command", "/acme:persistent fix it"],
    ["another plugin's cancel", "/acme:cancel"],
    ["one that only begins like it", "/cancelled"],
    ["our plugin's other command", "/sekisho:status"],
  ])("%s", (_, words) => {
    const { changes, notes, notices } = said(words, busy);
    expect([changes, notes, notices]).toEqual([[], [], []]);
  });

  it("another plugin's command starts and cancels nothing when the host expands it", () => {
    for (const name of ["acme:cancel", "acme:persistent", "cancelled", "", "sekisho:sekisho:cancel"])
      expect(verdictOf(trackModes, command(name, "go"), busy).changes, name).toEqual([]);
  });

  const scheduled: Session = {
    ...busy.session,
    proof: { ...busy.session.proof, sent: ["don't stop until it is"] } as never,
  };

  it.each([
    ["one that the agent had sent to itself", prompt(GO_ON), scheduled],
    ["in tags of the client's", prompt(GO_ON, { automatic: true }), inMode({})],
    ["the end of a task", prompt(GO_ON, { notification: { call: "c", status: "completed" } }), inMode({})],
    ["where nobody knows what it has sent", prompt(GO_ON), { ...inMode({}), proof: { sent: [""] } as never }],
  ])("%s starts nothing", (_, event, session) => {
    const verdict = verdictOf(trackModes, event, { session: session as Session });
    expect([verdict.changes, verdict.notes]).toEqual([[], []]);
  });

  it("an automatic prompt does not claim waiting modes", () => {
    const waitingModes: Modes = { persistent: exampleMode };
    const verdict = verdictOf(trackModes, prompt("go on", { automatic: true }), { waitingModes });
    expect([verdict.changes, verdict.notes]).toEqual([[], []]);
  });
});

describe("a mode's name that is no order", () => {
  it("is answered once with the way to start the mode", () => {
    const words = "is turbo mode good for the migration";
    const first = said(words);
    expect(begun(first)).toEqual([]);
    expect(told(first)).toContain("Turbo mode was not started");
    expect(told(first)).toContain("/sekisho:turbo");
    const session = { ...inMode({}), shown: ["hint turbo"] };
    expect(told(said(words, { session }))).toBe("");
    expect(told(said(words, having({ keywords: false })))).toBe("");
    expect(told(said("use turbo mode to build the page"))).not.toContain("not started");
    expect(told(said("Implement a turbo mode for the racing game"))).toBe("");
  });
});

describe("MD-26 cancel", () => {
  it.each([["/cancel"], ["/sekisho:cancel"], ["cancel"], ["  /cancel now"]])("%j ends all modes", (words) => {
    const verdict = said(words, busy);
    expect(verdict.changes).toEqual([CANCEL]);
    expect(told(verdict)).toBe("cancelled: persistent mode");
    expect(noted(verdict)).toContain("Begin nothing new");
  });

  it.each(["`cancel`", "「キャンセル」", " `Cancel` "])(
    "%j, as the notices quote the word, counts as cancel",
    (words) => {
      expect(said(words, busy).changes).toEqual([CANCEL]);
      expect(said(`${words} button`, busy).changes).toEqual([]);
    },
  );

  it("MD-29 the note names the cancel skill when it is installed", () => {
    expect(noted(said("/cancel", { ...busy, skills: ["sekisho:cancel"] }))).toContain("sekisho:cancel");
  });

  it("cancel also ends modes that wait for a session, and names each mode once", () => {
    const waitingModes: Modes = { persistent: exampleMode, qa: exampleMode };
    expect(told(said("/cancel", { ...busy, waitingModes }))).toBe("cancelled: persistent mode, QA mode");
  });

  it("a mode started by another mode is not named when both are cancelled", () => {
    const turbo = { ...exampleMode, by: "mode", with: "persistent" } as const;
    const both: Modes = { persistent: exampleMode, turbo };
    expect(told(said("/cancel", { session: inMode(both) }))).toBe("cancelled: persistent mode");
    const left = said("/cancel", { session: inMode({ turbo }) });
    expect([told(left), left.changes]).toEqual(["cancelled: turbo mode", [CANCEL]]);
  });

  it("/cancel with no active mode says so once for both events of the command", () => {
    const now = 100_000;
    expect(told(said("/cancel", { now }))).toContain("no mode is active");
    expect(told(said("cancel", { now }))).toBe("");
    expect(told(verdictOf(trackModes, command("sekisho:cancel"), { now }))).toBe("");
    const session = { ...inMode({}), cancelledAt: now - 10 };
    expect(told(verdictOf(trackModes, command("sekisho:cancel"), { session, now }))).toBe("");
    expect(said("/cancel", { now }).changes).toEqual([]);
  });

  it("a cancel that the agent may have sent ends nothing, and the person is told how to cancel", () => {
    const session: Session = { ...busy.session, proof: { sent: ["/cancel"] } as never };
    const verdict = said("/cancel", { session });
    expect(verdict.changes).toEqual([]);
    expect(told(verdict)).toContain("`sekisho cancel` in your own terminal");
    const opened = verdictOf(trackModes, command("cancel"), { session });
    expect(opened.changes).toEqual([]);
  });

  it("a cancel inside tags ends nothing", () => {
    expect(verdictOf(trackModes, prompt("/cancel", { automatic: true }), busy).changes).toEqual([]);
  });

  it("a prompt that cancels starts no mode", () => {
    expect(begun(said("cancel", busy))).toEqual([]);
    expect(
      said("cancel everything. Then implement it and don't stop until it is done.", busy).changes,
    ).not.toContainEqual(expect.objectContaining({ do: "start" }));
  });
});

describe("custom keywords", () => {
  const words = (more: object) =>
    having({ words: [{ name: "ship-it", strong: ["ship it"], weak: [], veto: [], ...more }] });

  it("start a mode", () => {
    const verdict = said("ship it", words({ mode: "qa" }));
    expect(verdict.changes).toMatchObject([{ do: "start", mode: "qa", task: "ship it" }]);
    expect(noted(verdict)).toContain("Run the project's checks (`sekisho verify`)");
    expect(begun(said("ship it", words({ mode: "persistent" })))).toEqual(["persistent", "turbo"]);
    expect(begun(said("Ship it. Turbo mode: implement the rest.", words({ mode: "turbo" })))).toEqual(["turbo"]);
    expect(begun(said("the ship is slow", words({ mode: "qa" })))).toEqual([]);
  });

  it("point to a skill only when it is installed", () => {
    const given = words({ skill: "release" });
    expect(noted(said("ship it", { ...given, skills: ["release"] }))).toContain("take up the skill release now");
    expect(noted(said("ship it", { ...given, skills: ["releases"] }))).toBe("");
  });

  it("add their own text as a note", () => {
    expect(noted(said("ship it", words({ say: "Tag it first." })))).toBe("Sekisho (ship-it): Tag it first.");
  });

  it("do not restart a mode that is already on", () => {
    expect(said("ship it", { ...words({ mode: "persistent" }), ...busy }).changes).toEqual([]);
  });

  it("start nothing when the agent sent the words", () => {
    const session: Session = { ...newSession(0), proof: { sent: ["ship it"] } as never };
    expect(said("ship it", { ...words({ mode: "qa" }), session }).changes).toEqual([]);
  });
});

describe("modes that move between sessions", () => {
  it("a prompt claims waiting modes, and the agent is told", () => {
    const verdict = said("good morning", { waitingModes: { persistent: { ...exampleMode, count: 2 } } });
    expect(verdict.changes).toEqual([{ record: "mode", do: "claim" }]);
    expect(noted(verdict)).toContain("Persistent mode 2/20 holds here: finish the login page");
    expect(told(verdict)).toBe(
      'on from here: persistent mode 2/20 "finish the login page", which waited for a session. Type `cancel` to end it',
    );
  });

  it("the person is told about active modes on resume, not after compaction", () => {
    const modesTakenUp: Modes = { persistent: { ...exampleMode, count: 4 } };
    const begins = (source: "resume" | "compact") =>
      told(verdictOf(trackModes, { name: "SessionStart", source }, { modesTakenUp }));
    expect(begins("resume")).toContain("still on: persistent mode 4/20");
    expect(begins("compact")).toBe("");
  });

  it("a waiting mode that is asked for again is claimed, not started twice", () => {
    const waitingModes: Modes = { persistent: exampleMode };
    expect(said(GO_ON, { waitingModes }).changes).toEqual([{ record: "mode", do: "claim" }]);
  });

  it("an expired waiting mode is not claimed", () => {
    expect(said("hello", { waitingModes: { qa: exampleMode }, now: 25 * 3600 * 1000 }).changes).toEqual([]);
  });

  it("ST-11 a resumed session adopts the modes of the sessions it continues, newest first", () => {
    const verdict = verdictOf(trackModes, { name: "SessionStart", source: "resume" }, { orphans: ["s-0", "s-9"] });
    expect(verdict.changes).toEqual([
      { record: "mode", do: "adopt", from: "s-0" },
      { record: "mode", do: "adopt", from: "s-9" },
    ]);
    expect(verdictOf(trackModes, { name: "SessionStart", source: "resume" }).changes).toEqual([]);
  });
});

describe("through the hall", () => {
  const modesOf = (store: ReturnType<typeof memoryStore>, session = "s-1"): Modes => {
    const state = store.read();
    return (isFault(state) ? newState : state).sessions[session]?.modes ?? {};
  };

  it("MD-26 cancel in one session leaves the modes of other sessions on", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    send(hall, "UserPromptSubmit", { prompt: "/persistent a" });
    send(hall, "UserPromptSubmit", { prompt: "/persistent b", session_id: "s-2" });
    send(hall, "UserPromptSubmit", { prompt: "/cancel" });
    expect(Object.keys(modesOf(store))).toEqual([]);
    expect(Object.keys(modesOf(store, "s-2"))).toEqual(["persistent", "turbo"]);
  });

  it("MD-27 a command that arrives before and after the host expands it starts one mode with one count", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    const typed = { prompt: "/persistent finish it" };
    const opened = { expansion_type: "slash_command", command_name: "persistent", command_args: "finish it" };
    send(hall, "UserPromptExpansion", opened);
    send(hall, "UserPromptSubmit", typed);
    send(hall, "Stop");
    send(hall, "UserPromptSubmit", typed);
    expect(modesOf(store).persistent).toMatchObject({ count: 1, task: "finish it" });
  });

  it("MD-18 TS-35 persistent mode starts turbo mode, and turbo mode ends with it", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    send(hall, "UserPromptSubmit", { prompt: GO_ON });
    expect(Object.keys(modesOf(store))).toEqual(["persistent", "turbo"]);
    expect(send(hall, "Stop").stdout).toMatch(/^(?!.*require-turbo).*Persistent mode 1\/20/s);
    send(hall, "Stop", { last_assistant_message: "All of it. <promise>DONE</promise>" });
    expect(modesOf(store)).toEqual({});
    expect(send(hall, "Stop").stdout).toBe("");
  });

  it("MD-51 modes block no Stop during compaction, and block again afterwards", () => {
    const hall = hallWith(memoryStore());
    const isHeld = (): boolean => send(hall, "Stop").stdout.includes('"block"');
    send(hall, "UserPromptSubmit", { prompt: "/persistent finish it" });
    expect(isHeld()).toBe(true);
    send(hall, "PreCompact", { trigger: "auto" });
    expect(isHeld()).toBe(false);
    send(hall, "SessionStart", { source: "compact" });
    expect(isHeld()).toBe(true);
  });

  it("a prompt inside tags does not reset the refusal counts; a person's prompt does", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    const isHeld = (): boolean => send(hall, "Stop").stdout.includes('"block"');
    send(hall, "UserPromptSubmit", { prompt: "/persistent finish it" });
    expect([isHeld(), isHeld(), isHeld(), isHeld()]).toEqual([true, true, true, false]);
    for (const words of [
      "<task-notification>\n<status>completed</status>\n</task-notification>",
      "<teammate-message>go on</teammate-message>",
    ])
      send(hall, "UserPromptSubmit", { prompt: words });
    expect(isHeld()).toBe(false);
    send(hall, "UserPromptSubmit", { prompt: "go on" });
    expect(isHeld()).toBe(true);
  });

  it("a prompt that the agent scheduled resets, starts and cancels nothing", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    const isHeld = (): boolean => send(hall, "Stop").stdout.includes('"block"');
    send(hall, "UserPromptSubmit", { prompt: "/persistent finish it" });
    const input = { cron: "*/5 * * * *", prompt: "go on with the work, please", recurring: true };
    send(hall, "PreToolUse", { tool_name: "CronCreate", tool_input: input, tool_use_id: "c-1" });
    send(hall, "PostToolUse", { tool_name: "CronCreate", tool_input: input, tool_use_id: "c-1", tool_response: {} });
    expect([isHeld(), isHeld(), isHeld(), isHeld()]).toEqual([true, true, true, false]);
    send(hall, "UserPromptSubmit", { prompt: input.prompt });
    expect(isHeld()).toBe(false);
    expect(modesOf(store).persistent?.count).toBe(3);
    send(hall, "UserPromptSubmit", { prompt: "and now the tests" });
    expect(isHeld()).toBe(true);
  });
});
