/** Shared by the journal's tests: temporary directories, and the journal as a program for other processes. */
import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { tempDirectory } from "../../../test/temp.ts";
import type { WriteOrder } from "../../../test/write-order.ts";
import { asState, fault, kept, letter, TRIAL_PARTS, type TrialParts } from "../contract.ts";
import type { Store } from "../store.ts";
import { openJournal } from "./archive.ts";
import { segmentPath } from "./segment.ts";

interface Trial {
  readonly home: string;
  /** A new directory name; nothing is created. */
  newDirectory(): string;
  /** Starts a process that runs the code `use`, with `store` as the journal of that directory. */
  start(directory: string, use: string, options?: Starting): ChildProcess;
}

interface Starting {
  readonly limits?: object;
  /** JavaScript of a table of parts. */
  readonly parts?: string;
  /** Watches what the process writes. */
  readonly order?: WriteOrder;
}

export function newTrial(): Trial {
  const home = tempDirectory("journal");
  const program = join(home, "disk.cjs");
  let count = 0;
  return {
    home,
    newDirectory: () => join(home, `state-${++count}`),
    start(directory, use, { limits = {}, parts = "undefined", order } = {}) {
      if (!fs.existsSync(program)) bundleTo(program);
      const options = JSON.stringify({ directory, limits });
      const code = `const { openJournal } = require(${JSON.stringify(program)});
        const store = openJournal({ ...${options}, parts: ${parts} }); ${use}`;
      const first = order ? ["--require", order.preload] : [];
      const env = { ...process.env, ...order?.env };
      return spawn(process.execPath, [...first, "-e", code], { env, stdio: ["ignore", "pipe", "inherit"] });
    },
  };
}

/** Bundled like the hook program, so that the same parts load lazily. */
function bundleTo(outfile: string): void {
  buildSync({
    entryPoints: [join(import.meta.dirname, "archive.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile,
    logLevel: "error",
  });
}

/** The output of a process, once it has ended. */
export function outputOf(child: ChildProcess): Promise<string> {
  let output = "";
  child.stdout?.on("data", (data: Buffer) => {
    output += data.toString();
  });
  return new Promise((resolve) => child.on("close", () => resolve(output)));
}

export function flipByte(directory: string, segment: number, offset: number): void {
  const bytes = fs.readFileSync(segmentPath(directory, segment));
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  fs.writeFileSync(segmentPath(directory, segment), bytes);
}

/** Paths, oldest first; of the ledger, or of `part.<name>`. */
export function snapshotsIn(directory: string, series = "snap"): string[] {
  return fs
    .readdirSync(directory)
    .filter((name) => name.startsWith(`${series}.`))
    .map((name) => join(directory, name))
    .sort();
}

/** Small segments and many snapshots. */
export const SNAPPING = {
  segmentBytes: 3000,
  snapshotAfter: 4,
  snapshotChance: 1,
  snapshotAlwaysAfter: 5,
  partTailBytes: 800,
};

export function openParts(directory: string, limits: object = SNAPPING): Store<TrialParts> {
  return openJournal({ directory, limits, parts: TRIAL_PARTS });
}

/** Appends letters and faults in turn and requests the inbox each time. */
export function fillParts(directory: string, count: number, limits?: object): Store<TrialParts> {
  const store = openParts(directory, limits);
  for (let n = 0; n < count; n++) {
    kept(store.append(n % 2 ? fault(`m${n}`) : letter("a", `m${n}`), n, { needs: ["inbox"] }));
  }
  return store;
}

export function lettersIn(store: Store<TrialParts>): number {
  return asState(store.read(["inbox"])).inbox.letters;
}

export function inboxesIn(directory: string): string[] {
  return snapshotsIn(directory, "part.inbox");
}
