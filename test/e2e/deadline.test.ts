/** V8's watchdog ends a hook that never comes back, and the failure is answered. */
import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../temp.ts";
import { endOf } from "./answer.ts";
import { program } from "./program.ts";

/** The hall is the first to read the clock. */
const STUCK = "process.uptime = () => { for (;;); };\n";

/** Short events that are no command have no watchdog: `isQuick` in plain-lane.ts. */
const long = "x".repeat(10_000);

it("EH-16 a stuck hook is ended and answered: a gate blocks, everything else goes on", async () => {
  const directory = tempDirectory("stuck");
  cpSync(dirname(program.bundle), directory, { recursive: true });
  const bundle = join(directory, "hook.cjs");
  writeFileSync(bundle, STUCK + readFileSync(bundle, "utf8"));
  const stuckAt = (event: string, fields: object) => {
    const env = { PATH: process.env["PATH"], HOME: directory };
    const hook = spawn(process.execPath, [join(directory, "sekisho.cjs"), "hook", event], { env });
    hook.stdin.end(JSON.stringify({ session_id: "s", cwd: directory, hook_event_name: event, ...fields }));
    return endOf(hook);
  };
  // At the same time, because each waits for its deadline.
  const answers = await Promise.all([
    stuckAt("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } }),
    stuckAt("PreToolUse", { tool_name: "Write", tool_input: { file_path: "/a", content: long } }),
    stuckAt("PostToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: long }),
    stuckAt("SessionEnd", { reason: "other" }),
  ]);
  const blocked = { code: 2, stderr: expect.stringContaining("the internal deadline was reached") };
  expect(answers).toMatchObject([blocked, blocked, { code: 0 }, { code: 0 }]);
});
