/** Messages through the daemon: who sends them, when they are answered, and what is left when processes are killed. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { losses, mailStorm } from "../../scripts/mail-storm.mjs";
import { type Letter, lettersOf } from "../../src/state/letters/part.ts";
import { readBlob } from "../../src/store/blobs/blobs.ts";
import { ensureDoor } from "../../src/store/door.ts";
import { openJournal } from "../../src/store/journal/archive.ts";
import { isFault } from "../../src/store/store.ts";
import { until } from "../until.ts";
import { watchOrder } from "../write-order.ts";
import { endHouse } from "./house.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

function openTeam(): Stage {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", "roles: { preset: lead }\n");
  return stage;
}

/** Started here, because `sekisho up` passes no variables on to the daemon. */
async function startDaemon(stage: Stage, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { port } = ensureDoor(join(stage.state, "sekisho"));
  const options = { cwd: "/", env: { ...stage.env, ...env }, stdio: "ignore" } as const;
  onTestFinished(() => endHouse(stage));
  spawn(program.node, [program.bundle, "serve"], options);
  await until(() => existsSync(join(stage.state, "sekisho", "gatehouse", "run.json")), "the daemon");
  // Answered by the worker, and until there is one the supervisor keeps the question.
  expect((await fetch(`http://127.0.0.1:${port}/challenge/${randomBytes(16).toString("hex")}`)).status).toBe(200);
}

function lettersIn(stage: Stage, name = "lead"): readonly Letter[] {
  const store = openJournal({ directory: stage.journal() });
  const state = store.read(["letters"]);
  if (isFault(state)) throw new Error(state.fault);
  store.close();
  return lettersOf(state.letters, name);
}

function messagesIn(stage: Stage): readonly { readonly kind: string; readonly id?: string }[] {
  const store = openJournal({ directory: stage.journal() });
  const all = [...store.records()];
  store.close();
  return all;
}

