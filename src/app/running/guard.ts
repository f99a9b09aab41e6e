/**
 * The process that heads a pass. It is there, and recorded, before anything is started; all programs of the pass are its
 * children in one process group. When its pipe closes, because the runner has ended however that happened, it ends them.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { HostProcess } from "../../state/session/session.ts";
import { processAt } from "../../world/machine/caller.ts";

export interface Job {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where its output goes, both streams. */
  readonly log: string;
  /** Null: no limit. */
  readonly ms: number | null;
}

export interface JobEnd {
  /** Null: a signal ended it, or it could not be started. */
  readonly exit: number | null;
  readonly why?: string;
  readonly isLate: boolean;
}

export interface Guard {
  readonly process: HostProcess;
  run(job: Job): Promise<JobEnd>;
  /** Ends everything of the pass, and waits for that. */
  end(): Promise<void>;
}

export function startGuard(): Guard {
  const child = spawn(process.execPath, ["-e", SCRIPT], {
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"] },
  });
  if (child.pid === undefined) throw new Error("the process that heads a pass could not be started");
  const pipe = child.stdio[3] as Socket;
  // Written to after its end: `exit` tells that.
  pipe.on("error", () => undefined);
  return { process: processAt(child.pid), run: (job) => asked(child, pipe, job), end: () => ended(child, pipe) };
}

function asked(child: ChildProcess, pipe: Socket, { ms, ...job }: Job): Promise<JobEnd> {
  const gone = { exit: null, why: "the process above it has ended" };
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve({ ...gone, isLate: false });
  return new Promise((resolve) => {
    let answer = "";
    let isLate = false;
    const timer =
      ms === null
        ? undefined
        : setTimeout(() => {
            isLate = true;
            pipe.write(`${JSON.stringify({ stop: true })}\n`);
          }, ms);
    const finish = (end: Omit<JobEnd, "isLate">): void => {
      clearTimeout(timer);
      pipe.removeAllListeners("data");
      child.removeListener("exit", over);
      resolve({ ...end, isLate });
    };
    const over = (): void => finish(gone);
    child.once("exit", over);
    pipe.on("data", (bytes: Buffer) => {
      answer += bytes.toString();
      if (answer.includes("\n")) finish(JSON.parse(answer) as Omit<JobEnd, "isLate">);
    });
    pipe.write(`${JSON.stringify(job)}\n`);
  });
}

async function ended(child: ChildProcess, pipe: Socket): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  pipe.end();
  await gone;
}

/**
 * Plain JavaScript, given to Node as it stands: it needs no file of ours, and shows in a process list what it is. Programs
 * get some time to end their own children before the whole group is killed.
 */
const SCRIPT = `
const { spawn } = require("node:child_process");
const { openSync, closeSync } = require("node:fs");
process.title = "sekisho pipeline pass";
const pipe = new (require("node:net").Socket)({ fd: 3 });
let child, text = "", isOver = false;
const kill = () => { try { process.kill(-process.pid, "SIGKILL"); } catch { process.exit(1); } };
const over = () => {
  if (isOver) return;
  isOver = true;
  if (!child) return kill();
  child.once("exit", () => setTimeout(kill, 50));
  child.kill("SIGTERM");
  setTimeout(kill, 3000);
};
const start = ({ program, args, cwd, env, log }) => {
  const out = openSync(log, "a", 0o600);
  const say = (end) => { child = undefined; pipe.write(JSON.stringify(end) + "\\n"); };
  child = spawn(program, args, { cwd, env, stdio: ["ignore", out, out] });
  closeSync(out);
  let isTold = false;
  child.on("error", (error) => { if (!isTold) { isTold = true; say({ exit: null, why: program + " could not be started (" + error.code + ")" }); } });
  child.on("exit", (exit, signal) => { if (!isTold) { isTold = true; say({ exit, ...(signal && { why: "ended by " + signal }) }); } });
};
pipe.on("data", (bytes) => {
  text += bytes;
  for (let end = text.indexOf("\\n"); end >= 0; end = text.indexOf("\\n")) {
    const told = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    if (told.stop) { if (child) { const late = child; late.kill("SIGTERM"); setTimeout(() => late.kill("SIGKILL"), 3000).unref(); } }
    else if (!isOver) start(told);
  }
});
pipe.on("end", over);
pipe.on("close", over);
pipe.on("error", over);
process.on("SIGTERM", over);
process.on("SIGINT", over);
`;
