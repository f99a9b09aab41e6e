/** A runner that is killed with -9 after its moves. The next one goes on, and repeats nothing that was finished. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";
import { type Here, here, orFail } from "../../src/app/project.ts";
import { startRun } from "../../src/app/running/start.ts";
import { examplePlan, exampleStep, times } from "../../src/pipeline/run/example-plan.ts";
import type { Run } from "../../src/state/runs/run.ts";
import { tempDirectory } from "../temp.ts";

const DRIVER = `
import { here, setBundle } from "./src/app/project.ts";
import { carryOut } from "./src/app/running/runner.ts";
setBundle(process.argv[1]);
const say = (what) => process.stdout.write(what + "\\n");
const progress = { moves: (move) => say(move.do), ends: () => say("ends") };
carryOut(here(), process.argv[2], progress, new AbortController().signal).then(() => process.exit(0));
`;

interface Stage {
  readonly root: string;
  readonly place: Here;
  readonly driver: string;
  readonly env: Readonly<Record<string, string>>;
}

function openStage(): Stage {
  const directory = tempDirectory("killed");
  const root = join(directory, "project");
  mkdirSync(root);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(directory, "home"),
    XDG_STATE_HOME: join(directory, "state"),
  };
  Object.assign(process.env, env);
  const driver = join(directory, "program", "driver.cjs");
  const source = { contents: DRIVER, resolveDir: join(import.meta.dirname, "..", ".."), loader: "ts" } as const;
  buildSync({
    stdin: source,
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: driver,
    mainFields: ["module", "main"],
  });
  writeFileSync(join(root, "a.txt"), "one\n");
  const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: root, env });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=d", "-c", "user.email=d@e", "commit", "-qm", "begin");
  return { root, place: here(root), driver, env };
}

const runOf = ({ place }: Stage, id: string): Run => orFail(place.store.read(["runs"])).runs[id] as Run;

/** Carries on until that many lines of progress were said, then kills it. False: it came to its end before. */
async function carryUpTo({ root, driver, env }: Stage, id: string, lines: number): Promise<boolean> {
  const child = spawn(process.execPath, [driver, id], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    said += text;
    if (said.split("\n").length > lines) child.kill("SIGKILL");
  });
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return signal === "SIGKILL";
}

/** Processes that were started for the run. */
function leftOf(id: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(`SEKISHO_RUN=${id}\0`);
    } catch {
      return false;
    }
  });
}

const appends = (id: string) =>
  exampleStep(id, { type: "automatic", commands: [`sleep 0.2; echo ${id} >> ../ran; echo ${id} >> a.txt`] });

it("a run whose runner is killed after any of its moves comes to the same end, repeats no finished step and leaves no process", async () => {
  const stage = openStage();
  const retry = times(1, { autoFix: true, autoFixCommand: "echo fixed >> a.txt" });
  const gate = exampleStep("gate", { type: "gate", commands: ["grep -q fixed a.txt"], retry });
  const { pipeline } = examplePlan([appends("a"), gate, appends("b")], {}, 100);
  let kills = 0;
  // Every second one: begun, running, ended, fixed and retried steps are all among them.
  for (let at = 1; ; at += 2) {
    writeFileSync(join(stage.root, "a.txt"), "one\n");
    const id = startRun(stage.place, pipeline, { tier: "S", root: stage.root, task: "", inputs: {}, snapshot: false });
    const isKilled = await carryUpTo(stage, id, at);
    if (isKilled) kills++;
    const before = runOf(stage, id);
    if (!before.ended) await carryUpTo(stage, id, Number.POSITIVE_INFINITY);
    const run = runOf(stage, id);
    expect(run.ended?.verdict, `killed after ${at} moves`).toBe("passed");
    for (const [key, step] of Object.entries(before.steps)) {
      if (step.status === "done" && key !== "gate") expect(run.steps[key]?.attempt).toBe(step.attempt);
    }
    expect(leftOf(id)).toEqual([]);
    const lines = readFileSync(join(stage.root, "a.txt"), "utf8").split("\n");
    for (const word of ["a", "fixed", "b"]) expect(lines).toContain(word);
    if (!isKilled) break;
  }
  expect(kills).toBeGreaterThan(5);
  expect(existsSync(join(stage.root, "..", "ran"))).toBe(true);
});
