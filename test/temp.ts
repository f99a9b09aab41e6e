/** Temporary directories for tests, removed when the test or the test file ends. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import { untilAllEnded } from "./processes.ts";

/** Called in a test, the directory lives as long as the test; called outside, as long as the file. The path has no links. */
export function tempDirectory(name: string): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** The same for processes that have this path in their environment: it is removed when the last of them has ended. */
export function stageDirectory(name: string): string {
  const directory = tempDirectory(name);
  atEnd(() => untilAllEnded(directory));
  return directory;
}

/** What is added last is done first. */
function atEnd(done: () => void | Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(done);
  else afterAll(done);
}
