/** Modes by command: who may see, start and end them, and which session they belong to. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Answer } from "./answer.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

interface Shown {
  readonly mode: string;
  readonly session: string | null;
  readonly state: string;
  readonly count: number;
  readonly max: number;
  readonly with: string | null;
  readonly by: string;
  readonly plan: string | null;
  readonly promise: string | null;
  readonly task: string;
}
const shown = ({ sekisho }: Stage): readonly Shown[] => JSON.parse(sekisho("mode", "list", "--json").stdout) as Shown[];
const brief = (stage: Stage) => shown(stage).map(({ mode, session, state }) => `${mode} ${session} ${state}`);
const begin = ({ send }: Stage, ...ids: readonly string[]): void => {
  for (const session_id of ids) send("SessionStart", { session_id, source: "startup" });
};
/** Like a child of the host: CLAUDECODE is set in its environment. */
const asAgent = (stage: Stage, ...args: readonly string[]): Answer =>
  stage.run("env", ["CLAUDECODE=1", program.node, program.bundle, ...args]);
const hoursAgo = (hours: number, seconds = 0): string =>
  new Date(Date.now() - hours * 3600_000 - seconds * 1000).toISOString();

const FILE = {
  active: true,
  started_at: hoursAgo(2),
  last_checked_at: hoursAgo(1),
  activated_by: "keyword-detector",
  session_id: "s1",
  original_prompt: "make it work",
};
const PERSISTENT = { ...FILE, iteration: 3, max_iterations: 20, error_history: [], completion_promise: "DONE" };
const QA = { ...FILE, cycle: 2, max_cycles: 10, all_passing: false, last_failure: null, error_history: ["a:false"] };
const TURBO = {
  ...FILE,
  reinforcement_count: 4,
  max_reinforcements: 30,
  activated_by: "keyword-detector:persistent-auto",
};

