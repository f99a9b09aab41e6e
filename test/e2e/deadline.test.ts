/** A lane that never comes back: the launcher answers for it, whichever of the two bundles it is. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { program } from "./stage.ts";

const STUCK = `(function (exports) {
  exports.timeLimitMs = () => 100;
  exports.run = () => { for (;;); };
  exports.fail = (cause) => { process.stderr.write(cause); return 2; };
})`;

it.each([
  ["hook-gate.cjs", "Edit"],
  ["hook-shell.cjs", "Bash"],
])("EH-16 %s stuck in a loop is ended and answered", (bundle, tool) => {
  const directory = mkdtempSync(join(tmpdir(), "sekisho-stuck-"));
  try {
    copyFileSync(program.bundle, join(directory, "sekisho.cjs"));
    writeFileSync(join(directory, bundle), STUCK);
    const input = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: {} });
    const env = { PATH: process.env["PATH"], HOME: directory };
    const words = [join(directory, "sekisho.cjs"), "hook", "PreToolUse"];
    const { status, stderr } = spawnSync(process.execPath, words, { input, env, encoding: "utf8", timeout: 20_000 });
    expect({ status, stderr }).toEqual({ status: 2, stderr: "the internal deadline was reached" });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
