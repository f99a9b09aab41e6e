/** What the journal's tests share: directories of their own, and the journal as a program that other processes run. */
import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll } from "vitest";
import { segmentPath } from "./segment.ts";

interface Trial {
  readonly home: string;
  /** A new directory name; nothing is made. */
  newDirectory(): string;
  /** Starts a process in which `store` is the journal of that directory and `use` is what it does. */
  start(directory: string, use: string, limits?: object): ChildProcess;
}

export function newTrial(): Trial {
  const home = fs.mkdtempSync(join(tmpdir(), "sekisho-journal-"));
  afterAll(() => fs.rmSync(home, { recursive: true, force: true }));
  const program = join(home, "disk.cjs");
  let count = 0;
  return {
    home,
    newDirectory: () => join(home, `state-${++count}`),
    start(directory, use, limits = {}) {
      if (!fs.existsSync(program)) bundleTo(program);
      const options = JSON.stringify({ directory, limits });
      const code = `const { openJournal } = require(${JSON.stringify(program)});
        const store = openJournal(${options}); ${use}`;
      return spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    },
  };
}

/** As the hook program is built, so that what is lazy there is lazy here. */
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

/** What a process printed, when it is over. */
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

export function snapshotsIn(directory: string): string[] {
  return fs
    .readdirSync(directory)
    .filter((name) => name.startsWith("snap."))
    .map((name) => join(directory, name))
    .sort();
}
