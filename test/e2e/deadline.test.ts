/** A lane that never comes back: V8's watchdog ends it, whichever bundle of the law it is, and the failure is answered. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { program } from "./stage.ts";

/** The clock is asked for first thing in the hall, and by nobody before it. */
const STUCK = "process.uptime = () => { for (;;); };\n";

/** What is short, and is no command, has no watchdog: `isQuick` in plain-lane.ts. */
const long = "x".repeat(10_000);

it.concurrent.each([
  ["hook-gate.cjs", "PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } }, 2],
  ["hook-gate.cjs", "PreToolUse", { tool_name: "Write", tool_input: { file_path: "/a", content: long } }, 2],
  ["hook-after.cjs", "PostToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: long }, 0],
  ["hook.cjs", "SessionEnd", { reason: "other" }, 0],
])(
  "EH-16 %s stuck at %s is ended and answered",
  async (bundle, event, fields, expected) => {
    const directory = mkdtempSync(join(tmpdir(), "sekisho-stuck-"));
    try {
      cpSync(dirname(program.bundle), directory, { recursive: true });
      writeFileSync(join(directory, bundle), STUCK + readFileSync(join(directory, bundle), "utf8"));
      const env = { PATH: process.env["PATH"], HOME: directory };
      const hook = spawn(process.execPath, [join(directory, "sekisho.cjs"), "hook", event], { env });
      hook.stdin.end(JSON.stringify({ session_id: "s", cwd: directory, hook_event_name: event, ...fields }));
      const ended = new Promise((resolve) => hook.on("close", resolve));
      const said = await Promise.all([text(hook.stdout), text(hook.stderr)]);
      expect(await ended).toBe(expected);
      expect(said.join("")).toContain(expected === 2 ? "the internal deadline was reached" : "");
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
  30_000,
);
