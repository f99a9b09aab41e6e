/** When the daemon flushes: watched in a process of its own, through the preload in `test/`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { type Step, watchOrder } from "../../../test/write-order.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-keepers-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const program = join(home, "keepers.cjs");
buildSync({
  entryPoints: [join(import.meta.dirname, "keepers.ts")],
  bundle: true,
  platform: "node",
  format: "cjs",
  outfile: program,
  logLevel: "error",
});

let count = 0;

/** Runs code with the keepers of a daemon, on a journal that exists. `say()` is where an answer would be given. */
function stepsOf(use: string): readonly Step[] {
  const directory = join(home, `state-${++count}`);
  const order = watchOrder(join(home, "order.log"));
  const code = `
    const kept = require(${JSON.stringify(program)}).keepers();
    const directory = ${JSON.stringify(directory)};
    const append = (body, durable) => kept.of(directory).append(body, 1, durable && { durable });
    const verdict = (event, decision, operation) => ({ kind: "verdict", event, session: "s", decision, operation });
    const say = () => require("node:fs").writeSync(1, "x");
    append({ kind: "fault", event: "e", session: "s", where: "w", message: "m" });
    say();
    ${use}`;
  const ran = spawnSync(process.execPath, ["--require", order.preload, "-e", code], {
    env: { ...process.env, ...order.env },
    encoding: "utf8",
  });
  expect(ran.stderr).toBe("");
  const steps = order.steps(directory).filter(({ what }) => !/snap/.test(what));
  return steps.slice(steps.findIndex(({ what }) => what === "answer") + 1);
}

const order = (use: string): readonly string[] => stepsOf(use).map(({ what }) => what);
const READ = `{ class: "read", domain: "d", risk: "low" }`;
const CHANGE = `{ class: "write", domain: "d", risk: "low" }`;

describe("the daemon flushes before it answers", () => {
  it.each([
    ["a denial of a read", `append(verdict("PreToolUse", "deny", ${READ}))`],
    ["a question", `append(verdict("PreToolUse", "ask", ${READ}))`],
    ["what the hall wants to last", `append(verdict("PreToolUse", "pass", ${READ}), true)`],
  ])("%s", (_, use) => {
    expect(order(`${use}; say();`)).toEqual(["write verdict 1", "flush 1", "answer"]);
  });

  it("records other than verdicts", () => {
    const use = `append({ kind: "action", action: "a" }); say();`;
    expect(order(use)).toEqual(["write action 1", "flush 1", "answer"]);
  });
});

describe("the daemon flushes later, and soon", () => {
  it.each([
    ["an allowed read", `append(verdict("PreToolUse", "pass", ${READ}))`],
    ["an allowed change", `append(verdict("PreToolUse", "pass", ${CHANGE}))`],
    ["an outcome", `append(verdict("PostToolUse", "pass"))`],
  ])("%s", (_, use) => {
    const [written, answer, flush, ...more] = stepsOf(`${use}; say();`);
    expect([written, answer, flush].map((step) => step?.what)).toEqual(["write verdict 1", "answer", "flush 1"]);
    expect(more).toEqual([]);
    const waited = (flush?.at ?? 0) - (written?.at ?? 0);
    expect(waited).toBeGreaterThan(100);
    // Half a second, and some more on a busy machine.
    expect(waited).toBeLessThan(2500);
  });

  it("many of them at once", () => {
    const use = `for (let n = 0; n < 5; n++) append(verdict("PostToolUse", "pass")); say();`;
    expect(order(use).filter((step) => step.startsWith("flush"))).toEqual(["flush 1"]);
  });

  it("not again what a later record has flushed", () => {
    const use = `append(verdict("PostToolUse", "pass")); append(verdict("PreToolUse", "deny")); say();`;
    expect(order(use)).toEqual(["write verdict 1", "write verdict 1", "flush 1", "answer"]);
  });

  it("what a failed record did not flush", () => {
    const use = `append(verdict("PostToolUse", "pass"));
      const { changes } = { changes: Array.from({ length: 200 }, (_, n) => ({ record: "call", do: "open", id: "c" + n, tool: "T" })) };
      if (!append({ ...verdict("PreToolUse", "deny"), changes }).fault) throw new Error("it was kept"); say();`;
    expect(order(use)).toEqual(["write verdict 1", "answer", "flush 1"]);
  });
});

describe("the daemon flushes what is left", () => {
  it("before it closes a journal", () => {
    const use = `append(verdict("PostToolUse", "pass")); kept.forget(); say();`;
    expect(order(use)).toEqual(["write verdict 1", "flush 1", "answer"]);
  });

  it("also the one it closes to open another", () => {
    const use = `append(verdict("PostToolUse", "pass"));
      for (let n = 0; n < 64; n++) kept.of(directory + "-" + n); say();`;
    expect(order(use)).toEqual(["write verdict 1", "flush 1", "answer"]);
  });
});
