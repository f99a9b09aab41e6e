/** The program: `sekisho hook <event>` takes the short way, everything else is a command. */
import { writeSync } from "node:fs";
import { Script } from "node:vm";
import { type CachedBundle, loadBundle } from "./code-cache.ts";
import type * as Watch from "./gatehouse/watch.ts";
import type { Gatehouse } from "./kernel/facts.ts";
import type * as PlainLane from "./plain-lane.ts";
import { readInput } from "./stdin.ts";
import { stateRoot } from "./world/places.ts";

// Built as CommonJS, which starts faster; `require` and `__filename` are the built file's own.
declare const require: NodeJS.Require;
const bundle = __filename;
/** Set by the build. */
declare const __BUNDLE_HASHES__: Readonly<Record<Law | typeof SHELL, string>>;
type Law = "hook.cjs" | "hook-gate.cjs" | "hook-after.cjs";
const SHELL = "shell.cjs";

/** Everything is written by now; the ordinary exit would spend another millisecond on taking the process apart. */
function leave(code: number): void {
  const { reallyExit = process.exit } = process as unknown as { reallyExit?: (code: number) => never };
  reallyExit.call(process, code);
}

/** Whatever goes wrong here, a gate stays shut: the exit code says so without any of our other code. */
function hook(args: readonly string[], watched?: Watched): number {
  // We look at messages and codes only; collecting stacks is a good part of what an exception costs.
  Error.stackTraceLimit = 0;
  try {
    const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    const body = readInput(INPUT_MS_MAX, scratch);
    const parts: CachedBundle[] = [];
    const load = (name: Law | typeof SHELL): unknown => {
      const part = { path: `${__dirname}/${name}`, hash: __BUNDLE_HASHES__[name] };
      const loaded = loadBundle(part, `${stateRoot(process.env)}/code-cache`, requireOf, scratch);
      parts.push(loaded);
      return loaded.exports;
    };
    // Each file of the sources asks anew, the shell's when the law meets a command, and Node looks long at every one.
    const known = new Map<string, unknown>();
    const requireOf = (name: string): unknown => {
      const before = known.get(name);
      if (before !== undefined) return before;
      const found = name === `./${SHELL}` ? load(SHELL) : require(name);
      known.set(name, found);
      return found;
    };
    const lane = load(lawFor(args[0])) as typeof PlainLane;
    const timeMs = lane.timeLimitMs(args) - (watched?.ms ?? 0);
    const code = withinTime(lane, { args, bundle, body, ...(watched && { gatehouse: watched.gatehouse }) }, timeMs);
    for (const part of parts) if (!part.isCached) part.save();
    return code;
  } catch (error) {
    writeSync(2, `Sekisho is broken (${error instanceof Error ? error.message : String(error)}).\n${WAY_OUT}\n`);
    const isGate = args[0] === undefined || args[0] === "PreToolUse" || args[0] === "ConfigChange";
    return isGate && args[1] !== "harmless" ? 2 : 0;
  }
}

/** Where the gatehouse answers for the tools, the turns of a session see to it that it does. */
const WATCHED: readonly (string | undefined)[] = ["SessionStart", "UserPromptSubmit", "Stop"];

interface Watched {
  readonly gatehouse: Gatehouse;
  /** What it took, of the time that this event has. */
  readonly ms: number;
}

/** Whatever becomes of the looking, the event is answered. */
function watchThenHook(args: readonly string[]): void {
  const started = Date.now();
  const then = (gatehouse: Gatehouse): void => leave(hook(args, { gatehouse, ms: Date.now() - started }));
  const broken = (error: unknown): void => then({ found: "down", now: "down", detail: String(error) });
  try {
    const { watch } = require("./watch.cjs") as typeof Watch;
    watch(process.env, { node: process.execPath, bundle }, args[0] ?? "").then(then, broken);
  } catch (error) {
    broken(error);
  }
}

const WAY_OUT = "Install it again, or take its hooks out of the settings with `sekisho uninstall`.";

/** The client writes its input at once; who has not written by then will not. */
const INPUT_MS_MAX = 2500;

/** Enough for the larger bundle, for its cache and for nearly every input. */
const SCRATCH_BYTES = 512 * 1024;

/**
 * One law in three sizes: the smaller ones leave out the policies of other events. Asked about such an event all the same,
 * they fail like anything that cannot decide: shut.
 */
function lawFor(event: string | undefined): Law {
  if (event === "PreToolUse") return "hook-gate.cjs";
  return event === "PostToolBatch" || event?.startsWith("PostToolUse") ? "hook-after.cjs" : "hook.cjs";
}

/** An event is never left without any time, also when the clock was set forward meanwhile. */
const TIME_MS_MIN = 1000;

/** A watchdog thread of V8 ends whatever runs too long; then the failure is answered like any other. */
function withinTime(lane: typeof PlainLane, invocation: PlainLane.Invocation, timeMs: number): number {
  let code = 2;
  const key = "__sekisho";
  Object.defineProperty(globalThis, key, {
    value: () => {
      code = lane.run(invocation);
    },
  });
  try {
    new Script(`${key}()`).runInThisContext({ timeout: Math.max(TIME_MS_MIN, timeMs) });
    return code;
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return lane.fail(isLate ? "the internal deadline was reached" : String(error));
  }
}

// Last, when everything above is there.
const [, , verb, ...args] = process.argv;
if (verb === "hook" && args[1] === "gatehouse" && WATCHED.includes(args[0])) watchThenHook(args);
else if (verb === "hook") leave(hook(args));
else require("./cli.cjs").main(process.argv.slice(2), bundle);
