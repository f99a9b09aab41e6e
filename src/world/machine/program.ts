/** Runs a program and waits for it: for a process that answers one event and has nothing else to do. */
import type * as ChildProcess from "node:child_process";
import type { StdioOptions } from "node:child_process";
import type { ProgramResult, ProgramRun } from "../../kernel/effect.ts";

export const OUTPUT_BYTES_MAX = 256 * 1024;

/** The two ways of running stop reading at slightly different places; both have at least this much. */
const CUT_CHARS = OUTPUT_BYTES_MAX / 4;

export function runNow(program: ProgramRun, { spawnSync }: Pick<typeof ChildProcess, "spawnSync">): ProgramResult {
  const { input, group, judges, bytesMax = OUTPUT_BYTES_MAX } = program;
  const options = {
    cwd: program.cwd,
    env: program.env,
    timeout: program.timeMs,
    killSignal: "SIGKILL",
    maxBuffer: bytesMax,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", judges === "stderr" ? "pipe" : "ignore"] as StdioOptions,
    encoding: "utf8",
    ...(input !== undefined && { input }),
    ...(group && { detached: true }),
  } as const;
  const { error, pid, status, signal, stdout, stderr } = spawnSync(program.program, program.args, options);
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (group && code === "ETIMEDOUT") endGroup(pid);
  return resultOf(stdout ?? "", {
    code,
    status,
    signal,
    ...(judges && { reason: (judges === "stderr" ? stderr : stdout) ?? "" }),
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // All of its processes have ended already.
    void error;
  }
}

interface End {
  readonly code: string | number | undefined;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What a program that judges has printed. */
  readonly reason?: string;
}

/** Both lanes read the end of a program here, so that the same end means the same. */
export function resultOf(text: string, { code, status, signal, reason }: End): ProgramResult {
  if (code === "ENOBUFS" || code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return { text: text.slice(0, CUT_CHARS), cut: true };
  if (code === "ETIMEDOUT" || signal !== null) return { failed: "it took too long" };
  // A program that answers without reading all of its input has answered.
  if (typeof code === "string" && code !== "EPIPE") return { failed: `it could not be started (${code})` };
  if (reason !== undefined && (status === 1 || status === 2)) return { text: reason, cut: false, refused: true };
  return status === 0 ? { text, cut: false } : { failed: `it ended with exit code ${status}` };
}
