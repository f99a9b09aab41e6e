/**
 * A program of the agent appends records to the journal, each with a right checksum. Whatever they loosen must change
 * nothing on the fast lane, where the daemon knows what the host reported. On the plain lane no record makes settings
 * looser.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOf, partsOf } from "../../src/playbook/identity.ts";
import { readPlaybook } from "../../src/playbook/read.ts";
import { openJournal } from "../../src/store/journal/archive.ts";
import { encodeLine } from "../../src/store/journal/line.ts";
import { type House, openHouse } from "./house.ts";
import { openStage, type Stage } from "./stage.ts";

let forgeries = 0;

/** Appends a verdict with these changes, as a script does that knows the format. */
function forge(stage: Stage, changes: readonly object[], more: object = {}): void {
  const rid = `f${(++forgeries).toString(36)}${Date.now().toString(36)}`;
  const record = { kind: "verdict", event: "UserPromptSubmit", session: "s1", decision: "pass", changes, ...more };
  appendFileSync(
    join(stage.journal(), "journal.00000001.jsonl"),
    encodeLine({ t: Date.now(), ...record, rid } as never),
  );
}

interface Begun {
  readonly client: { readonly pid: number; readonly started: string; readonly boot?: string };
  readonly registration: object;
  readonly transcript?: string;
}

/** What the host's own start recorded; every program can read it. */
function begunIn(stage: Stage): Begun {
  const records = [...openJournal({ directory: stage.journal() }).records()];
  const changes = records.flatMap((record) => ("changes" in record ? (record.changes ?? []) : []));
  return changes.find((change) => change.record === "session" && change.do === "begin") as unknown as Begun;
}

const session = (fields: object): object => ({ record: "session", ...fields });
const show = (notice: string): object => session({ do: "show", notice });
const nameOf = ({ pid, started, boot }: Begun["client"]): string => [pid, started, ...(boot ? [boot] : [])].join(" ");
const OTHER = { pid: 999_999, started: "9" };

/** Each loosens the settings of the running session, if it counts. */
const TELLING: readonly (readonly [string, (begun: Begun) => readonly (readonly object[])[]])[] = [
  ["that the person was told", () => [[show("this project has opted out: nothing is checked.")]]],
  ["what the session holds to", () => [[session({ do: "hold", settings: {} })]]],
  [
    "what the process began with",
    ({ client }) => [[session({ do: "pin", by: nameOf(client), settings: { enabled: false } })]],
  ],
  [
    "another process, and this one again",
    ({ client, ...begun }) => [
      [session({ do: "begin", ...begun, client: OTHER })],
      [session({ do: "pin", by: nameOf(client), settings: { enabled: false } })],
      [session({ do: "begin", ...begun, client })],
      [session({ do: "pin", by: nameOf(client), settings: { enabled: false } })],
    ],
  ],
  [
    "the end, and a new start",
    ({ client, ...begun }) => [
      [session({ do: "end" })],
      [session({ do: "begin", ...begun, client }), session({ do: "pin", by: nameOf(client), settings: {} })],
    ],
  ],
  ["a person's command inside a verdict", () => [[{ record: "settings", do: "open", values: { enabled: false } }]]],
  ["a pause inside a verdict", () => [[{ record: "pause", do: "begin", pause: { at: 1, until: 9e15, why: "x" } }]]],
  [
    "that a prompt confirmed all of it",
    () => [
      [{ ...show("this project has opted out: nothing is checked."), awaits: { prompt: "m" } }],
      [session({ do: "witness", seen: [JSON.stringify(["prompt", "m", "", ""])] })],
    ],
  ],
];
const OFF = "enabled: false\npolicies:\n  no-destructive-command: off\n";
const RISKY = "git push --force origin main";

const isHeld = ({ turn }: House): boolean =>
  turn("Stop", { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [] }).stdout.includes(
    '"decision":"block"',
  );
const isRefused = async (house: House, command: string, fields: object = {}): Promise<boolean> =>
  (await house.bash(command, fields)).text.includes('"deny"');
const prompt = async ({ post, turn }: House, words: string): Promise<string> => {
  await post("UserPromptSubmit", { prompt: words }, { path: "/UserPromptSubmit/witness/x" });
  return turn("UserPromptSubmit", { prompt: words }).stdout;
};
const verified = (stage: Stage) => stage.sekisho("audit", "verify", "--json");