/** Sends lines through `inbox send --stdin` and returns the answers. */
async function stream(stage: Stage, lines: readonly object[], env = {}): Promise<readonly Record<string, unknown>[]> {
  const child = spawn(program.node, [program.bundle, "inbox", "send", "--stdin"], {
    ...{ cwd: stage.project, env: { ...stage.env, ...env } },
  });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await once(child, "close");
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.skipIf(forPeople.skip)(`messages through the daemon${forPeople.why}`, () => {
  it("the daemon writes and flushes a message before its sender is answered", async () => {
    const stage = openTeam();
    const order = watchOrder(join(stage.root, "order.log"));
    await startDaemon(stage, { ...order.env, NODE_OPTIONS: `--require ${order.preload}` });
    order.clear();
    const sent = stage.sekisho("inbox", "send", "lead", "the report is done");
    expect(sent.stdout).toContain("Queued for lead");
    const steps = order.steps(realpathSync(stage.journal())).map(({ what }) => what);
    expect(steps.filter((what) => /^(write message|flush 1|answer)/.test(what))).toEqual([
      "write message 1",
      "flush 1",
      "answer",
    ]);
    expect(lettersIn(stage)).toMatchObject([{ from: "person", to: "lead", subject: "the report is done" }]);
  });

  it("every line of a stream is answered: what was stored, and what is wrong with the others", async () => {
    const stage = openTeam();
    await startDaemon(stage);
    const answers = await stream(stage, [
      { to: "lead", text: "one", payload: { a: [1] } },
      { to: "nobody", text: "two" },
      { to: "lead", text: "three", colour: "red" },
      { to: ["lead", "worker1"], text: "x".repeat(5000) },
    ]);
    expect(answers).toMatchObject([
      { line: 1, sent: [{ to: "lead", from: "person", state: "queued" }] },
      { line: 2, problem: expect.stringContaining('There is no agent "nobody"') },
      { line: 3, problem: expect.stringContaining("colour") },
      { line: 4, sent: [{ to: "lead" }, { to: "worker1" }] },
    ]);
    const [first, second] = lettersIn(stage);
    expect(first).toMatchObject({ subject: "one", payload: '{"a":[1]}' });
    expect(second?.blob && readBlob(stage.journal(), second.blob)).toBe("x".repeat(5000));
  });

  it("IN-46 the later arguments of inbox_write: several targets, a request, and what failed how often", () => {
    const stage = openTeam();
    const write = (...args: readonly string[]) => stage.sekisho("inbox", "write", ...args);
    const more = ["--subtask-id", "s1", "--failure-category", "timeout", "--request-id", "ab12cd34"] as const;
    expect(write("it failed", "error_report", "--targets", "lead,worker1", "--retry-count", "2", ...more).code).toBe(0);
    for (const name of ["lead", "worker1"]) {
      const [letter] = lettersIn(stage, name);
      expect(letter).toMatchObject({ subject: "it failed", type: "error_report", request_id: "ab12cd34" });
      expect(JSON.parse(letter?.payload ?? "")).toEqual({
        ...{ subtask_id: "s1", failure_category: "timeout", retry_count: 2 },
      });
    }
    expect(write("again", "--targets", "lead", "--retry-count", "3").stderr).toContain("at most 2");
    expect(lettersIn(stage)).toHaveLength(1);
  });

  it("a message with an id is stored once, by whatever ways it is sent", async () => {
    const stage = openTeam();
    const send = (): number | null => stage.sekisho("inbox", "send", "lead", "only once", "--id", "once-1").code;
    expect(send()).toBe(0);
    await startDaemon(stage);
    expect([send(), send()]).toEqual([0, 0]);
    expect(messagesIn(stage).filter(({ kind }) => kind === "message")).toHaveLength(1);
  });

  it("an id that another sender has used loses no message, and nobody can use those of Sekisho's own", async () => {
    const stage = openTeam();
    const send = async (from: string, id: string) => (await stream(stage, [{ to: "lead", text: from, from, id }]))[0];
    const taken = { problem: expect.stringContaining("worker2 has sent another message with the id report-1") };
    const kept = { sent: [{ from: "worker2", id: "report-1" }] };
    expect(await send("worker2", "report-1")).toMatchObject(kept);
    expect(await send("worker1", "report-1")).toMatchObject(taken);
    await startDaemon(stage);
    expect(await send("worker1", "report-1")).toMatchObject(taken);
    expect(await send("worker2", "report-1")).toMatchObject(kept);
    const own = await send("worker1", "sekisho.0123456789abcdef");
    expect(own).toMatchObject({ problem: expect.stringContaining("Choose another id") });
    expect(lettersIn(stage).map(({ from }) => from)).toEqual(["worker2"]);
  });

  it("an agent's shell is the session above it, and without one it sends nothing, whatever it says of itself", async () => {
    const stage = openTeam();
    await startDaemon(stage);
    stage.send("SessionStart", { session_id: "w1", source: "startup" }, { env: { SEKISHO_AGENT: "worker1" } });
    const lines = [{ to: "lead", text: "hello", from: "worker2" }];
    const inside = await stream(stage, lines, { CLAUDECODE: "1", SEKISHO_AGENT: "lead" });
    expect(inside).toMatchObject([{ sent: [{ from: "worker1" }] }]);
    stage.send("SessionEnd", { session_id: "w1", reason: "other" });
    expect(await stream(stage, lines, { CLAUDECODE: "1" })).toMatchObject([
      { problem: expect.stringContaining("No running session") },
    ]);
    expect(lettersIn(stage).map(({ from, session }) => [from, session])).toEqual([["worker1", "w1"]]);
  });

  it("a program that names another process, or sends no message, stores nothing and stops nobody", async () => {
    const stage = openTeam();
    await startDaemon(stage);
    const door = ensureDoor(join(stage.state, "sekisho"));
    const { project } = stage;
    const settingsFiles = [join(stage.home, ".config/sekisho/config.yaml")].concat(
      ["config.yaml", "config.local.yaml"].map((name) => join(project, ".sekisho", name)),
    );
    stage.sekisho("inbox", "send", "lead", "first");
    const hello = { project, journal: stage.journal(), settingsFiles };
    const draft = { type: "message", subject: "second" };
    const post = (parcel: unknown) => ({ n: 1, parcel, deadline: Date.now() + 60_000 });
    const good = post({ id: "forged-1", to: ["lead"], draft });
    expect(await answerOf(door, [{ ...hello, pid: process.ppid }, good])).toMatchObject({
      elsewhere: expect.stringContaining("could not be found"),
    });
    expect(await answerOf(door, [{ ...hello, journal: "/elsewhere", pid: process.pid }, good])).toMatchObject({
      elsewhere: expect.stringContaining("another place"),
    });
    for (const wrong of [
      { id: "../x", to: ["lead"], draft },
      { id: "a", to: "lead", draft },
      { id: "a", to: ["lead"], draft: { ...draft, note: true } },
      { id: "a", to: ["lead"], draft: { ...draft, body: "x".repeat(5000) } },
      { id: "a", to: ["lead"], draft: { subject: "no type" } },
      "text",
    ]) {
      expect(await answerOf(door, [{ ...hello, pid: process.pid }, post(wrong)])).toMatchObject({
        problem: "That is no message.",
      });
    }
    expect(
      await answerOf(door, [
        { ...hello, pid: process.pid },
        { ...good, deadline: Date.now() - 1 },
      ]),
    ).toEqual({
      n: 1,
      elsewhere: "too late",
    });
    expect(await answerOf(door, [{ pid: "x" }, good])).toBeUndefined();
    const strange = { ...hello, pid: process.pid, settingsFiles: [{ toString: 1, valueOf: 1 }] };
    const [others, mine] = await Promise.all([
      answerOf(door, [{ ...hello, pid: process.pid }, post("text")]),
      answerOf(door, [strange, good]),
    ]);
    expect(mine).toBeUndefined();
    expect(others).toMatchObject({ problem: "That is no message." });
    const many = Array.from({ length: 2000 }, () => post("text"));
    expect(await answerOf(door, [{ ...hello, pid: process.pid }, ...many], many.length)).toMatchObject({
      problem: "That is no message.",
    });
    expect(await answerOf(door, ["x".repeat(100_000)])).toBeUndefined();
    expect(await answerOf({ ...door, token: "wrong" }, [{ ...hello, pid: process.pid }, good])).toBeUndefined();
    expect(await answerOf(door, [{ ...hello, pid: process.pid }, good])).toMatchObject({ sent: [{ from: "person" }] });
    expect(lettersIn(stage).map(({ subject }) => subject)).toEqual(["first", "second"]);
  });

  it("E2E-002 senders, workers and the supervisor are killed: what was acknowledged is there once, in order", {
    timeout: 240_000,
  }, async () => {
    const stage = openTeam();
    expect(stage.sekisho("up").code).toBe(0);
    onTestFinished(() => endHouse(stage));
    const kills = { sender: 4, worker: 2, supervisor: 1 };
    const { project, env } = stage;
    const { acknowledged, killed } = await mailStorm({ ...program, project, env, writers: 6, each: 30, kills });
    expect(killed).toEqual(kills);
    expect(acknowledged.flat()).toHaveLength(6 * 30);
    const letters = lettersIn(stage).map(({ id, blob, body, subject }) => ({
      ...{ id, text: blob ? readBlob(stage.journal(), blob) : (body ?? subject) },
    }));
    expect(losses(acknowledged, messagesIn(stage), letters)).toEqual([]);
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });
});

/** A line as a program of the agent would open it. */
async function answerOf(
  { port, token }: { readonly port: number; readonly token: string },
  lines: readonly unknown[],
  answers = 1,
): Promise<unknown> {
  const socket = connect({ host: "127.0.0.1", port });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const head = [`GET /mail/${randomBytes(16).toString("hex")} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  const upgrade = ["Connection: Upgrade", "Upgrade: sekisho-mail", `Authorization: Bearer ${token}`];
  socket.write(`${[...head, ...upgrade].join("\r\n")}\r\n\r\n`);
  const [, first] = await heard(socket, 1);
  if (first === undefined) return undefined;
  socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const [answer] = await heard(socket, 0, answers);
  socket.destroy();
  return answer === undefined ? undefined : JSON.parse(answer);
}

/** The head of the answer, or its next lines, of which the first is returned. Nothing if the other end hangs up. */
function heard(socket: Socket, kind: 0 | 1, lines = 1): Promise<readonly (string | undefined)[]> {
  return new Promise((resolve) => {
    let text = "";
    const end = (): void => resolve([]);
    socket.once("close", end);
    const more = (chunk: Buffer): void => {
      text += chunk.toString();
      if (kind === 1 ? !text.includes("\r\n\r\n") : text.split("\n").length <= lines) return;
      socket.off("data", more);
      socket.off("close", end);
      resolve(kind === 1 ? ["", text.startsWith("HTTP/1.1 101") ? text : undefined] : [text.split("\n")[0]]);
    };
    socket.on("data", more);
  });
}