describe.skipIf(forPeople.skip)(`modes by command${forPeople.why}`, () => {
  it("TS-30 MD-10 MD-28 are started in the only running session, shown, and ended", () => {
    const stage = openStage();
    begin(stage, "s1");
    expect(stage.sekisho("mode").stdout).toBe("No mode is on here.\n");
    const { code, stdout } = stage.sekisho("mode", "start", "persistent", "make", "it", "work");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/persistent started in session s1, with turbo\n.*at most 20/),
    ]);
    expect(shown(stage)).toMatchObject([
      { mode: "persistent", session: "s1", state: "active", count: 0, max: 20, by: "command", task: "make it work" },
      { mode: "turbo", session: "s1", state: "active", max: 30, by: "mode", with: "persistent" },
    ]);
    expect(stage.sekisho("mode", "list").stdout).toMatch(
      /persistent +s1 +0\/20 .* active +<promise>DONE<\/promise> +make it work/,
    );
    expect(stage.sekisho("status").stdout).toMatch(/modes +PERSISTENT 0\/20 \(/);
    expect(JSON.parse(stage.sekisho("status", "--json").stdout)).toMatchObject({
      sessions: [
        {
          modes: [
            { mode: "persistent", count: 0, max: 20 },
            { mode: "turbo", with: "persistent" },
          ],
        },
      ],
    });
    const line = stage.run(program.node, [program.bundle, "statusline"], {
      input: JSON.stringify({ session_id: "s1" }),
    });
    expect(line.stdout).toMatch(/^sekisho \S PERSISTENT 0\/20 \| /);
    // MD-18: the mode it started ends with it.
    expect(stage.sekisho("mode", "stop", "persistent").stdout).toMatch(/ended: persistent.*\n.*ended: turbo/);
    expect(shown(stage)).toEqual([]);
    expect(stage.audit().filter(({ kind, event }) => kind === "action" && event === "mode")).toMatchObject([
      { reason: expect.stringMatching(/^start persistent, from /), session_id: "s1" },
      { reason: expect.stringMatching(/^stop persistent, from /), session_id: "s1" },
    ]);
  });

  it("MD-27 starting an active mode changes nothing and says so", () => {
    const stage = openStage();
    begin(stage, "s1");
    stage.sekisho("mode", "start", "turbo", "first");
    const again = stage.sekisho("mode", "start", "turbo", "second");
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(/in force already in session s1 \(0\/30.*Nothing was changed/),
    ]);
    expect(JSON.parse(stage.sekisho("mode", "start", "turbo", "--json").stdout)).toMatchObject({ started: false });
    expect(shown(stage)).toMatchObject([{ task: "first" }]);
  });

  it("ST-10 without a session the mode waits, and the next session with a person's prompt takes it up", () => {
    const stage = openStage();
    expect(stage.sekisho("mode", "start", "qa").stdout).toMatch(/qa set\nNo session is running here: it waits/);
    expect(stage.sekisho("mode").stdout).toMatch(/qa +- +0\/10 .* waiting +checks pass\n/);
    expect(brief(stage)).toEqual(["qa null waiting"]);
    expect(stage.sekisho("status").stdout).toMatch(/Waiting +QA 0\/10: for the next session/);
    begin(stage, "s1");
    expect(brief(stage)).toEqual(["qa null waiting"]);
    stage.send("UserPromptSubmit", { session_id: "s1", prompt: "hello" });
    expect(brief(stage)).toEqual(["qa s1 active"]);
  });

  it("ST-10 with several sessions one must be named for start and cancel; the others are not affected", () => {
    const stage = openStage();
    begin(stage, "alpha-1", "beta-2");
    expectFailure(
      stage.sekisho("mode", "start", "qa"),
      /Several sessions are running here.*--session:\n(?: +(?:alpha-1|beta-2).*\n){2}/s,
    );
    expectFailure(
      stage.sekisho("mode", "start", "qa", "--session", "gamma"),
      /No session here has an id that begins with "gamma"/,
    );
    stage.sekisho("mode", "start", "qa", "--session", "alpha");
    stage.sekisho("mode", "start", "turbo", "--session", "beta-2");
    expectFailure(stage.sekisho("cancel"), /Several sessions have modes.*--session, or end all with --all/);
    expectFailure(stage.sekisho("cancel", "--all", "--session", "a"), /do not go together/);
    expect(stage.sekisho("mode", "stop", "turbo").stdout).toMatch(/ended: turbo 0\/30 of session beta-2/);
    expect(brief(stage)).toEqual(["qa alpha-1 active"]);
    stage.sekisho("mode", "start", "turbo", "--session", "beta-2");
    expect(JSON.parse(stage.sekisho("cancel", "--session", "alpha", "--json").stdout)).toMatchObject({
      ended: [{ mode: "qa", session: "alpha-1" }],
    });
    expect(brief(stage)).toEqual(["turbo beta-2 active"]);
    stage.sekisho("mode", "start", "qa", "--session", "alpha-1");
    expect(stage.sekisho("cancel", "--all").code).toBe(0);
    expect(shown(stage)).toEqual([]);
    expect(stage.sekisho("cancel").stdout).toMatch(/^No mode is on here\. Nothing/);
  });

  it("MD-16 MD-26 cancel also ends waiting modes; the mode of an ended session is orphaned and ends by session id", () => {
    const stage = openStage();
    stage.sekisho("mode", "start", "qa");
    begin(stage, "s1");
    stage.sekisho("mode", "start", "turbo");
    expect(stage.sekisho("cancel").stdout).toMatch(/turbo 0\/30 of session s1\n.*qa, which waited/);
    stage.sekisho("mode", "start", "turbo");
    stage.send("SessionEnd", { session_id: "s1", reason: "other" });
    expect(brief(stage)).toEqual(["turbo s1 orphaned"]);
    expect(stage.sekisho("mode").stdout).toContain("`claude --resume s1` goes on with it");
    expect(stage.sekisho("mode", "stop", "qa").stdout).toBe("qa is not on here. Nothing was changed.\n");
    expectFailure(stage.sekisho("mode", "start", "qa", "--session", "s1"), /Session s1 is over/);
    expect(stage.sekisho("cancel", "--session", "s1").code).toBe(0);
    expect(shown(stage)).toEqual([]);
  });

  it("MD-59 a plan must exist in the project and have boxes; promise and limit must be valid", () => {
    const stage = openStage();
    begin(stage, "s1");
    stage.write("docs/plan.md", "- [x] one\n- [ ] two\n");
    stage.write("docs/empty.md", "```\n- [ ] not one\n```\n");
    const start = (...args: readonly string[]) => stage.sekisho("mode", "start", "persistent", ...args);
    expectFailure(start("--plan", "docs/none.md"), /is not there.*Nothing was started/);
    expectFailure(start("--plan", "docs/empty.md"), /has no boxes/);
    expectFailure(start("--plan", "../plan.md"), /outside the project/);
    expectFailure(start("--plan", "/etc/passwd"), /outside the project/);
    // Options that would have no effect.
    expectFailure(start("--plan", "docs/plan.md", "--promise", "SHIPPED"), /its boxes count.*Nothing was started/);
    expectFailure(stage.sekisho("mode", "start", "qa", "--plan", "docs/plan.md"), /belongs to persistent/);
    expectFailure(stage.sekisho("mode", "start", "turbo", "--plan", "docs/plan.md"), /belongs to persistent/);
    for (const promise of ["", " ", "<b>", "x".repeat(61)])
      expectFailure(start("--promise", promise), /--promise takes 1 to 60/);
    for (const max of ["0", "61", "-1", "1.5", "x"])
      expectFailure(start(`--max=${max}`), /--max takes a whole number from 1 to 60/);
    expectFailure(stage.sekisho("mode", "start", "forever"), /no mode "forever".*persistent, qa, turbo/);
    expectFailure(stage.sekisho("mode", "stop", "turbo", "--max", "3"), /belong to `sekisho mode start`/);
    expectFailure(stage.sekisho("mode", "halt"), /none of list, start, stop/);
    expectFailure(stage.sekisho("mode", "stop"), /Name a mode/);
    expect(shown(stage)).toEqual([]);
    const { stdout } = stage.run(
      program.node,
      [program.bundle, "mode", "start", "persistent", "--plan", "plan.md", "--max", "3"],
      {
        cwd: join(stage.project, "docs"),
      },
    );
    expect(stdout).toMatch(/at most 3 times, until every box in docs\/plan\.md is ticked/);
    expect(shown(stage)[0]).toMatchObject({ plan: "docs/plan.md", promise: null, max: 3 });
  });

  it("a task of any length is stored without secrets and within a record", () => {
    const stage = openStage();
    begin(stage, "s1");
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect(stage.sekisho("mode", "start", "persistent", `${secret} ${'\u5b8c\u4e86"\\'.repeat(4000)}`).code).toBe(0);
    const [first] = shown(stage);
    expect(first?.task.length).toBeGreaterThan(100);
    expect(JSON.stringify(shown(stage))).not.toContain(secret);
  });

  it("an agent may list modes and start one for itself; only a person may end one or start one elsewhere", () => {
    const stage = openStage();
    begin(stage, "s1");
    stage.sekisho("mode", "start", "persistent", "the person's");
    for (const args of [
      ["cancel"],
      ["cancel", "--all"],
      ["mode", "stop", "persistent"],
      ["mode", "stop"],
      ["mode", "start", "qa", "--session", "s1"],
      ["import", "x.json"],
    ])
      expectFailure(asAgent(stage, ...args), /is for people only/);
    expect(asAgent(stage, "mode", "list", "--json").code).toBe(0);
    expect(asAgent(stage, "mode", "start", "persistent", "--max", "1").stdout).toContain("in force already");
    expect(shown(stage)).toMatchObject([{ by: "command", max: 20 }, { mode: "turbo" }]);
    expect(asAgent(stage, "mode", "start", "qa", "--max", "1").code).toBe(0);
    expect(shown(stage)[1]).toMatchObject({ mode: "qa", by: "agent", max: 1 });
    // The agent's mode does not block the person's.
    expect(stage.sekisho("mode", "start", "qa", "mine").code).toBe(0);
    expect(shown(stage)[1]).toMatchObject({ mode: "qa", by: "command", max: 10, task: "mine" });
  });

  it("an agent of another project cannot start a mode here, even with a single running session", async () => {
    const stage = openStage();
    const line = 'CLAUDE_PID=$$ "$0" "$@"; echo begun; exec sleep 60';
    const env = { ...stage.env, CLAUDE_PID: "" };
    const client = spawn("sh", ["-c", line, ...stage.command("SessionStart")], { cwd: stage.project, env });
    onTestFinished(() => void client.kill("SIGKILL"));
    client.stdin.end(
      JSON.stringify({ session_id: "s1", cwd: stage.project, hook_event_name: "SessionStart", source: "startup" }),
    );
    await new Promise<void>((resolve) =>
      client.stdout.on("data", (words) => String(words).includes("begun") && resolve()),
    );
    expectFailure(asAgent(stage, "mode", "start", "turbo"), /No running session .* above this shell/);
    expect(shown(stage)).toEqual([]);
    expect(stage.sekisho("mode", "start", "turbo").stdout).toContain("turbo started in session s1");
  });

  it("a person's prompt replaces an agent's own mode", () => {
    const stage = openStage();
    begin(stage, "s1");
    asAgent(stage, "mode", "start", "turbo", "--max", "1");
    stage.send("UserPromptSubmit", { prompt: "/turbo build all of it" });
    expect(shown(stage)).toMatchObject([{ mode: "turbo", by: "prompt", max: 30, task: "build all of it" }]);
  });

  it.each([
    "sekisho cancel",
    "npx sekisho cancel",
    `node ${program.bundle} cancel --all`,
    "CLAUDECODE= env -u CLAUDECODE sekisho mode stop persistent",
    "echo cancel | xargs sekisho",
    "sh -c 'sekisho mode stop qa'",
    "sekisho mode --json stop qa",
    "printf 'sekisho cancel\\n' > c.sh && sh c.sh",
    "setsid -f sekisho cancel",
    "tmux send-keys 'sekisho cancel' Enter",
  ])("the gate refuses the agent's %s", (command) => {
    const stage = openStage();
    begin(stage, "s1");
    expect(stage.bash(command)).toMatchObject({ code: 2, stderr: expect.stringContaining("no-tampering") });
  });

  it("a script that the agent wrote to cancel is refused when it is run", () => {
    const stage = openStage();
    begin(stage, "s1");
    const content = "#!/bin/sh\nexec npx sekisho cancel\n";
    stage.use("Write", { file_path: join(stage.project, "go.sh"), content });
    stage.write("go.sh", content);
    expect(stage.bash("sh ./go.sh").code).toBe(2);
    expect(stage.bash("sekisho mode list").code).toBe(0);
    expect(stage.bash("sekisho mode start turbo and do not stop").code).toBe(0);
  });

  it("TS-30 concurrent writers lose nothing", async () => {
    const stage = openStage();
    const ids = Array.from({ length: 6 }, (_, at) => `p${at}`);
    begin(stage, ...ids);
    const children = ids.flatMap((id) =>
      ["qa", "turbo"].map((name) => {
        const args = [program.bundle, "mode", "start", name, "--session", id];
        return spawn(program.node, args, { cwd: stage.project, env: stage.env, stdio: "ignore" });
      }),
    );
    const codes = await Promise.all(children.map(async (child) => ((await once(child, "exit")) as [number])[0]));
    expect(codes).toEqual(codes.map(() => 0));
    expect(brief(stage).sort()).toEqual(ids.flatMap((id) => [`qa ${id} active`, `turbo ${id} active`]).sort());
  });

  it("TS-30 a start that was killed is complete or absent, and the next one works", async () => {
    const stage = openStage();
    begin(stage, "s1");
    const args = [program.bundle, "mode", "start", "persistent", "x"];
    const child = spawn(program.node, args, { cwd: stage.project, env: stage.env, stdio: "ignore" });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect([0, 2]).toContain(shown(stage).length);
    expect(stage.sekisho("mode", "start", "persistent").code).toBe(0);
    expect(shown(stage)).toHaveLength(2);
  });

  it("TS-30 a damaged line affects nothing else", () => {
    const stage = openStage();
    begin(stage, "s1");
    stage.sekisho("mode", "start", "qa", "kept");
    const segment = fs.readdirSync(stage.journal()).find((name) => name.startsWith("journal."));
    fs.appendFileSync(
      join(stage.journal(), segment ?? ""),
      '\n00000000 {"kind":"action","rid":"x","t":1,"session":"s1","changes":[{"record":"mode","do":"stop"',
    );
    expect(brief(stage)).toEqual(["qa s1 active"]);
    expect(stage.sekisho("mode", "start", "turbo").code).toBe(0);
    expect(brief(stage)).toEqual(["qa s1 active", "turbo s1 active"]);
  });
});