describe("records that say that looser settings count", () => {
  it("change nothing on the plain lane, and verify lists them", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    stage.send("UserPromptSubmit", { prompt: "begin" });
    stage.write(".sekisho/config.yaml", OFF);
    expect(verified(stage).code).toBe(0);
    const begun = begunIn(stage);
    for (const [what, records] of TELLING) {
      for (const changes of records(begun)) forge(stage, changes);
      expect(stage.bash(RISKY).code, what).toBe(2);
    }
    for (let at = 0; at < 25; at++)
      forge(stage, [session({ do: "begin", ...begun, client: OTHER })], { session: `other-${at}` });
    expect(stage.bash(RISKY).code, "the session pushed out").toBe(2);
    stage.send("SessionStart", { source: "startup" });
    expect(stage.bash(RISKY).code, "the session pushed out, and a start made up").toBe(2);
    expect(verified(stage).code).toBe(2);
  });

  it("change nothing on the fast lane, also after the session was pushed out of the state", async () => {
    const house = openHouse();
    const { stage } = house;
    await prompt(house, "begin");
    stage.write(".sekisho/config.yaml", OFF);
    const begun = begunIn(stage);
    for (const [what, records] of TELLING) {
      for (const changes of records(begun)) forge(stage, changes);
      expect(await isRefused(house, RISKY), what).toBe(true);
    }
    const start = { record: "mode", do: "start", mode: "turbo", by: "prompt", task: "x", max: 9 };
    for (let at = 0; at < 25; at++)
      forge(stage, [session({ do: "begin", ...begun, client: OTHER }), start], { session: `other-${at}` });
    expect(await isRefused(house, RISKY), "the session pushed out").toBe(true);
    expect(verified(stage).code).toBe(2);
  });
});

describe("a record that approves a plan", () => {
  const PLAN = "# Button\n\nWhat: a\nWhy: b\nDone when:\n- c 1\n\n## 1 A\n\n- [ ] 1.1 One\n";
  const FILE = ".sekisho/playbooks/button.md";
  const approve = (stage: Stage, text: string): object => {
    const playbook = readPlaybook(text);
    const words = { by: "prompt", digest: digestOf(playbook), parts: partsOf(playbook) };
    return { record: "playbook", do: "approve", root: stage.project, path: FILE, ...words };
  };

  it("is told by verify on the plain lane, and an honest one is not", () => {
    const stage = openStage();
    stage.write(FILE, PLAN);
    stage.send("SessionStart", { source: "startup" });
    stage.send("UserPromptSubmit", { prompt: "approve button" });
    stage.bash("ls");
    expect(verified(stage).code).toBe(0);
    forge(stage, [approve(stage, PLAN.replace("One", "Anything"))]);
    expect(verified(stage).code).toBe(2);
  });

  it("TS-52 counts only if the host reported the person's words, and only for the plan as it was then", async () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "plan: { required: code }\n");
    stage.write(FILE, PLAN);
    const house = openHouse(stage);
    await prompt(house, "make a button");
    expect(await isRefused(house, "echo x > a.ts")).toBe(true);
    forge(stage, [approve(stage, PLAN)]);
    expect(await isRefused(house, "echo x > a.ts"), "made up").toBe(true);
    await prompt(house, "approve button");
    expect(await isRefused(house, "echo x > a.ts"), "approved").toBe(false);
    const other = PLAN.replace("One", "Anything");
    stage.write(FILE, other);
    forge(stage, [approve(stage, other)]);
    expect(await isRefused(house, "echo x > a.ts"), "another plan of that name").toBe(true);
    stage.write(FILE, PLAN);
    forge(stage, [{ record: "playbook", do: "check", root: stage.project, path: FILE, files: "", passed: ["1.1:x"] }]);
    expect(stage.sekisho("playbook", "status", "button").stdout).toMatch(/0 of 1 proven/);
  });
});

/** Code has changed, its test has not run, and a mode asks to go on. */
async function owing(): Promise<House> {
  const stage = openStage();
  stage.write("package.json", JSON.stringify({ scripts: { test: "node test.js" } }));
  stage.write("test.js", "");
  stage.write("a.js", "1\n");
  stage.write(".sekisho/config.yaml", "verify: { require: [test] }\n");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  const house = openHouse(stage);
  await prompt(house, "change it");
  return house;
}

