/** Runs with real commands in a real repository. Agents are played in the stories of the client. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { until } from "../../../test/until.ts";
import type { Step } from "../../pipeline/definition.ts";
import { examplePlan, exampleStep, personsGate, times } from "../../pipeline/run/example-plan.ts";
import type { Run } from "../../state/runs/run.ts";
import { lookUp, processAt } from "../../world/machine/caller.ts";
import { type Here, here, orFail } from "../project.ts";
import { runNamed, takeRun } from "./book.ts";
import { startGuard } from "./guard.ts";
import { carryOut } from "./runner.ts";
import { answerRun, cancelRun, startRun } from "./start.ts";

const QUIET = { moves: () => undefined, ends: () => undefined };
const kept = { HOME: process.env["HOME"], XDG_STATE_HOME: process.env["XDG_STATE_HOME"] };
let root = "";
let place: Here;

beforeEach(() => {
  const directory = tempDirectory("runner");
  root = join(directory, "project");
  mkdirSync(root);
  process.env["HOME"] = join(directory, "home");
  process.env["XDG_STATE_HOME"] = join(directory, "state");
  writeFileSync(join(root, "a.txt"), "one\n");
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=d", "-c", "user.email=d@e", "commit", "-qm", "b"],
  ])
    git(...args);
  place = here(root);
});

afterEach(() => {
  for (const [name, value] of Object.entries(kept)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const does = (id: string, ...commands: readonly string[]): Step => exampleStep(id, { type: "automatic", commands });

const NAME = { name: "name", description: "", type: "string", required: true, default: null, options: [] } as const;

interface Wishes {
  readonly task?: string;
  readonly snapshot?: boolean;
}

function start(steps: readonly Step[], { task = "", snapshot = false }: Wishes = {}): string {
  const { pipeline } = examplePlan(steps, { inputs: [NAME] });
  return startRun(place, pipeline, { tier: "s", root, task, inputs: { name: "$(id)" }, snapshot });
}

const carry = (id: string, stop = new AbortController().signal): Promise<Run> => carryOut(place, id, QUIET, stop);

describe("TS-40 a run carried out", () => {
  it("PL-2 runs its commands in order, records what was seen, and keeps the files of each step", async () => {
    const run = await carry(start([does("a", "echo two >> a.txt"), does("b", "grep two a.txt")]));
    expect(run.ended).toMatchObject({ verdict: "passed" });
    expect(run.steps["b"]?.evidence[0]).toMatch(/^grep two a.txt → exit 0 @\w{12}$/);
    expect(git("show", `refs/sekisho/runs/${run.id}/a/1:a.txt`)).toBe("one\ntwo");
    expect(git("log", "--oneline").split("\n")).toHaveLength(1);
    expect(run.runner).toBeUndefined();
  });

  it("PL-10 a command that fails is not repeated, and its last lines are the reason", async () => {
    const run = await carry(start([does("a", "echo tried >> a.txt; echo no luck; exit 3"), does("b", "true")]));
    expect(run.ended).toEqual(
      expect.objectContaining({ verdict: "failed", why: expect.stringContaining("exit code 3: no luck") }),
    );
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ntried\n");
    expect(run.steps["b"]).toBeUndefined();
  });

  it("PL-4 a gate that fails is fixed and looked at again", async () => {
    const retry = times(1, { autoFix: true, autoFixCommand: "echo fixed > a.txt" });
    const gate = exampleStep("quality", { type: "gate", commands: ["grep fixed a.txt"], retry });
    const run = await carry(start([gate]));
    expect(run).toMatchObject({ ended: { verdict: "passed" }, steps: { quality: { attempt: 2, fixed: 1 } } });
  });

  it("values reach no shell as its text", async () => {
    const task = `$(touch ${root}/taken) \`touch ${root}/taken\` '; touch ${root}/taken #\n"touch`;
    const run = await carry(
      start([does("a", 'printf %s "$SEKISHO_TASK" > got; printf %s "$SEKISHO_INPUT_NAME" >> got')], { task }),
    );
    expect(run.ended?.verdict).toBe("passed");
    expect(readFileSync(join(root, "got"), "utf8")).toBe(`${task}$(id)`);
    expect(existsSync(join(root, "taken"))).toBe(false);
  });

  it("a command that an agent may not run is not run, and the run waits for a person", async () => {
    const run = await carry(start([does("a", "rm -rf ~")]));
    expect(run).toMatchObject({ hold: { step: "a", cause: "refused" } });
    expect(run.ended).toBeUndefined();
  });

  it("PL-16 waits for a person, and goes on when it is resumed after the answer", async () => {
    const id = start([does("a", "echo ran >> a.txt"), personsGate("ok"), does("b", "true")]);
    const waiting = await carry(id);
    expect(waiting.steps["ok"]?.status).toBe("asked");
    expect(waiting.runner).toBeUndefined();
    expect((await carry(id)).ended).toBeUndefined();
    answerRun(place, id, { is: "approve" }, { from: "" });
    const run = await carry(id);
    expect(run.ended?.verdict).toBe("passed");
    expect(run.steps["ok"]?.approval).toBeDefined();
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\nran\n");
  });

  it("refuses uncommitted changes, unless they are kept as a commit of the run", () => {
    writeFileSync(join(root, "new.txt"), "mine");
    expect(() => start([does("a", "true")])).toThrow("--snapshot");
    const id = start([does("a", "true")], { snapshot: true });
    expect(git("show", `refs/sekisho/runs/${id}/start:new.txt`)).toBe("mine");
  });

  it("asks for the values that the pipeline needs, and for no others", () => {
    const { pipeline } = examplePlan([does("a", "true")], { inputs: [NAME] });
    const wish = { tier: "S", root, task: "", snapshot: false };
    expect(() => startRun(place, pipeline, { ...wish, inputs: {} })).toThrow("needs --input name=VALUE");
    expect(() => startRun(place, pipeline, { ...wish, inputs: { nam: "x" } })).toThrow(
      "has no input nam. It has: name.",
    );
  });

  it("PL-4 a step whose condition does not hold is left out", async () => {
    const compare = { is: "compare", operator: "==", left: { is: "name", path: ["steps", "a", "status"] } } as const;
    const when = (value: string): Step["when"] => ({
      ...{ kind: "expression", source: "s" },
      expression: { ...compare, right: { is: "value", value } },
    });
    const steps = [
      does("a", "true"),
      { ...does("b", "true"), when: when("failed") },
      { ...does("c", "true"), when: when("passed") },
    ];
    const run = await carry(start(steps));
    expect(run).toMatchObject({
      ended: { verdict: "passed" },
      steps: { b: { status: "skipped" }, c: { status: "done" } },
    });
  });

  it("with the same name it is always a new run", async () => {
    const first = start([personsGate("ok")]);
    await carry(first);
    expect(start([personsGate("ok")])).not.toBe(first);
    expect(runNamed(place, first).steps["ok"]?.status).toBe("asked");
  });
});

describe("a runner that ends", () => {
  /** Runs until the file is there. */
  const waits = (file: string): Step =>
    does("a", `echo $$ > ${file}.pid; while [ ! -e ${file} ]; do sleep 0.05; done; echo done >> a.txt`);
  const pidIn = (file: string): number => Number(readFileSync(file, "utf8"));

  it("stopped, leaves no process, keeps the work, and the step is done anew when it is resumed", async () => {
    const go = join(root, "..", "go");
    const stop = new AbortController();
    const id = start([waits(go)]);
    const carried = carry(id, stop.signal);
    await until(() => existsSync(`${go}.pid`) && readFileSync(`${go}.pid`, "utf8").includes("\n"), "the program");
    stop.abort();
    const run = await carried;
    expect(run).toMatchObject({ retries: 0, steps: { a: { status: "open", attempt: 1, lost: 0 } } });
    expect(lookUp(pidIn(`${go}.pid`))).toBeUndefined();
    writeFileSync(go, "");
    expect((await carry(id)).ended?.verdict).toBe("passed");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ndone\n");
  });

  it("cancelled by somebody else, stops within a moment and leaves no process", async () => {
    const go = join(root, "..", "never");
    const id = start([waits(go)]);
    const carried = carry(id);
    await until(() => existsSync(`${go}.pid`) && readFileSync(`${go}.pid`, "utf8").includes("\n"), "the program");
    cancelRun(place, id, "a test");
    const run = await carried;
    expect(run.ended).toMatchObject({ verdict: "failed", why: "cancelled by a test" });
    expect(lookUp(pidIn(`${go}.pid`))).toBeUndefined();
  });

  it("is taken over at once when it is dead, and never while it lives", () => {
    const id = start([does("a", "true")]);
    takeRun(place, id);
    expect(() => takeRun(place, id)).toThrow(`carried out by process ${process.pid}`);
    const dead = {
      kind: "run",
      do: "runner",
      run: id,
      token: 2,
      process: { ...processAt(process.pid), started: "1" },
    } as const;
    orFail(place.store.append(dead, Date.now()));
    expect(takeRun(place, id).run.token).toBe(3);
  });

  it("that was paused while another took over writes nothing more", () => {
    const id = start([does("a", "true")]);
    const book = takeRun(place, id);
    const other = { kind: "run", do: "runner", run: id, token: 2, process: { pid: 1, started: "1" } } as const;
    orFail(place.store.append(other, Date.now()));
    expect(() => book.write({ do: "rest" })).toThrow("Another runner has taken over");
    expect(runNamed(place, id)).toMatchObject({ token: 2, runner: { pid: 1 } });
  });

  it("the process that heads a pass ends its programs when its pipe closes", async () => {
    const guard = startGuard();
    const [log, file] = [join(root, "..", "log"), join(root, "..", "child")];
    const script = `(sleep 600 & echo $! > ${file}); sleep 600`;
    const ran = guard.run({ program: "/bin/sh", args: ["-c", script], cwd: root, env: process.env, log, ms: null });
    await until(() => existsSync(file) && readFileSync(file, "utf8").includes("\n"), "the program");
    await guard.end();
    expect(await ran).toMatchObject({ exit: null });
    expect(lookUp(guard.process.pid)).toBeUndefined();
    await until(() => lookUp(pidIn(file)) === undefined, "the program");
  });
});
