/** The tests of the original, T-001 to T-010 and E2E-001 to E2E-004, on the built program with live queue files. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it, onTestFinished } from "vitest";
import { tmuxProgram } from "../../src/world/machine/tmux.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const REPORTS = "queue/inbox/roju_reports.yaml";
const UNREAD = `reports:
- {subtask_id: s1, worker: ashigaru2, status: done, summary: "the tests pass", read: false}
`;
const ASSIGNED = `tasks:
- {subtask_id: s2, assigned_by: roju, status: assigned, description: "rename it"}
`;

interface Army {
  readonly stage: Stage;
  /** Begins a session by the override of the original's tests, or under these variables. */
  begin(id: string, env?: Readonly<Record<string, string>>): string;
  /** The reason for which the end of the turn is refused, or an empty text. */
  stop(id: string, fields?: object): string;
  reports(): readonly Readonly<Record<string, unknown>>[];
}

function army(settings = ""): Army {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", `profile: army\n${settings}`);
  return {
    stage,
    begin: (id, env = { __STOP_HOOK_AGENT_ID: id }) =>
      stage.send("SessionStart", { session_id: id, source: "startup" }, { env }).stdout,
    stop(id, fields = {}) {
      const { stdout, code } = stage.send("Stop", { session_id: id, stop_hook_active: false, ...fields });
      expect(code).toBe(0);
      return stdout === "" ? "" : String((JSON.parse(stdout) as { reason?: string }).reason ?? "");
    },
    reports: () =>
      (load(stage.read(REPORTS) ?? "reports: []") as { reports: Readonly<Record<string, unknown>>[] }).reports,
  };
}

const listed = ({ stage }: Army, name: string) =>
  JSON.parse(stage.sekisho("inbox", "list", "--for", name, "--json").stdout) as Readonly<Record<string, unknown>>[];

describe.skipIf(forPeople.skip)(`TS-60 the Stop hook of the original${forPeople.why}`, () => {
  it("T-001 a turn that goes on because of a refusal ends, with `deliveries: 1`", () => {
    const all = army("inbox: { deliveries: 1 }\n");
    all.begin("karo-roju");
    all.stage.write(REPORTS, UNREAD);
    expect(all.stop("karo-roju")).toContain("the tests pass");
    expect(all.stop("karo-roju", { stop_hook_active: true })).toBe("");
    expect(all.stage.read(REPORTS)).toBe(UNREAD);
  });

  it("T-002 no pane and no override: the turn ends", () => {
    const all = army();
    expect(all.begin("nobody", {})).not.toContain("You are");
    all.stage.write(REPORTS, UNREAD);
    expect(all.stop("nobody")).toBe("");
    expect(all.begin("empty", { __STOP_HOOK_AGENT_ID: "", SEKISHO_AGENT: "karo" })).not.toContain("You are");
    expect(all.stop("empty")).toBe("");
  });

  it.each([
    ["T-003", "shogun"],
    ["T-004", "ohariko"],
  ])("%s the turn of %s ends, whatever waits", (_, name) => {
    const all = army();
    all.begin(name);
    all.stage.write(`queue/inbox/${name}.yaml`, UNREAD);
    all.stage.sekisho("inbox", "send", name, "hello");
    expect(all.stop(name)).toBe("");
  });

  it.each([
    ["T-005", "任務完了でござる。報告YAMLも更新した。", "report_completed"],
    ["T-006", "エラーのため作業を中断した。", "error_report"],
  ])("%s words of a turn's end are reported: %s", (_, words, kind) => {
    const all = army();
    for (const name of ["karo-roju", "ashigaru1"]) all.begin(name);
    expect(all.stop("ashigaru1", { last_assistant_message: words })).toBe("");
    expect(listed(all, "karo-roju")).toMatchObject([{ from: "ashigaru1", kind }]);
  });

  it("T-007 other words are not reported", () => {
    const all = army();
    for (const name of ["karo-roju", "ashigaru1"]) all.begin(name);
    for (const words of ["まだ作業中です。", "I aborted the plan to use Redis and went on.", "Is the task completed?"])
      all.stop("ashigaru1", { last_assistant_message: words });
    expect(listed(all, "karo-roju")).toEqual([]);
  });

  it("T-008 an unread report keeps the steward's turn open", () => {
    const all = army();
    all.begin("karo-roju");
    all.stage.write(REPORTS, UNREAD);
    const { stdout } = all.stage.send("Stop", { session_id: "karo-roju" });
    expect(JSON.parse(stdout)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("1 unread message"),
    });
  });

  it("T-009 an assigned task keeps the worker's turn open", () => {
    const all = army();
    all.begin("ashigaru1");
    all.stage.write("queue/inbox/ashigaru1.yaml", ASSIGNED);
    expect(all.stop("ashigaru1")).toContain("roju: rename it");
  });

  it("T-010 nothing unread: the turn ends", () => {
    const all = army();
    for (const name of ["karo-roju", "ashigaru1"]) all.begin(name);
    all.stage.write(REPORTS, UNREAD.replace("read: false", "read: true"));
    all.stage.write("queue/inbox/ashigaru1.yaml", ASSIGNED.replace("assigned,", "in_progress,"));
    expect([all.stop("karo-roju"), all.stop("ashigaru1")]).toEqual(["", ""]);
  });

  it("TS-63 the steward does not notify itself", () => {
    const all = army();
    all.begin("karo-roju");
    all.stop("karo-roju", { last_assistant_message: "任務完了でござる。" });
    expect(listed(all, "karo-roju")).toEqual([]);
  });
});