async function edit({ stage, post }: House, call: string): Promise<void> {
  const tool = { tool_name: "Write", tool_input: { file_path: `${stage.project}/a.js`, content: "2\n" } };
  await post("PreToolUse", { ...tool, tool_use_id: call });
  stage.write("a.js", "2\n");
  await post("PostToolUse", { ...tool, tool_use_id: call, tool_response: {} });
}

let looks = 0;

async function looked({ post }: House): Promise<void> {
  const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `toolu_look_${++looks}` };
  await post("PreToolUse", tool);
  await post("PostToolUse", { ...tool, tool_response: { stdout: "a.js" } });
}

describe("records that end what is owed", () => {
  it("settle no work on the fast lane", async () => {
    const house = await owing();
    const { stage } = house;
    await edit(house, "toolu_edit");
    const root = stage.project;
    forge(stage, [{ record: "work", do: "settle", root, verified: true, code: "" }], { event: "Stop" });
    expect(isHeld(house)).toBe(true);
  });

  it("end no mode on the fast lane before the next prompt", async () => {
    const house = await owing();
    const { stage } = house;
    await prompt(house, "Implement the login page and don't stop until it is done");
    // A Stop while a call runs would end nothing anyway.
    await looked(house);
    const stop = { record: "mode", do: "stop", mode: "persistent", why: "done" };
    const ends: readonly (readonly [string, readonly object[], object])[] = [
      ["done", [stop], { event: "Stop" }],
      ["cancelled", [{ ...stop, why: "cancelled" }], {}],
      ["all", [{ record: "mode", do: "stop", why: "cancelled" }], {}],
      ["taken over by another session", [{ record: "mode", do: "adopt", from: "s1" }], { session: "heir" }],
    ];
    for (const [what, changes, more] of ends) {
      // An agent that only stops may do so after a while.
      await looked(house);
      forge(stage, changes, more);
      expect(isHeld(house), what).toBe(true);
    }
  });
});

/** As the host does it: the process decides, and the daemon is told at once. */
async function stopped(house: House, words: string): Promise<boolean> {
  const said = { stop_hook_active: false, last_assistant_message: words, background_tasks: [] };
  await house.post("Stop", said, { path: "/Stop/witness/x" });
  return house.turn("Stop", said).stdout.includes('"decision":"block"');
}

describe("after the next prompt, on the fast lane", () => {
  const modes = ({ stage }: House) => stage.sekisho("mode", "list", "--json").stdout;

  it("a made-up end of a mode does not count, also between a Stop and the prompt", async () => {
    const house = await owing();
    const { stage } = house;
    await prompt(house, "Implement the login page and don't stop until it is done");
    await looked(house);
    const stop = { record: "mode", do: "stop", mode: "persistent", why: "done" };
    forge(stage, [stop], { event: "Stop" });
    await prompt(house, "go on");
    expect(await stopped(house, "Stopping.")).toBe(true);
    forge(stage, [stop], { event: "Stop" });
    await prompt(house, "go on");
    await looked(house);
    expect(await stopped(house, "Stopping.")).toBe(true);
  });

  it("made-up settled work is still owed", async () => {
    const house = await owing();
    const { stage } = house;
    await edit(house, "toolu_edit");
    forge(stage, [{ record: "work", do: "settle", root: stage.project, verified: true, code: "" }], { event: "Stop" });
    await prompt(house, "go on");
    expect(await stopped(house, "Done.")).toBe(true);
  });

  it("a mode that really ended stays so, and so does work that was proven", async () => {
    const house = await owing();
    const { stage } = house;
    await edit(house, "toolu_edit");
    const npmTest = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_test" };
    await house.post("PreToolUse", npmTest);
    await house.post("PostToolUse", { ...npmTest, tool_response: { stdout: "ok" } });
    expect(await stopped(house, "Done.")).toBe(false);
    await prompt(house, "Implement the login page and don't stop until it is done");
    await looked(house);
    expect(modes(house)).toContain("persistent");
    expect(await stopped(house, "<promise>DONE</promise>")).toBe(false);
    await prompt(house, "thanks");
    await looked(house);
    expect(await stopped(house, "You're welcome.")).toBe(false);
    expect(modes(house)).not.toContain("persistent");
    expect(stage.audit("--kind", "gap")).toEqual([]);
  });
});

