/** Programs that an event needs an answer of, run while the worker goes on answering everybody else. */
import { execFile } from "node:child_process";
import { type Errand, NotRunYet, OUTPUT_BYTES_MAX, type Outcome, outcomeOf, type RunErrand } from "../world/errand.ts";

/** Whoever asks for more at once waits, within the time that each errand has. */
const AT_ONCE_MAX = 4;
/** A line that asks for more than this is not meant to be answered. */
const FOR_ONE_EVENT_MAX = 8;

export interface Errands {
  /** What the hall is given: an outcome that is there already, or a way out of the hall. */
  readonly run: RunErrand;
  /** Runs what the hall went out for. */
  readonly fetch: (needed: NotRunYet) => Promise<void>;
}

/** For one event. */
export function errandsOfOne(): Errands {
  const done = new Map<string, Outcome>();
  return {
    run: (errand) => {
      const outcome = done.get(nameOf(errand));
      if (outcome) return outcome;
      if (done.size >= FOR_ONE_EVENT_MAX) return { failed: "too much was asked at once" };
      throw new NotRunYet(errand);
    },
    fetch: async ({ errand }) => {
      done.set(nameOf(errand), await runBeside(errand));
    },
  };
}

/** Without the time, which is another one when it is asked for again. */
function nameOf({ program, args, cwd }: Errand): string {
  return JSON.stringify([program, args, cwd]);
}

let running = 0;
const waiting: (() => void)[] = [];

/** While everybody else is answered. */
export async function runBeside(errand: Errand): Promise<Outcome> {
  const asked = Date.now();
  if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    const timeMs = errand.timeMs - (Date.now() - asked);
    return timeMs > 0 ? await runAside({ ...errand, timeMs }) : { failed: "it took too long" };
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function runAside({ program, args, cwd, env, timeMs }: Errand): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: timeMs, killSignal: "SIGKILL", maxBuffer: OUTPUT_BYTES_MAX } as const;
    const child = execFile(program, [...args], { ...options, encoding: "utf8" }, (error, stdout) => {
      const code = typeof error?.code === "string" ? error.code : undefined;
      resolve(outcomeOf(stdout, { code, status: child.exitCode, signal: error?.signal ?? null }));
    });
    child.stdin?.end();
  });
}
