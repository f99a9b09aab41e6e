/**
 * The program: `sekisho hook <event>` takes the short way, everything else is a command. Of all our files Node compiles
 * this one anew at every event, so there is little in it: it loads the law with V8's cache of its code, and the law does
 * the rest.
 */
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { Script } from "node:vm";
import type { Part, ZlibBinding } from "./code-cache.ts";
import type * as Watch from "./gatehouse/watch.ts";
import type { Watched } from "./gatehouse/watch.ts";
import type * as PlainLane from "./plain-lane.ts";
import { stateRoot } from "./world/places.ts";

// Built as CommonJS, which starts faster; `require` and `__filename` are the built file's own.
declare const require: NodeJS.Require;
/** Set by the build. */
declare const __BUNDLE_HASHES__: Readonly<Record<string, string>>;

/** Everything is written by now; the ordinary exit would spend another millisecond on taking the process apart. */
function leave(code: number): void {
  const { reallyExit = process.exit } = process as unknown as { reallyExit?: (code: number) => never };
  reallyExit.call(process, code);
}

/** The methods behind `write` and `toString`, without the choice of an encoding. */
interface Bytes extends Buffer {
  latin1Write(text: string, at: number): number;
  latin1Slice(from: number, to: number): string;
}

/** Everything is read into it, in turn: fresh pages are the dearest part of reading. */
let scratch = Buffer.allocUnsafeSlow(1024 * 1024) as Bytes;
const parts: Part[] = [];
const known = new Map<string, unknown>();

/** Reads to the place `from` on and says where it ended; there is always some room left behind. */
function read(path: string, from: number): number {
  // A pipe in its place would hold us for ever.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    for (let end = from; ; ) {
      end += readSync(fd, scratch, end, scratch.length - end, null);
      if (end + ROOM <= scratch.length) return end;
      scratch = Buffer.concat([scratch, Buffer.allocUnsafe(scratch.length)]) as unknown as Bytes;
    }
  } finally {
    closeSync(fd);
  }
}

const ROOM = 16;
/** What Node itself puts around a module. */
const HEAD = "(function (exports, require, module, __filename, __dirname) {";
const TAIL = "\n})";

/** The build writes only ASCII into these bundles: the text needs no decoding, and putting texts together would copy it. */
function load(name: string, use: string): unknown {
  const path = `${__dirname}/${name}`;
  const hash = __BUNDLE_HASHES__[name] ?? "";
  scratch.latin1Write(HEAD, 0);
  const end = read(path, HEAD.length);
  const source = scratch.latin1Slice(0, end + scratch.latin1Write(TAIL, end));
  const cache = `${stateRoot(process.env)}/code-cache/${hash.slice(0, 16)}-${use}-${process.version}-${process.arch}.bin`;
  const cachedData = cached(cache);
  const kept = cachedData ? at(cachedData.length) : 0;
  const script = new Script(source, { filename: path, cachedData });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run.call(module.exports, module.exports, requireOnce, module, path, __dirname);
  parts.push({
    script,
    cache,
    hash,
    text: () => source.slice(HEAD.length, -TAIL.length),
    kept: script.cachedDataRejected ? 0 : kept,
  });
  return module.exports;
}

/** As `code-cache.ts` wrote it: the code, how often it was kept, and a sum of both. Undefined when that does not hold. */
function cached(file: string): Buffer | undefined {
  try {
    const end = read(file, 0) - 4;
    const [low, high] = [at(end) | (at(end + 1) << 8) | (at(end + 2) << 16), at(end + 3)];
    const { binding } = process as unknown as { binding(name: "zlib"): ZlibBinding };
    const holds = binding("zlib").crc32(scratch.subarray(0, end), 0) === low + high * 0x1000000;
    // Of nothing the sum is nothing, and a file of four zeros would hold.
    return holds && end > 1 ? scratch.subarray(0, end - 1) : undefined;
  } catch {
    return undefined;
  }
}

function at(place: number): number {
  return scratch[place] ?? 0;
}

/** Each file of the sources asks anew, the shell's when the law meets a command, and Node looks long at every one. */
function requireOnce(name: string): unknown {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = name === "./shell.cjs" ? load("shell.cjs", "any") : require(name);
  known.set(name, found);
  return found;
}

/** Whatever goes wrong here, a gate stays shut: the exit code says so without any of our other code. */
function hook(args: readonly string[], watched?: Watched): number {
  // We look at messages and codes only; collecting stacks is a good part of what an exception costs.
  Error.stackTraceLimit = 0;
  const [event = "", gate = ""] = args;
  try {
    // What is compiled for one event is another's burden.
    const use = (event + gate).includes("/") ? "any" : event + gate;
    const law = load(lawFor(event), use) as typeof PlainLane;
    return law.answer({ args, bundle: __filename, scratch, parts, watched });
  } catch (error) {
    writeSync(2, `Sekisho is broken (${error instanceof Error ? error.message : String(error)}).\n${WAY_OUT}\n`);
    const isGate = event === "" || event === "PreToolUse" || event === "ConfigChange";
    return isGate && gate !== "harmless" ? 2 : 0;
  }
}

const WAY_OUT = "Install it again, or take its hooks out of the settings with `sekisho uninstall`.";

/**
 * One law in three sizes: the smaller ones leave out the policies of other events. Asked about such an event all the same,
 * they fail like anything that cannot decide: shut.
 */
function lawFor(event: string): string {
  if (event === "PreToolUse") return "hook-gate.cjs";
  return event === "PostToolBatch" || event.startsWith("PostToolUse") ? "hook-after.cjs" : "hook.cjs";
}

/** Where the gatehouse answers for the tools, the turns of a session see to it that it does. */
function watchThenHook(args: readonly string[]): void {
  const then = (watched: Watched): void => leave(hook(args, watched));
  try {
    const { watched } = require("./watch.cjs") as typeof Watch;
    watched(process.env, { node: process.execPath, bundle: __filename }, args[0] ?? "").then(then);
  } catch (error) {
    then({ gatehouse: { found: "down", now: "down", detail: String(error) }, ms: 0 });
  }
}

// Last, when everything above is there.
const [, , verb, ...args] = process.argv;
if (verb !== "hook" || args[0] === "--help")
  require("./cli.cjs").main(verb === "hook" ? ["help"] : process.argv.slice(2), __filename);
else if (args[1] === "gatehouse" && /^(?:SessionStart|UserPromptSubmit|Stop)$/.test(args[0] ?? "")) watchThenHook(args);
else leave(hook(args));
