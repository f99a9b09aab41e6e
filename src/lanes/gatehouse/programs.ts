/** Runs programs for facts and jobs while the worker goes on answering other events. */
import { execFile } from "node:child_process";
import type { ProgramResult, ProgramRun } from "../../kernel/effect.ts";
import { OUTPUT_BYTES_MAX, resultOf } from "../../world/machine/program.ts";

/** Further programs wait, within the time that each has. */
const AT_ONCE_MAX = 4;
/** An ordinary event needs at most three, a git command that discards work about five. */
const FOR_ONE_EVENT_MAX = 12;

type Run = (program: ProgramRun) => Promise<ProgramResult>;

/** For one event: refuses a program when the event has already asked for too many. */
export function programsOfOne(): Run {
  let asked = 0;
  return async (program) =>
    ++asked > FOR_ONE_EVENT_MAX ? { failed: "too many programs were asked for at once" } : runBeside(program);
}

let running = 0;
const waiting: (() => void)[] = [];

export async function runBeside(program: ProgramRun): Promise<ProgramResult> {
  const asked = Date.now();
  if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    const timeMs = program.timeMs - (Date.now() - asked);
    return timeMs > 0 ? await start({ ...program, timeMs }) : { failed: "it took too long" };
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function start({
  program,
  args,
  cwd,
  env,
  timeMs,
  input,
  judges,
  bytesMax = OUTPUT_BYTES_MAX,
}: ProgramRun): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: timeMs, killSignal: "SIGKILL", maxBuffer: bytesMax } as const;
    const child = execFile(program, [...args], { ...options, encoding: "utf8" }, (error, stdout, stderr) => {
      const code = typeof error?.code === "string" ? error.code : undefined;
      const end = {
        code,
        status: child.exitCode,
        signal: error?.signal ?? null,
        ...(judges && { reason: judges === "stderr" ? stderr : stdout }),
      };
      resolve(resultOf(stdout, end));
    });
    // A program that does not read its input may still answer.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