describe.skipIf(forPeople.skip)(`TS-61 the writer of the original${forPeople.why}`, () => {
  const write = ({ stage }: Army, ...args: readonly string[]) => stage.sekisho("inbox", "write", ...args);

  it("E2E-001 writes an entry into the file", () => {
    const all = army();
    expect(write(all, "roju_reports", "first report", "report_completed", "ashigaru1").code).toBe(0);
    expect(all.reports()).toMatchObject([{ worker: "ashigaru1", summary: "first report", type: "report_completed" }]);
    expect(write(all, "roju_reports").code).toBe(1);
  });

  it("E2E-002 20 writers at once lose nothing and break nothing", { timeout: 240_000 }, async () => {
    const all = army();
    const names = Array.from({ length: 20 }, (_, n) => `report ${n}`);
    const codes = await Promise.all(
      names.map(async (text) => {
        const words = [program.bundle, "inbox", "write", "roju_reports", text, "report_completed", "ashigaru1"];
        const child = spawn(program.node, words, { cwd: all.stage.project, env: all.stage.env, stdio: "ignore" });
        return (await once(child, "close"))[0] as number;
      }),
    );
    expect(codes).toEqual(names.map(() => 0));
    expect(
      all
        .reports()
        .map(({ summary }) => summary)
        .sort(),
    ).toEqual([...names].sort());
  });

  it("E2E-003 of 51 notifications 50 stay in the file, and every other entry", () => {
    const all = army();
    const notes = Array.from(
      { length: 51 },
      (_, n) =>
        `- {subtask_id: stophook_notification, worker: ashigaru1, status: notification, summary: "note ${n}", type: report_completed, read: false}\n`,
    );
    all.stage.write(REPORTS, `${UNREAD}${notes.join("")}`);
    expect(write(all, "roju_reports", "one more", "report_completed", "ashigaru2").code).toBe(0);
    const kept = all.reports();
    const isNote = ({ status }: Readonly<Record<string, unknown>>): boolean => status === "notification";
    expect(kept.filter(isNote).length).toBeLessThanOrEqual(50);
    expect(kept.some(({ summary }) => summary === "note 0")).toBe(false);
    expect(kept.some(({ summary }) => summary === "note 50")).toBe(true);
    expect(kept.some(({ summary }) => summary === "the tests pass")).toBe(true);
    expect(kept.some(({ summary }) => summary === "one more")).toBe(true);
  });

  it("E2E-004 the end of a worker's turn reaches the steward, and keeps its turn open", () => {
    const all = army();
    for (const name of ["karo-roju", "ashigaru1"]) all.begin(name);
    all.stop("ashigaru1", { last_assistant_message: "任務完了でござる。" });
    expect(all.stop("karo-roju")).toContain("1 unread message for karo-roju");
    expect(all.stop("karo-roju")).toBe("");
  });

  it("TS-62 hostile content and targets stay data", () => {
    const all = army();
    const text = `it's "x" '''y''' $(touch pwned) \`z\`\nreports:\n- {read: false}\n${"a: b"}`;
    expect(write(all, "roju_reports", text, "wake_up", "ashigaru1").code).toBe(0);
    expect(all.reports()).toHaveLength(1);
    expect(JSON.stringify(all.reports())).toContain("$(touch pwned)");
    for (const target of ["../x", "a/b", "", "x; id"]) expect(write(all, target, "x").code).toBe(1);
    expect(all.stage.read("pwned")).toBeUndefined();
  });
});

describe.skipIf(tmuxProgram() === undefined)("IN-1 IN-21 the name in the pane", () => {
  function pane(stage: Stage, name?: string): Readonly<Record<string, string>> {
    const socket = join(stage.root, "tmp", "s");
    const tmux = (...args: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
        encoding: "utf8",
        env: stage.env,
      });
      if (status !== 0) throw new Error(stderr);
      return stdout.trim();
    };
    const id = tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "cat");
    onTestFinished(() => void tmux("kill-server"));
    if (name !== undefined) tmux("set-option", "-p", "-t", id, "@agent_id", name);
    return { TMUX: `${socket},1,0`, TMUX_PANE: id };
  }

  it("ST-3 is the name of the session, and its own variable comes first", () => {
    const all = army();
    const env = pane(all.stage, "足軽3");
    expect(all.begin("a", env)).toContain("You are ashigaru3");
    expect(all.begin("b", { ...env, SEKISHO_AGENT: "gunshi" })).toContain("You are gunshi");
    expect(all.begin("c", { ...env, __STOP_HOOK_AGENT_ID: "" })).not.toContain("You are");
  });

  it("is none where the pane has none, or the pane is no pane", () => {
    const all = army();
    const env = pane(all.stage);
    expect(all.begin("a", env)).not.toContain("You are");
    for (const TMUX_PANE of ["%999", "team:0", "%1; kill-server", "-h"])
      expect(all.begin("b", { ...env, TMUX_PANE })).not.toContain("You are");
  });
});