describe.skipIf(forPeople.skip)(`import and export of mode states${forPeople.why}`, () => {
  const put = (stage: Stage, name: string, fields: unknown): void =>
    stage.write(`.claude/state/${name}-state.json`, typeof fields === "string" ? fields : JSON.stringify(fields));

  it("MD-11 MD-12 MD-13 MD-14 a directory is imported into the session it names, with its progress", () => {
    const stage = openStage();
    begin(stage, "s1");
    put(stage, "persistent", PERSISTENT);
    put(stage, "web-qa", QA);
    put(stage, "turbo", TURBO);
    const trial = stage.sekisho("import", ".claude/state", "--dry-run");
    expect([trial.code, shown(stage)]).toEqual([0, []]);
    const { code, stdout } = stage.sekisho("import", ".claude/state");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/persistent of s1 +– +→ +3\/20.*✔ modes imported/s)]);
    expect(shown(stage)).toMatchObject([
      { mode: "persistent", session: "s1", count: 3, max: 20, by: "import", task: "make it work", state: "active" },
      { mode: "qa", session: "s1", count: 2, max: 10 },
      { mode: "turbo", session: "s1", count: 4, max: 30, with: "persistent" },
    ]);
    const again = stage.sekisho("import", ".claude/state");
    expect(again.stdout).toMatch(/persistent of s1 is not imported: it is in force already.*Nothing was imported/s);
    const [first] = stage.sekisho("export", "modes").stdout.split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({
      ...PERSISTENT,
      activated_by: "sekisho",
      started_at: expect.any(String),
      last_checked_at: expect.any(String),
    });
  });

  it("ST-9 TS-30 ended states are not imported: inactive, passed, stale by a second, without a time", () => {
    const stage = openStage();
    begin(stage, "s1");
    const stale = { started_at: hoursAgo(24, 1), last_checked_at: null };
    const over: readonly (readonly [string, object, RegExp])[] = [
      ["persistent", { ...PERSISTENT, active: false }, /persistent is not imported: it is not active/],
      ["web-qa", { ...QA, all_passing: true }, /qa is not imported: all its checks have passed/],
      ["persistent", { ...PERSISTENT, ...stale }, /out of date/],
      ["persistent", { ...PERSISTENT, started_at: undefined, last_checked_at: undefined }, /it has no time/],
      ["turbo", TURBO, /started by persistent, which is not in force/],
    ];
    for (const [name, fields, words] of over) {
      put(stage, name, { ...fields, session_id: "elsewhere" });
      const { code, stdout } = stage.sekisho("import", `.claude/state/${name}-state.json`);
      expect([code, stdout]).toEqual([0, expect.stringMatching(words)]);
    }
    expect(shown(stage)).toEqual([]);
    put(stage, "persistent", {
      ...PERSISTENT,
      started_at: hoursAgo(30),
      last_checked_at: hoursAgo(23),
      session_id: "elsewhere",
    });
    expect(stage.sekisho("import", ".claude/state/persistent-state.json").stdout).toMatch(/waits: the next session/);
    expect(brief(stage)).toEqual(["persistent null waiting"]);
  });

  it("an invalid file changes nothing, nor do the files next to it", () => {
    const stage = openStage();
    begin(stage, "s1");
    put(stage, "persistent", PERSISTENT);
    put(stage, "web-qa", "{");
    expectFailure(stage.sekisho("import", ".claude/state"), /web-qa-state\.json.* is not JSON.*Nothing was changed/);
    put(stage, "web-qa", { ...QA, cycle: -1 });
    expectFailure(stage.sekisho("import", ".claude/state"), /cycle must be a whole number.*Nothing was changed/);
    put(stage, "web-qa", `{"max_cycles":1,"x":"${"x".repeat(300_000)}"}`);
    expectFailure(stage.sekisho("import", ".claude/state"), /must have at most|too large|larger/);
    expect(shown(stage)).toEqual([]);
    stage.write("empty/x.txt", "");
    expectFailure(stage.sekisho("import", "empty"), /is a directory and has none of persistent-state\.json/);
  });

  it("exported modes can be imported elsewhere", () => {
    const [from, to] = [openStage(), openStage()];
    begin(from, "s1");
    from.sekisho("mode", "start", "persistent", "make it work");
    from.sekisho("mode", "start", "qa");
    to.write("modes.jsonl", from.sekisho("export", "modes").stdout);
    expect(to.sekisho("import", "modes.jsonl")).toMatchObject({ code: 0, stderr: "" });
    expect(brief(to)).toEqual(["persistent null waiting", "qa null waiting", "turbo null waiting"]);
    expect(shown(to)[2]).toMatchObject({ with: "persistent" });
  });
});
