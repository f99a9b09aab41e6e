/**
 * One temporary directory for the whole run, with a copy of the built program, so that a concurrent build does not change
 * the program during a test. The run fails if a test leaves a file in that directory.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const DIST = join(import.meta.dirname, "..", "dist");
const PROGRAM = "program";
const root = realpathSync(mkdtempSync(join(tmpdir(), "checkpoint-tests-")));
let isWhole = true;

export function setup({ vitest }: TestProject): void {
  // With --testNamePattern, vitest skips the clean-up of files in which no test matches.
  isWhole = vitest.config.testNamePattern === undefined;
  if (existsSync(join(DIST, "sekisho.cjs")))
    cpSync(DIST, join(root, PROGRAM), { recursive: true, filter: (path) => !path.includes(".build-") });
  Object.assign(process.env, { TMPDIR: root, SEKISHO_TEST_PROGRAM: join(root, PROGRAM) });
}

export function teardown(): void {
  const left = readdirSync(root).filter((name) => name !== PROGRAM);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  if (!isWhole || left.length === 0) return;
  console.error(`The tests left ${left.length} temporary files behind: ${left.sort().join(", ")}`);
  process.exitCode = 1;
}
