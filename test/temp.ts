/** Temporary directories for tests, removed when the test or the test file ends. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Called in a test, the directory lives as long as the test; called outside, as long as the file. The path has no links. */
export function tempDirectory(name: string): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  return directory;
}
