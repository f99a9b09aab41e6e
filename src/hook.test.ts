import { describe, expect, it } from "vitest";
import { hallWith, send } from "./example-hall.ts";
import { handle } from "./hook.ts";
import { type Policy, pass, type Ruling } from "./kernel/policy.ts";
import { text } from "./kernel/text.ts";
import { HOME, PROJECT } from "./policies/describe-policy.ts";
import type { VerdictRecord } from "./state/record.ts";
import { defaultSettings } from "./state/settings.ts";
import { memoryStore } from "./store/memory.ts";
import type { Store } from "./store/store.ts";

const word = text("w", "言");
const refuse: Ruling = { decision: "deny", what: word, fix: word };

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "t-1" });
const broken = (code: "full" | "io" = "full"): Store => ({
  ...memoryStore(),
  append: () => ({ fault: "The disk is full. Free some space.", code }),
});
const law = (ruling: Ruling | (() => Ruling), on: Policy["on"], bound?: number): Policy[] => [
  {
    id: "no-x",
    on,
    needs: [],
    why: word,
    examples: [],
    check: () => (typeof ruling === "function" ? ruling() : ruling),
    ...(bound !== undefined && { bound }),
  },
];

describe("law 5: keep, fold, confirm, say", () => {
  it("AU-4 every event leaves a record, allowed or refused", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    send(hall, "PreToolUse", bash("ls"));
    send(hall, "PreToolUse", bash("rm -rf /"));
    send(hall, "Stop");
    expect(
      [...store.records()].map((record) => record.kind === "verdict" && `${record.event} ${record.decision}`),
    ).toEqual(["PreToolUse pass", "PreToolUse deny", "Stop pass"]);
  });

  it("AU-2 a record says what, where, which policies, and what was made of the operation", () => {
    const store = memoryStore();
    send(hallWith(store), "PreToolUse", bash("rm -rf /"));
    const [record] = [...store.records()];
    expect(record).toMatchObject({
      session: "s-1",
      tool: "Bash",
      call: "t-1",
      input: { command: "rm -rf /" },
      operation: { class: "exec", risk: "critical" },
      objections: expect.arrayContaining([
        expect.objectContaining({ policy: "no-destructive-command", decision: "deny" }),
      ]),
      asked: expect.arrayContaining(["no-tampering", "track-outcome"]),
      cwd: PROJECT,
    });
  });

  it("a long value is kept as its beginning and a digest, and its secrets are gone before that", () => {
    const store = memoryStore();
    send(hallWith(store), "PreToolUse", {
      tool_name: "Write",
      tool_use_id: "w",
      tool_input: { file_path: `${PROJECT}/a`, content: `PASSWORD=hunter2 ${"x".repeat(9_000)}` },
    });
    const kept = JSON.stringify([...store.records()]);
    expect(kept).toContain("[cut, 9017 chars, sha256 d1ge57]");
    expect(kept).not.toContain("hunter2");
  });

  it("the refusal names the record it can be explained by", () => {
    const store = memoryStore();
    const { stderr } = send(hallWith(store), "PreToolUse", bash("rm -rf ~"));
    const [record] = [...store.records()];
    expect(stderr).toContain(`sekisho explain ${record?.rid}`);
  });

  it("EH-5 a change tool whose verdict cannot be kept is refused with the reason, reading and steering go on", () => {
    const hall = hallWith(broken());
    expect(send(hall, "PreToolUse", bash("make"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("The disk is full"),
    });
    expect(send(hall, "PreToolUse", { tool_name: "Read", tool_input: { file_path: "/a" } }).exitCode).toBe(0);
    expect(send(hall, "PreToolUse", { tool_name: "Skill", tool_input: {} }).exitCode).toBe(0);
    expect(send(hall, "PreToolUse", bash("ls")).exitCode).toBe(0);
  });

  it("a refusal that cannot be kept is still a refusal", () => {
    expect(send(hallWith(broken()), "PreToolUse", bash("rm -rf /"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("file system"),
    });
  });

  it("EH-11 a refused Stop that cannot be kept is not spoken", () => {
    expect(send(hallWith(broken(), { policies: law(refuse, ["Stop"], 3) }), "Stop")).toMatchObject({
      exitCode: 0,
      stdout: "",
    });
  });

  it("TS-34 MD-56 a mode whose refusal cannot be kept lets go, and one that can be holds", () => {
    const store = memoryStore();
    const prompt = { prompt: "Implement the login page and don't stop until it is done" };
    send(hallWith(store), "UserPromptSubmit", prompt);
    const full: Store = { ...store, append: broken().append };
    expect(send(hallWith(full), "Stop")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(send(hallWith(store), "Stop").stdout).toContain("Persistent mode 1/20");
  });

  it("a mode whose beginning or end cannot be kept is not said to have begun or ended", () => {
    const store = memoryStore();
    const full: Store = { ...store, append: broken().append };
    const unkept = (event: string, fields: object): string => send(hallWith(full), event, fields).stdout;
    const asked = { prompt: "/persistent finish it" };
    expect(unkept("UserPromptSubmit", asked)).toContain("no mode has begun or ended: The disk is full.");
    expect(unkept("UserPromptSubmit", asked)).not.toContain("on from here");
    expect(send(hallWith(store), "UserPromptSubmit", asked).stdout).toContain("on from here: persistent mode");
    expect(unkept("UserPromptSubmit", { prompt: "cancel" })).not.toContain("cancelled: ");
    expect(unkept("Stop", { last_assistant_message: "<promise>DONE</promise>" })).not.toContain("is done");
    expect(unkept("UserPromptSubmit", { prompt: "hello" })).toBe("");
  });

  it("TS-34 MD-56 a journal that cannot be read holds nobody", () => {
    const store = memoryStore();
    send(hallWith(store), "UserPromptSubmit", { prompt: "/persistent finish it" });
    const lost: Store = { ...store, read: () => ({ fault: "The disk is gone.", code: "io" }) };
    expect(send(hallWith(lost), "Stop").stdout).not.toContain("block");
    expect(send(hallWith(store), "Stop").stdout).toContain("block");
  });

  it("a refused Stop is spoken as often as its bound allows, and then no more", () => {
    const hall = hallWith(memoryStore(), { policies: law(refuse, ["Stop"], 2) });
    const answers = [1, 2, 3, 4].map(() => send(hall, "Stop").stdout.includes('"block"'));
    expect(answers).toEqual([true, true, false, false]);
  });

  it("a parallel refusal that used up the bound first is respected", () => {
    const store = memoryStore();
    const racing: Store = {
      ...store,
      append: (body, now) => {
        store.append(body, now);
        return store.append(body, now);
      },
    };
    expect(send(hallWith(racing, { policies: law(refuse, ["Stop"], 1) }), "Stop").stdout).toBe("");
  });

  it("EH-9 a policy that fails after the fact is recorded and holds nothing up", () => {
    const store = memoryStore();
    const fails = law(() => {
      throw new Error("boom");
    }, ["PostToolUse"]);
    expect(send(hallWith(store, { policies: fails }), "PostToolUse", bash("ls"))).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
    expect([...store.records()].at(-1)).toMatchObject({ kind: "fault", where: "no-x", message: "boom" });
  });

  it("TR-81 a bug of ours anywhere shuts the gate and lets the rest go", () => {
    const hall = hallWith(memoryStore(), {
      settingsOf: () => {
        throw new Error("a bug");
      },
    });
    expect(send(hall, "PreToolUse", bash("make"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("a bug"),
    });
    expect(send(hall, "Stop").exitCode).toBe(0);
  });
});

describe("trust, from the gate to the end of a session", () => {
  const use = (tool_name: string, tool_input: object) => ({ tool_name, tool_input, tool_use_id: "t-1" });
  const asDomain = { ...defaultSettings, profile: { ...defaultSettings.profile, trust_gate: "domain" as const } };

  it("TR-1 every attempt has domain, risk and complexity; trust and risk make autonomy, and that one of four decisions", () => {
    const store = memoryStore();
    const hall = hallWith(store, { settingsOf: () => ({ settings: asDomain, problems: [], custom: [] }) });
    send(hall, "PreToolUse", use("Read", { file_path: `${PROJECT}/a` }));
    send(hall, "PreToolUse", use("Edit", { file_path: `${PROJECT}/src/a.ts`, old_string: "a", new_string: "b" }));
    send(hall, "PreToolUse", use("Bash", { command: "make" }));
    send(hall, "PreToolUse", use("Bash", { command: "DEPLOY_TOKEN=abc ./deploy.sh" }));
    const weighed = [...store.records()].map((record) => {
      const { operation, weighed } = record as VerdictRecord;
      return [operation?.domain, operation?.risk, weighed?.score, weighed?.autonomy, weighed?.grade];
    });
    expect(weighed).toEqual([
      ["file_read", "low", 0.3, 0.839, "auto_approved"],
      ["file_write_src", "medium", 0.3, 0.65, "logged_only"],
      ["shell_exec", "medium", 0.3, 0.65, "human_required"],
      ["shell_exec", "critical", 0.3, 0.3, "blocked"],
    ]);
  });

  it("TR-1 autonomy is earned: what was asked about at first passes without a word in the end", () => {
    const store = memoryStore();
    const hall = hallWith(store, { settingsOf: () => ({ settings: asDomain, problems: [], custom: [] }) });
    const gate = (at: number) => send(hall, "PreToolUse", { ...bash("make"), tool_use_id: `t-${at}` }).stdout;
    const answers = Array.from({ length: 40 }, (_, at) => {
      const answer = gate(at);
      send(hall, "PostToolUse", { ...bash("make"), tool_use_id: `t-${at}`, tool_response: {} });
      return answer;
    });
    expect(answers[0]).toContain('"permissionDecision":"ask"');
    expect(answers.at(-1)).toBe("");
  });

  it("TR-85 the end of a turn holds nobody and ends nothing; what is still open ends with the session", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    send(hall, "PreToolUse", bash("make"));
    const before = store.read();
    expect(send(hall, "Stop")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    const after = store.read();
    if ("fault" in before || "fault" in after) throw new Error("a memory store has no faults");
    expect(after.trust).toEqual(before.trust);
    expect(after.sessions["s-1"]).toMatchObject({ calls: { "t-1": {} }, outcomes: { abandoned: 0 } });
    expect([...store.records()].at(-1)).toMatchObject({ kind: "verdict", event: "Stop" });
    send(hall, "SessionEnd", { reason: "other" });
    expect(store.read()).toMatchObject({ sessions: { "s-1": { calls: {}, outcomes: { abandoned: 1 } } } });
    expect(send(hallWith(broken()), "Stop").exitCode).toBe(0);
  });
});

describe("input that cannot be read", () => {
  it("AU-6 leaves a reduced entry, never the raw input", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    const reply = handle(
      { body: '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"TOKEN=abc', env: {} },
      hall,
    );
    expect(reply.exitCode).toBe(2);
    const [record] = [...store.records()];
    expect(record).toMatchObject({ kind: "fault", where: "input", tool: "Bash" });
    expect(JSON.stringify(record)).not.toContain("abc");
  });

  it.each([
    ["nothing", ""],
    ["no JSON", '{"hook_event_name":'],
    ["no name of a tool", JSON.stringify({ hook_event_name: "PreToolUse", session_id: "s-1", cwd: PROJECT })],
  ])("TR-81 %s shuts the gate with exit code 2, and is on the record", (_, body) => {
    const store = memoryStore();
    const reply = handle({ body, registeredFor: "PreToolUse", env: {} }, hallWith(store));
    expect(reply).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("could not decide") });
    expect([...store.records()]).toMatchObject([{ kind: "fault", where: "input" }]);
  });

  it("EH-1 EH-2 at the gate for reading it lets go, at the gate for changes it does not", () => {
    const hall = hallWith(memoryStore());
    const at = (harmless: boolean) =>
      handle({ body: "{", registeredFor: "PreToolUse", harmless, env: {} }, hall).exitCode;
    expect([at(true), at(false)]).toEqual([0, 2]);
  });
});

describe("an opted-out project", () => {
  it("lets everything pass, keeps nothing, and says so", () => {
    const store = memoryStore();
    const hall = hallWith(store, {
      settingsOf: () => ({ settings: { ...defaultSettings, enabled: false }, problems: [], custom: [] }),
    });
    expect(send(hall, "PreToolUse", bash("rm -rf /")).exitCode).toBe(0);
    expect(send(hall, "SessionStart", { source: "startup" }).stdout).toContain("opted out");
    expect([...store.records()]).toEqual([]);
  });
});

describe("the deadline", () => {
  it("EH-16 a fact that was not had in time is unknown, and the gate shuts", () => {
    const hall = hallWith(memoryStore(), { deadline: 0 });
    expect(send(hall, "PreToolUse", bash("make"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("no time left"),
    });
    expect(send(hall, "PreToolUse", { tool_name: "Read", tool_input: { file_path: `${HOME}/a` } }).exitCode).toBe(0);
  });
});

describe("nothing on the allow path", () => {
  it("HK-2 an allowed action is answered by silence", () => {
    expect(send(hallWith(memoryStore(), { policies: law(pass, ["PreToolUse"]) }), "PreToolUse", bash("ls"))).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "",
      injected: 0,
    });
  });
});
