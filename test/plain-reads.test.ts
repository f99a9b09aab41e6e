/** A file that an agent can arrange is read by `src/disk/plain-file.ts`: no pipe, no device, no file without end hangs a gate. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

/** Who else opens files, and why that cannot hang. */
const ALLOWED: Readonly<Record<string, string>> = {
  "disk/plain-file.ts": "the reader itself",
  "main.ts": "the program's own bundle and cache, with O_NONBLOCK and a fixed buffer",
  "app/rehearsal/try.ts": "a scratch project that was just made",
  "app/running/commands.ts": "the end of a run's log, in our own directory: O_NONBLOCK, size limit",
  "app/running/guard.ts": "writes that log",
  "app/running/leftover.ts": "the process table",
  "app/waking/pane.ts": "the process table",
  "app/waking/waiter.ts": "writes a new file in our own directory",
  "cli/tty.ts": "the person's terminal and standard input",
  "jobs/context-trim.ts": "rewrites the same file, so it needs the descriptor: O_NONBLOCK, regular, size limit",
  "jobs/formatting.ts": "writes, with O_NONBLOCK",
  "daemon/log.ts": "writes, with O_NONBLOCK",
  "store/journal/file.ts": "our own directory, with O_NONBLOCK and O_NOFOLLOW",
  "store/journal/segment.ts": "our own directory, with O_NONBLOCK and O_NOFOLLOW",
  "store/journal/snapshot.ts": "our own directory, through file.ts",
  "store/journal/trial.ts": "only tests use it",
  "undo/anchor.ts": "directories",
  "undo/open.ts": "our own directory, through file.ts, with a size limit",
  "world/machine/agent-above.ts": "the process table",
  "world/machine/caller.ts": "the process table",
  "world/machine/process-table.ts": "the process table",
  "world/machine/secret-content.ts": "looks into a large file in pieces: O_NONBLOCK, regular, size limit",
  "world/machine/socket-owner.ts": "the table of connections",
  "world/machine/transcript-file.ts": "reads parts of a file that grows: O_NONBLOCK, regular, at offsets",
};

const OPENS = /\b(?:readFileSync|openSync|createReadStream|opendirSync)\(|\breadFile\(|from "node:fs\/promises"/;

it("every other file is read through the plain reader", () => {
  const src = join(import.meta.dirname, "../src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const opening = files.filter((name) => OPENS.test(readFileSync(join(src, name), "utf8")));
  expect(opening.map((name) => relative(src, join(src, name))).sort()).toEqual(Object.keys(ALLOWED).sort());
});