describe("records that give a wider stance, answers and a host without people", () => {
  it("change nothing on the fast lane", async () => {
    const house = openHouse();
    const { stage } = house;
    await prompt(house, "begin");
    expect(stage.sekisho("stance", "planning").code).toBe(0);
    await house.bash("ls");
    const write = { file_path: join(stage.project, "x.js"), content: "1" };
    const isOpen = async () => !(await house.use("Write", write)).text.includes('"deny"');
    expect(await isOpen()).toBe(false);
    forge(stage, [{ record: "stance", do: "set", stance: "building" }], { event: "UserPromptExpansion" });
    expect(await isOpen()).toBe(false);
    const awaits = { prompt: "m", expanded: true };
    forge(stage, [{ record: "stance", do: "set", stance: "building", looser: true, awaits }]);
    forge(stage, [session({ do: "witness", seen: [JSON.stringify(["prompt", "m/", "", ""])] })], { event: "Stop" });
    expect(await isOpen()).toBe(false);
    // A refused call records nothing else.
    await house.bash("ls");
    expect(stage.audit("--kind", "gap").length).toBeGreaterThan(0);
    expect(verified(stage).code).toBe(2);
    // A person's command still opens it.
    expect(stage.sekisho("stance", "building").code).toBe(0);
    expect(await isOpen()).toBe(true);
    const begun = begunIn(stage);
    forge(stage, [session({ do: "begin", ...begun, headless: true })]);
    expect((await house.bash("git tag -d old")).text).toContain('"ask"');
  });
});

it("records of successes that never were earn no trust on the fast lane", async () => {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", "profile: oath\n");
  const house = openHouse(stage);
  await prompt(house, "begin");
  const isAsked = async (): Promise<boolean> => (await house.bash("make")).text.includes('"ask"');
  expect(await isAsked()).toBe(true);
  forge(stage, [{ record: "trust", do: "rates", rates: { initial_score: 1, recovery_boost_multiplier: 99 } }]);
  for (let at = 0; at < 60; at++) {
    const close = { record: "call", do: "close", id: `made-up-${at}`, outcome: "success", tool: "Bash" };
    forge(stage, [{ ...close, domain: "shell_exec" }], { event: "PostToolUse", call: close.id });
  }
  expect(await isAsked()).toBe(true);
});

describe("records, snapshots and files that were damaged", () => {
  it("loosen nothing on the fast lane, and verify says so", async () => {
    const house = openHouse();
    const { stage } = house;
    await prompt(house, "begin");
    await house.bash("ls");
    stage.write(".sekisho/config.yaml", OFF);
    const [directory, far] = [stage.journal(), Date.now() + 10 * 365 * 86_400_000];
    const journal = join(directory, "journal.00000001.jsonl");
    const whole = readFileSync(journal, "utf8");
    const attacks: readonly (readonly [string, () => void])[] = [
      ["a record of the far future", () => forge(stage, [show("x")], { t: far })],
      ["a record of the past", () => forge(stage, [session({ do: "hold", settings: {} })], { t: 1 })],
      ["half a record", () => appendFileSync(journal, '{"kind":"verdict","event":"Stop"')],
      ["a record of an unknown kind", () => forge(stage, [], { kind: "leave", pause: true })],
      ["the same line twice", () => appendFileSync(journal, `\n${whole.split("\n")[0]}\n`)],
      ["a snapshot that says nothing", () => writeFileSync(join(directory, "snap.1.9.x"), "{}")],
      ["a cache of other settings", () => writeFileSync(join(directory, "settings.json"), '{"enabled":false}')],
      ["no snapshots", () => removeAll(directory, /^snap\./)],
    ];
    for (const [what, attack] of attacks) {
      attack();
      expect(await isRefused(house, RISKY), what).toBe(true);
    }
    expect(verified(stage).code).toBe(2);
    truncateSync(journal, Math.floor(whole.length / 2));
    expect(await isRefused(house, RISKY), "half the journal").toBe(true);
    rmSync(journal);
    expect(await isRefused(house, RISKY), "no journal").toBe(true);
  });
});

function removeAll(directory: string, pattern: RegExp): void {
  for (const name of readdirSync(directory)) if (pattern.test(name)) rmSync(join(directory, name));
}
