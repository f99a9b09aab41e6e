/**
 * The entry point: `sekisho hook <event>` takes the short path, everything else is a command. Node compiles this file
 * again at every event, so it is small: it loads the bundle of the policies with V8's code cache.
 */
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import type * as V8 from "node:v8";
import { Script } from "node:vm";
import { failureCodes, HOST } from "./hosts/index.ts";
import type * as Watch from "./lanes/gatehouse/watch.ts";
import type { Watched } from "./lanes/gatehouse/watch.ts";
import { isDue, type Part, WITHOUT_BASELINE, type ZlibBinding } from "./lanes/plain/code-cache.ts";
import type * as PlainLane from "./lanes/plain/plain-lane.ts";
import { KEY_WORD, keyAmong } from "./state/person-key.ts";
import { stateRoot } from "./world/machine/places.ts";

// Built as CommonJS, which starts faster; `require` and `__filename` belong to the built file.
declare const require: NodeJS.Require;
/** Set by the build. */
declare const __BUNDLE_HASHES__: Readonly<Record<string, string>>;

/** All output is written by now; the ordinary exit would take another millisecond. */
function leave(code: number): void {
  const { reallyExit = process.exit } = process as unknown as { reallyExit?: (code: number) => never };
  reallyExit.call(process, code);
}

/** The methods behind `write` and `toString`, without encoding lookup. */
interface Bytes extends Buffer {
  latin1Write(text: string, at: number): number;
  latin1Slice(from: number, to: number): string;
}

/** Reused for every read, because touching fresh memory pages is the most expensive part of reading. */
let scratch = Buffer.allocUnsafeSlow(1024 * 1024) as Bytes;
const parts: Part[] = [];
const known = new Map<string, unknown>();

/** Reads the file to offset `from` and returns the end offset; some space always stays free after it. */
function read(path: string, from: number): number {
  // Without O_NONBLOCK a pipe at this path would block forever.
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
/** The wrapper that Node puts around a module. */
const HEAD = "(function (exports, require, module, __filename, __dirname) {";
const TAIL = "\n})";

/**
 * The build writes only ASCII to these bundles, so the text needs no decoding. Building it in the buffer avoids a copy.
 */
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
  const before = script.cachedDataRejected ? 0 : kept;
  const isKept = isDue(before, Math.random());
  if (isKept) (require("node:v8") as typeof V8).setFlagsFromString(WITHOUT_BASELINE);
  const module = { exports: {} };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run.call(module.exports, module.exports, requireOnce, module, path, __dirname);
  parts.push({
    script,
    cache,
    hash,
    text: () => source.slice(HEAD.length, -TAIL.length),
    kept: before,
    isKept,
  });
  return module.exports;
}

/**
 * Reads the format of `code-cache.ts`: the code, the number of times it was kept, and a checksum. Undefined if the
 * checksum is wrong.
 */
function cached(file: string): Buffer | undefined {
  try {
    const end = read(file, 0) - 4;
    const [low, high] = [at(end) | (at(end + 1) << 8) | (at(end + 2) << 16), at(end + 3)];
    const { binding } = process as unknown as { binding(name: "zlib"): ZlibBinding };
    const holds = binding("zlib").crc32(scratch.subarray(0, end), 0) === low + high * 0x1000000;
    // The checksum of no data is 0, so a file of four zero bytes would pass.
    return holds && end > 1 ? scratch.subarray(0, end - 1) : undefined;
  } catch {
    return undefined;
  }
}

function at(place: number): number {
  return scratch[place] ?? 0;
}

/** Caches modules, because Node's lookup is slow. */
function requireOnce(name: string): unknown {
  const before = known.get(name);
  if (before !== undefined) return before;
  const volume = name.slice(2);
  const found = volume in __BUNDLE_HASHES__ ? load(volume, "any") : require(name);
  known.set(name, found);
  return found;
}

/** On any failure a gate must block: the exit code does that without any other code. */
function hook(args: readonly string[], watched?: Watched): number {
  // Only messages and codes are used; collecting stack traces is a large part of the cost of an exception.
  Error.stackTraceLimit = 0;
  const [event = "", gate = ""] = args;
  try {
    // Each event has its own code cache, since code compiled for another event only adds load time.
    const use = (event + gate).includes("/") ? "any" : event + gate;
    const law = load("hook.cjs", use) as typeof PlainLane;
    return law.answer({ args, bundle: __filename, scratch, parts, watched, key: keyAmong(process.argv) });
  } catch (error) {
    writeSync(2, `Sekisho is broken (${error instanceof Error ? error.message : String(error)}).\n${WAY_OUT}\n`);
    return failureCodes[HOST](event, gate);
  }
}

const WAY_OUT = "Install it again, or take its hooks out of the settings with `sekisho uninstall`.";

/** If the daemon answers for the tools, these events make sure that it is running. */
function watchThenHook(args: readonly string[]): void {
  const then = (watched: Watched): void => leave(hook(args, watched));
  try {
    const { watched } = require("./watch.cjs") as typeof Watch;
    watched(process.env, { node: process.execPath, bundle: __filename }, args[0] ?? "").then(then);
  } catch (error) {
    then({ gatehouse: { found: "down", now: "down", detail: String(error) }, ms: 0 });
  }
}

// At the end, because it uses the declarations above.
const [, , verb, ...words] = process.argv;
// The key is no part of the event, and the code cache is named by the event.
const args = words.filter((word) => !word.startsWith(KEY_WORD));
if (verb !== "hook" || args[0] === "--help")
  require("./cli.cjs").main(verb === "hook" ? ["help"] : process.argv.slice(2), __filename);
else if (
  args[1] === "gatehouse" &&
  /^(?:SessionStart|UserPromptSubmit|Stop|SubagentStop|TaskCompleted)$/.test(args[0] ?? "")
)
  watchThenHook(args);
else leave(hook(args));
