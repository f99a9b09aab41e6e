/** A program that must be run to know a fact: described first, so that each lane runs it in its own way. */
import type * as ChildProcess from "node:child_process";
import type { StdioOptions } from "node:child_process";

export interface Errand {
  /** Absolute: nothing is looked for on a PATH that others could have written into. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeMs: number;
  /** What it reads from its standard input; without it that is empty. */
  readonly input?: string;
  /** It may start others, which must not outlive its time. Only a lane that waits for it sees to that. */
  readonly group?: true;
}

/** What it wrote; `cut` when there was more than we read. */
export type Outcome = { readonly text: string; readonly cut: boolean } | { readonly failed: string };

export type RunErrand = (errand: Errand) => Outcome;

export const OUTPUT_BYTES_MAX = 256 * 1024;

/** Node stops a little later in one way of running than in the other; so much there is in both. */
const CUT_CHARS = OUTPUT_BYTES_MAX / 4;

/** Thrown by a lane that must not wait for a program: run it, and ask the hall again. Nothing has been kept by then. */
export class NotRunYet extends Error {
  readonly errand: Errand;
  constructor(errand: Errand) {
    super(`${errand.program} has not been run yet`);
    this.errand = errand;
  }
}

/** For a process that answers one event and has nothing else to do. */
export function runNow(errand: Errand, { spawnSync }: Pick<typeof ChildProcess, "spawnSync">): Outcome {
  const { input, group } = errand;
  const options = {
    cwd: errand.cwd,
    env: errand.env,
    timeout: errand.timeMs,
    killSignal: "SIGKILL",
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"] as StdioOptions,
    encoding: "utf8",
    ...(input !== undefined && { input }),
    ...(group && { detached: true }),
  } as const;
  const { error, pid, status, signal, stdout } = spawnSync(errand.program, errand.args, options);
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (group && code === "ETIMEDOUT") endGroup(pid);
  return outcomeOf(stdout ?? "", { code, status, signal });
}

/** Whatever it has started and not waited for. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // Nobody is left, which is as it should be.
    void error;
  }
}

interface End {
  readonly code: string | number | undefined;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The same end means the same on both lanes. */
export function outcomeOf(text: string, { code, status, signal }: End): Outcome {
  if (code === "ENOBUFS" || code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return { text: text.slice(0, CUT_CHARS), cut: true };
  if (code === "ETIMEDOUT" || signal !== null) return { failed: "it took too long" };
  // One that answers without having read all of its input has answered.
  if (typeof code === "string" && code !== "EPIPE") return { failed: `it could not be started (${code})` };
  return status === 0 ? { text, cut: false } : { failed: `it ended with exit code ${status}` };
}
