/** Which records the daemon has on the disk before it answers, and when the others follow. */
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ensureDoor } from "../../src/store/door.ts";
import { until } from "../until.ts";
import { type WriteOrder, watchOrder } from "../write-order.ts";
import { decisionIn, type House, openHouse } from "./house.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

interface WatchedHouse {
  readonly house: House;
  /** The steps of the daemon since the last event began. */
  steps(): ReturnType<WriteOrder["steps"]>;
  clear(): void;
}

/** The daemon is started here, because `sekisho up` passes no NODE_OPTIONS on to it. */
async function openWatchedHouse(): Promise<WatchedHouse> {
  const stage = openStage();
  const order = watchOrder(join(stage.root, "order.log"));
  ensureDoor(join(stage.state, "sekisho"));
  const env = { ...stage.env, ...order.env, NODE_OPTIONS: `--require ${order.preload}` };
  const daemon = spawn(program.node, [program.bundle, "serve"], { cwd: "/", env, stdio: "ignore" });
  onTestFinished(() => void daemon.kill("SIGKILL"));
  // It holds the port from then on; the first hook waits until it answers.
  await until(() => existsSync(join(stage.state, "sekisho", "gatehouse", "run.json")), "the daemon");
  const house = openHouse(stage);
  expect(house.supervisor()).toBe(daemon.pid);
  return { house, steps: () => order.steps(realpathSync(stage.journal())), clear: order.clear };
}

const isAboutFlushing = ({ what }: { readonly what: string }): boolean => /^(write verdict|flush \d|answer)/.test(what);

it("the daemon flushes denials and questions before it answers", async () => {
  const { house, steps, clear } = await openWatchedHouse();
  const answers = [
    ["git reset --hard", "deny"],
    ["chmod 666 run.sh", "ask"],
  ] as const;
  for (const [command, decision] of answers) {
    clear();
    expect(decisionIn(await house.bash(command))).toBe(decision);
    const about = steps().filter(isAboutFlushing);
    expect(about.map(({ what }) => what)).toEqual(["write verdict 1", "flush 1", "answer"]);
  }
});

it("the daemon flushes what passed and what came of it within half a second after it answered", async () => {
  const { house, steps, clear } = await openWatchedHouse();
  const outcome = { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: {}, tool_use_id: "c1" };
  for (const send of [
    () => house.bash("ls"),
    () => house.bash("touch made"),
    () => house.post("PostToolUse", outcome),
  ]) {
    clear();
    expect((await send()).status).toBe(200);
    await until(() => steps().some(({ what }) => what === "flush 1"), "the flush");
    const [written, answer, flush] = steps().filter(isAboutFlushing);
    expect([written, answer, flush].map((step) => step?.what)).toEqual(["write verdict 1", "answer", "flush 1"]);
    // Half a second, and some more on a busy machine.
    expect((flush?.at ?? 0) - (written?.at ?? 0)).toBeLessThan(2500);
  }
});
