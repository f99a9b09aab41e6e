import { describe, expect, it } from "vitest";
import { type Policy, pass, type Ruling } from "../kernel/policy.ts";
import { text } from "../lib/text.ts";
import { HOME, PROJECT } from "../policies/describe-policy.ts";
import type { VerdictRecord } from "../state/record.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { answer, hallWith, send } from "./example-hall.ts";

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

describe("recording before answering", () => {
  it("AU-4 every event is recorded, whether allowed or refused", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    send(hall, "PreToolUse", bash("ls"));
    send(hall, "PreToolUse", bash("rm -rf /"));
    send(hall, "Stop");
    expect(
      [...store.records()].map((record) => record.kind === "verdict" && `${record.event} ${record.decision}`),
    ).toEqual(["PreToolUse pass", "PreToolUse deny", "Stop pass"]);
  });

  it("AU-2 a record contains the input, the directory, the policies and the classified operation", () => {
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

  it("a long value is recorded as its start plus a digest, after secrets are masked", () => {
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

  it("a refusal names its record id", () => {
    const store = memoryStore();
    const { stderr } = send(hallWith(store), "PreToolUse", bash("rm -rf ~"));
    const [record] = [...store.records()];
    expect(stderr).toContain(`sekisho explain ${record?.rid}`);
  });

  it("EH-5 a change that cannot be recorded is refused with the reason; reading and control tools are allowed", () => {
    const hall = hallWith(broken());
    expect(send(hall, "PreToolUse", bash("make"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("The disk is full"),
    });
    expect(send(hall, "PreToolUse", { tool_name: "Read", tool_input: { file_path: "/a" } }).exitCode).toBe(0);
    expect(send(hall, "PreToolUse", { tool_name: "Skill", tool_input: {} }).exitCode).toBe(0);
    expect(send(hall, "PreToolUse", bash("ls")).exitCode).toBe(0);
  });

  it("a refusal that cannot be recorded stays a refusal", () => {
    expect(send(hallWith(broken()), "PreToolUse", bash("rm -rf /"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("file system"),
    });
  });

  it("EH-11 a refused Stop that cannot be recorded is allowed", () => {
    expect(send(hallWith(broken(), { policiesOn: () => law(refuse, ["Stop"], 3) }), "Stop")).toMatchObject({
      exitCode: 0,
      stdout: "",
    });
  });

  it("TS-34 MD-56 a mode refuses Stop only if the refusal can be recorded", () => {
    const store = memoryStore();
    const prompt = { prompt: "Implement the login page and don't stop until it is done" };
    send(hallWith(store), "UserPromptSubmit", prompt);
    const full: Store = { ...store, append: broken().append };
    expect(send(hallWith(full), "Stop")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(send(hallWith(store), "Stop").stdout).toContain("Persistent mode 1/20");
  });

  it("a mode start or end that cannot be recorded is not announced", () => {
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

  it("TS-34 MD-56 a journal that cannot be read does not block Stop", () => {
    const store = memoryStore();
    send(hallWith(store), "UserPromptSubmit", { prompt: "/persistent finish it" });
    const lost: Store = { ...store, read: () => ({ fault: "The disk is gone.", code: "io" }) };
    expect(send(hallWith(lost), "Stop").stdout).not.toContain("block");
    expect(send(hallWith(store), "Stop").stdout).toContain("block");
  });

  it("a Stop is refused only as often as the policy's bound allows", () => {
    const hall = hallWith(memoryStore(), { policiesOn: () => law(refuse, ["Stop"], 2) });
    const answers = [1, 2, 3, 4].map(() => send(hall, "Stop").stdout.includes('"block"'));
    expect(answers).toEqual([true, true, false, false]);
  });

  it("a parallel refusal that reached the bound first counts", () => {
    const store = memoryStore();
    const racing: Store = {
      ...store,
      append: (body, now, how) => {
        store.append(body, now);
        return store.append(body, now, how);
      },
    };
    expect(send(hallWith(racing, { policiesOn: () => law(refuse, ["Stop"], 1) }), "Stop").stdout).toBe("");
  });

  it("EH-9 a policy that throws at PostToolUse is recorded and blocks nothing", () => {
    const store = memoryStore();
    const fails = law(() => {
      throw new Error("boom");
    }, ["PostToolUse"]);
    expect(send(hallWith(store, { policiesOn: () => fails }), "PostToolUse", bash("ls"))).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
    expect([...store.records()].at(-1)).toMatchObject({ kind: "fault", where: "no-x", message: "boom" });
  });

  it("TR-81 an internal error closes the gate and allows other events", () => {
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

describe("trust over a session", () => {
  const use = (tool_name: string, tool_input: object) => ({ tool_name, tool_input, tool_use_id: "t-1" });
  const asDomain = { ...defaultSettings, profile: { ...defaultSettings.profile, trust_gate: "domain" as const } };

  it("TR-1 every attempt is classified, and trust and risk determine the autonomy and one of four grades", () => {
    const store = memoryStore();
    const hall = hallWith(store, { settingsOf: () => ({ settings: asDomain, problems: [], custom: [] }) });
    send(hall, "PreToolUse", use("Read", { file_path: `${PROJECT}/a` }));
    send(hall, "PreToolUse", use("Edit", { file_path: `${PROJECT}/src/a.ts`, old_string: "a", new_string: "b" }));
    send(hall, "PreToolUse", use("Bash", { command: "make" }));
    send(hall, "PreToolUse", use("Bash", { command: "DEPLOY_TOKEN=k3yf0r ./deploy.sh" }));
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

  it("TR-1 repeated success earns autonomy: the first call asks, the last one passes silently", () => {
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

  it("TR-85 Stop blocks nothing and ends no open call; open calls end with the session", () => {
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

describe("unreadable input", () => {
  it("AU-6 is recorded in reduced form, never raw", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    const reply = answer(
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
  ])("TR-81 closes the gate with exit code 2 and is recorded: %s", (_, body) => {
    const store = memoryStore();
    const reply = answer({ body, registeredFor: "PreToolUse", env: {} }, hallWith(store));
    expect(reply).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("could not decide") });
    expect([...store.records()]).toMatchObject([{ kind: "fault", where: "input" }]);
  });

  it("EH-1 EH-2 passes at the reading gate and is refused at the change gate", () => {
    const hall = hallWith(memoryStore());
    const at = (harmless: boolean) =>
      answer({ body: "{", registeredFor: "PreToolUse", harmless, env: {} }, hall).exitCode;
    expect([at(true), at(false)]).toEqual([0, 2]);
  });
});

describe("an opted-out project", () => {
  it("allows everything, records nothing, and says so", () => {
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
  it("EH-16 a fact not gathered in time is unknown, and the gate closes", () => {
    const hall = hallWith(memoryStore(), { deadline: 0 });
    expect(send(hall, "PreToolUse", bash("make"))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("no time left"),
    });
    expect(send(hall, "PreToolUse", { tool_name: "Read", tool_input: { file_path: `${HOME}/a` } }).exitCode).toBe(0);
  });
});

describe("the answer to an allowed action", () => {
  it("HK-2 is empty", () => {
    expect(
      send(hallWith(memoryStore(), { policiesOn: () => law(pass, ["PreToolUse"]) }), "PreToolUse", bash("ls")),
    ).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
  });
});
