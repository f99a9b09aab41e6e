import * as child from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { drive, driveNow, running } from "../../kernel/drive.ts";
import type { ProgramResult, ProgramRun } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { programsOfOne, runBeside } from "../../lanes/gatehouse/programs.ts";
import type { Activity } from "../../state/activity.ts";
import { runNow } from "../machine/program.ts";
import { classifiedBy } from "./classifier.ts";

type From = Parameters<typeof classifiedBy>[0];

let root: string;
beforeEach(() => {
  root = tempDirectory("classifier");
});

/** A shorter timeout than the real one, so that no test waits for it. */
type Run = (program: ProgramRun) => ProgramResult;
const soon: Run = (program) => runNow({ ...program, timeMs: Math.min(program.timeMs, 300) }, child);
const now: Run = (program) => runNow(program, child);

function said(given: From, run: Run = now): Activity | undefined {
  return driveNow(classifiedBy(given), running(run));
}

function from(command: string, prompt = "implement it", more: Partial<From> = {}): From {
  return {
    event: { name: "UserPromptSubmit", prompt } as unknown as HookEvent,
    settings: { activity: { hint: true, command } },
    env: { PATH: process.env["PATH"], HOME: root },
    places: { project: join(root, "project"), home: root },
    deadline: Number.POSITIVE_INFINITY,
    clock: () => 0,
    ...more,
  };
}

async function both(given: From): Promise<unknown> {
  const found = said(given);
  expect(await drive(classifiedBy(given), running(programsOfOne()))).toEqual(found);
  return found;
}

const refused: Run = () => {
  throw new Error("nobody should be asked");
};

describe("GT-45 the user's own classifier, the same on both lanes", () => {
  it("reads the prompt and prints one word", async () => {
    expect(await both(from("grep -q 実装 && echo review", "undo の実装\nを調べて"))).toBe("review");
    expect(await both(from("echo '  DEBUG '"))).toBe("debug");
    expect(await both(from("echo none"))).toBe("none");
  });

  it.each(["echo nonsense", "echo debug review", "true", "yes", "printf '\\0\\377'", 'echo \'{"activity":"debug"}\''])(
    "garbage is not an answer: %s",
    async (command) => expect(await both(from(command))).toBeUndefined(),
  );

  it.each(["exit 3", "no-such-program-anywhere", "/no/such/file", "kill -9 $$", "echo debug; exit 1", "(((", "  "])(
    "GT-44 a failure is not an answer: %s",
    async (command) => expect(await both(from(command))).toBeUndefined(),
  );

  it("a classifier that does not read a large prompt still counts", async () => {
    expect(await both(from("exec </dev/null; echo plan", "x".repeat(4_000_000)))).toBe("plan");
  });

  it("a missing home directory is a failure like any other", async () => {
    expect(await both(from("echo plan", "x", { places: { project: root, home: join(root, "gone") } }))).toBeUndefined();
  });
});

describe("GT-45 the classifier's timeout", () => {
  it("a classifier that never ends is killed with all its children", async () => {
    const file = join(root, "pid");
    const command = `(echo $$ >/dev/null; sh -c 'echo $$ >${file}; while :; do sleep 1; done') | cat; echo debug`;
    // Allow more time until the inner shell has started: how long that takes depends on the machine.
    for (let timeMs = 500; !existsSync(file); timeMs *= 2) {
      const run: Run = (program) => runNow({ ...program, timeMs }, child);
      expect(said(from(command, "x"), run)).toBeUndefined();
    }
    const pid = readFileSync(file, "utf8").trim();
    await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
  });

  it.each(["while :; do :; done", "cat; sleep 1000", "exec sleep 1000", "sleep 1000 & echo debug"])(
    "output after the timeout is not used: %s",
    (command) => expect(said(from(command, "x"), soon)).toBeUndefined(),
  );

  it("applies on the other lane too", async () => {
    const program: ProgramRun = {
      program: "/bin/sh",
      args: ["-c", "cat; exec sleep 1000"],
      cwd: root,
      env: {},
      timeMs: 200,
      input: "x",
    };
    expect(await runBeside(program)).toEqual({ failed: "it took too long" });
  });

  it("is three seconds, or what the deadline leaves; with no time left the classifier is not run", () => {
    const asked: number[] = [];
    const run: Run = ({ timeMs }) => {
      asked.push(timeMs);
      return { failed: "x" };
    };
    said(from("echo debug", "x"), run);
    said(from("echo debug", "x", { deadline: 2000 }), run);
    said(from("echo debug", "x", { deadline: 700 }), run);
    expect(asked).toEqual([3000, 1300]);
  });
});

describe("when the classifier is not run", () => {
  it.each([
    ["hint off", { settings: { activity: { hint: false, command: "echo debug" } } }],
    ["no command", { settings: { activity: { hint: true, command: "" } } }],
    ["another event", { event: { name: "Stop" } as unknown as HookEvent }],
    ["a phase named outright", { event: { name: "UserPromptSubmit", prompt: "/plan x" } as unknown as HookEvent }],
    ["nothing said", { event: { name: "UserPromptSubmit", prompt: " \n" } as unknown as HookEvent }],
    ["inside the classifier itself", { env: { SEKISHO_CLASSIFIER: "1" } }],
  ] as const)("%s", (_, more) => expect(said({ ...from("echo debug"), ...more }, refused)).toBeUndefined());

  it("the classifier runs in the home directory, finds no program of the project, and has SEKISHO_CLASSIFIER set", async () => {
    const project = join(root, "project");
    mkdirSync(join(project, "bin"), { recursive: true });
    writeFileSync(join(project, "bin/classify"), "#!/bin/sh\ntouch ran\necho debug\n", { mode: 0o755 });
    const env = { PATH: `${join(project, "bin")}:.:${process.env["PATH"]}`, HOME: root };
    expect(await both(from("classify", "x", { env }))).toBeUndefined();
    expect(existsSync(join(root, "ran"))).toBe(false);
    expect(await both(from(`test "$PWD" = "$HOME" && test -n "$SEKISHO_CLASSIFIER" && echo plan`))).toBe("plan");
  });
});

function isRunning(pid: string): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return stat !== "" && !/\) Z /.test(stat);
}
