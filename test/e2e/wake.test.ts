/** What wakes an agent grants nothing: its text is no person's prompt, and whoever runs the waker gains nothing. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { wakeText } from "../../src/state/wakes/text.ts";
import { until } from "../until.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const WAKE = wakeText("0123456789abcdef");
const GO_ON = "Implement the login page and don't stop until it is done";

/** The host takes what is typed for a person's words, and writes that into its transcript. */
const typed = (stage: Stage, prompt: string): string => stage.send("UserPromptSubmit", { prompt }).stdout;
const modes = (stage: Stage): string => stage.sekisho("mode", "list", "--json").stdout;
const isRefused = (stage: Stage): boolean => stage.send("Stop", { stop_hook_active: false }).stdout.includes("block");

describe("the text that wakes an agent", () => {
  it("starts no mode, also behind words that would", () => {
    const stage = openStage();
    typed(stage, `${GO_ON}. ${WAKE}`);
    expect(modes(stage)).not.toContain("persistent");
    typed(stage, GO_ON);
    expect(modes(stage)).toContain("persistent");
  });

  it("cancels none", () => {
    const stage = openStage();
    typed(stage, GO_ON);
    typed(stage, `/cancel ${WAKE}`);
    stage.send("Stop");
    expect(modes(stage)).toContain("persistent");
    typed(stage, "cancel");
    stage.send("Stop");
    expect(modes(stage)).not.toContain("persistent");
  });

  it("approves nothing", () => {
    const stage = openStage();
    stage.write(
      ".sekisho/config.yaml",
      'gates: { rules: [{name: approved, when: {event: PreToolUse, globs: ["approved/**"]}, need: {evidence: approval, of: release, freshness: session}, else: deny}] }\n',
    );
    const write = () => stage.use("Write", { file_path: join(stage.project, "approved", "x"), content: "1" });
    const isHeld = (): boolean => write().code === 2;
    typed(stage, `approve release\n${WAKE}`);
    expect(isHeld()).toBe(true);
    typed(stage, "approve release");
    expect(isHeld()).toBe(false);
  });

  it("refills no refusals: neither as it came, nor a second time, nor reported by a forged event in another spelling", () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "stop: { ceiling: 2, idle: 2 }\n");
    typed(stage, GO_ON);
    const refusals = (): number => {
      let count = 0;
      while (count < 5 && isRefused(stage)) count += 1;
      return count;
    };
    expect(refusals()).toBe(2);
    typed(stage, WAKE);
    expect(refusals()).toBe(0);
    typed(stage, WAKE);
    expect(refusals()).toBe(0);
    for (const spelling of [WAKE.replaceAll(" ", "  "), WAKE.replace("[sekisho wake", "[sekisho\twake"), `${WAKE}\n`])
      stage.send("UserPromptSubmit", { prompt: spelling }, { isForged: true });
    expect(refusals()).toBe(0);
    typed(stage, "go on");
    expect(refusals()).toBe(2);
  });
});

interface Watcher {
  readonly output: () => string;
  readonly ended: Promise<unknown>;
}

function watcher(stage: Stage, env: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Watcher {
  const words = [program.bundle, "inbox", "watch", "--json", ...args];
  const surroundings = { ...stage.env, CLAUDE_PID: "", CLAUDE_PROJECT_DIR: "", ...env };
  const child: ChildProcessWithoutNullStreams = spawn(program.node, words, { cwd: stage.project, env: surroundings });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return { output: () => output, ended };
}

function team(): Stage {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", "roles: { preset: lead }\n");
  for (const name of ["lead", "worker1"])
    stage.send("SessionStart", { session_id: name, source: "startup" }, { env: { SEKISHO_AGENT: name } });
  return stage;
}

const lock = (stage: Stage): string => join(stage.journal(), "waking.lock");

describe.skipIf(forPeople.skip)(`inbox watch${forPeople.why}`, () => {
  it("IN-60 one process wakes the agents of a project; another only shows messages", async () => {
    const stage = team();
    const first = watcher(stage);
    await until(() => existsSync(lock(stage)), "the lock");
    const second = watcher(stage);
    await until(() => second.output().includes("wakes the agents already"), "the notice");
    stage.sekisho("inbox", "send", "person", "hello");
    await until(() => second.output().includes("hello") && first.output().includes("hello"), "the message");
  });

  it("ends by a signal and leaves no lock", async () => {
    const stage = team();
    const { output } = watcher(stage);
    await until(() => existsSync(lock(stage)), "the lock");
    const again = watcher(stage, {}, "--once");
    stage.sekisho("inbox", "send", "person", "hello");
    await again.ended;
    expect(again.output()).toContain("hello");
    expect(output()).not.toContain("wakes the agents already");
  });

  it("an agent that runs it sees its own messages and wakes nobody", async () => {
    const stage = team();
    stage.sekisho("inbox", "send", "lead", "for the lead");
    stage.sekisho("inbox", "send", "worker1", "for the worker");
    stage.use("Read", { file_path: join(stage.project, "x") }, { session_id: "worker1" });
    const { output, ended } = watcher(stage, { CLAUDECODE: "1", CLAUDE_PID: String(process.pid) }, "--once");
    await ended;
    expect(output()).toContain("for the worker");
    expect(output()).not.toContain("for the lead");
    expect(existsSync(lock(stage))).toBe(false);
    expect(readdirSync(stage.journal()).filter((name) => name.startsWith("waiter"))).toEqual([]);
  });

  it("a session that the host's registry does not list as idle is not woken", async () => {
    const stage = team();
    const { output } = watcher(stage);
    await until(() => existsSync(lock(stage)), "the lock");
    stage.sekisho("inbox", "send", "worker1", "for the worker");
    stage.sekisho("inbox", "send", "person", "for the person");
    await until(() => output().includes("for the person"), "the message");
    expect(output()).not.toContain("worker1");
    expect(stage.sekisho("inbox", "list", "--for", "worker1", "--json").stdout).toContain('"queued"');
  });
});
