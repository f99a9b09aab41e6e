/** An installation of which a part is gone: no change passes unjudged, and nothing weaker takes its place. */
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../temp.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

it.each(["shell.cjs", "agents.cjs"])("PB-51 without %s a change is refused that passes with it", (part) => {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", "plan: { required: code }\n");
  const broken = join(tempDirectory("parts"), "dist");
  cpSync(dirname(program.bundle), broken, { recursive: true });
  const code = (): number | null => {
    const call = { tool_name: "Bash", tool_input: { command: "echo x > notes.md" }, tool_use_id: "c1" };
    const event = { session_id: "s1", hook_event_name: "PreToolUse", cwd: stage.project, ...call };
    const input = JSON.stringify(event);
    return stage.run(program.node, [join(broken, "sekisho.cjs"), "hook", "PreToolUse"], { input }).code;
  };
  expect(code()).toBe(0);
  rmSync(join(broken, part));
  expect(code()).toBe(2);
});
