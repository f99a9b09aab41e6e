import * as child from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { errandsOfOne } from "../gatehouse/errands.ts";
import type { HookEvent } from "../kernel/event.ts";
import { classifiedBy } from "./classifier.ts";
import { type Errand, NotRunYet, type RunErrand, runNow } from "./errand.ts";

type From = Parameters<typeof classifiedBy>[0];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sekisho-classifier-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Faster than the person's limit, so that no test waits for it. */
const soon: RunErrand = (errand) => runNow({ ...errand, timeMs: Math.min(errand.timeMs, 300) }, child);
const now: RunErrand = (errand) => runNow(errand, child);

function from(command: string, prompt = "implement it", more: Partial<From> = {}): From {
  return {
    event: { name: "UserPromptSubmit", prompt } as unknown as HookEvent,
    settings: { activity: { hint: true, command } },
    env: { PATH: process.env["PATH"], HOME: root },
    places: { project: join(root, "project"), home: root },
    deadline: Number.POSITIVE_INFINITY,
    clock: () => 0,
    run: now,
    ...more,
  };
}

async function aside(given: From): Promise<unknown> {
  const { run, fetch } = errandsOfOne();
  for (;;) {
    try {
      return classifiedBy({ ...given, run });
    } catch (error) {
      if (!(error instanceof NotRunYet)) throw error;
      await fetch(error);
    }
  }
}

async function both(given: From): Promise<unknown> {
  const found = classifiedBy(given);
  expect(await aside(given)).toEqual(found);
  return found;
}

const refused: RunErrand = () => {
  throw new Error("nobody should be asked");
};

describe("GT-45 the person's own classifier, the same on both lanes", () => {
  it("reads the prompt and says one word", async () => {
    expect(await both(from("grep -q 実装 && echo review", "undo の実装\nを調べて"))).toBe("review");
    expect(await both(from("echo '  DEBUG '"))).toBe("debug");
    expect(await both(from("echo none"))).toBe("none");
  });

  it.each(["echo nonsense", "echo debug review", "true", "yes", "printf '\\0\\377'", 'echo \'{"activity":"debug"}\''])(
    "garbage is no answer: %s",
    async (command) => expect(await both(from(command))).toBeUndefined(),
  );

  it.each(["exit 3", "no-such-program-anywhere", "/no/such/file", "kill -9 $$", "echo debug; exit 1", "(((", "  "])(
    "GT-44 nor is failure: %s",
    async (command) => expect(await both(from(command))).toBeUndefined(),
  );

  it("one that does not read a large prompt has answered all the same", async () => {
    expect(await both(from("exec </dev/null; echo plan", "x".repeat(4_000_000)))).toBe("plan");
  });

  it("a home that is not there is a failure like any other", async () => {
    expect(await both(from("echo plan", "x", { places: { project: root, home: join(root, "gone") } }))).toBeUndefined();
  });
});

describe("GT-45 the time it has", () => {
  it("one that never ends is ended, with whatever it has started", async () => {
    const file = join(root, "pid");
    const command = `(echo $$ >/dev/null; sh -c 'echo $$ >${file}; while :; do sleep 1; done') | cat; echo debug`;
    // Long enough for the inner one to have begun; nothing waits for it beyond that.
    const run: RunErrand = (errand) => runNow({ ...errand, timeMs: 1500 }, child);
    expect(classifiedBy(from(command, "x", { run }))).toBeUndefined();
    const pid = readFileSync(file, "utf8").trim();
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
  });

  it.each(["while :; do :; done", "cat; sleep 1000", "exec sleep 1000", "sleep 1000 & echo debug"])(
    "no word is waited for beyond it: %s",
    (command) => expect(classifiedBy(from(command, "x", { run: soon }))).toBeUndefined(),
  );

  it("on the other lane too", async () => {
    const { run, fetch } = errandsOfOne();
    const errand: Errand = {
      program: "/bin/sh",
      args: ["-c", "cat; exec sleep 1000"],
      cwd: root,
      env: {},
      timeMs: 200,
      input: "x",
    };
    await fetch(new NotRunYet(errand));
    expect(run(errand)).toEqual({ failed: "it took too long" });
  });

  it("is three seconds, or what the deadline leaves; with nothing left nobody is asked", () => {
    const asked: number[] = [];
    const run: RunErrand = ({ timeMs }) => {
      asked.push(timeMs);
      return { failed: "x" };
    };
    classifiedBy(from("echo debug", "x", { run }));
    classifiedBy(from("echo debug", "x", { run, deadline: 2000 }));
    classifiedBy(from("echo debug", "x", { run, deadline: 700 }));
    expect(asked).toEqual([3000, 1300]);
  });
});

describe("who is not asked", () => {
  it.each([
    ["hint off", { settings: { activity: { hint: false, command: "echo debug" } } }],
    ["no command", { settings: { activity: { hint: true, command: "" } } }],
    ["another event", { event: { name: "Stop" } as unknown as HookEvent }],
    ["a phase named outright", { event: { name: "UserPromptSubmit", prompt: "/plan x" } as unknown as HookEvent }],
    ["nothing said", { event: { name: "UserPromptSubmit", prompt: " \n" } as unknown as HookEvent }],
    ["inside the classifier itself", { env: { SEKISHO_CLASSIFIER: "1" } }],
  ] as const)("%s", (_, more) =>
    expect(classifiedBy({ ...from("echo debug"), run: refused, ...more })).toBeUndefined(),
  );

  it("it runs in the home, finds no program of the project, and knows that it is the classifier", async () => {
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
