/** A lane that never comes back: the launcher answers for it, whichever bundle of the law it is. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { program } from "./stage.ts";

const STUCK = `
  exports.timeLimitMs = () => 100;
  exports.run = () => { for (;;); };
  exports.fail = (cause) => { process.stderr.write(cause); return 2; };
`;

it.each([
  ["hook-gate.cjs", "PreToolUse"],
  ["hook-after.cjs", "PostToolUse"],
  ["hook.cjs", "Stop"],
])("EH-16 %s stuck in a loop is ended and answered", (bundle, event) => {
  const directory = mkdtempSync(join(tmpdir(), "sekisho-stuck-"));
  try {
    copyFileSync(program.bundle, join(directory, "sekisho.cjs"));
    writeFileSync(join(directory, bundle), STUCK);
    const input = JSON.stringify({ hook_event_name: event });
    const env = { PATH: process.env["PATH"], HOME: directory };
    const words = [join(directory, "sekisho.cjs"), "hook", event];
    const { status, stderr } = spawnSync(process.execPath, words, { input, env, encoding: "utf8", timeout: 20_000 });
    expect({ status, stderr }).toEqual({ status: 2, stderr: "the internal deadline was reached" });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
