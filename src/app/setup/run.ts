/** Runs another program with a timeout. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface Ran {
  /** Null when it could not start or was killed by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** The reason for a missing exit code. */
  readonly problem?: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
}

export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<Ran>;

const TIMEOUT_MS_DEFAULT = 10_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const run: Run = async (command, args, { cwd, env, input = "", timeoutMs = TIMEOUT_MS_DEFAULT } = {}) => {
  const started = performance.now();
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    // Its own process group, so that its children can be killed with it.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, timeoutMs);
  // In its own group the child does not get the signal of Ctrl-C, so it is passed on.
  const stop = (): never => {
    endGroup(child.pid);
    process.exit(130);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  // A program that does not read its input is not an error.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  try {
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number | null, string | null]>,
    ]);
    const ms = performance.now() - started;
    const problem = late ? `no answer within ${timeoutMs} ms` : signal === null ? undefined : `ended by ${signal}`;
    return { code: problem === undefined ? code : null, stdout, stderr, ms, ...(problem !== undefined && { problem }) };
  } catch (error) {
    const ms = performance.now() - started;
    return { code: null, stdout: "", stderr: "", ms, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, stop);
  }
};

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The process has already exited.
    void error;
  }
}
