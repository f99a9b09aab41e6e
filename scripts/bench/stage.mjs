/** A project with a home directory of its own, where events run on the plain lane as the host runs them. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bench.mjs";
import { textOf } from "./events.mjs";

export function openStage(directory, slots, checkout = root) {
  const program = { node: process.execPath, bundle: join(checkout, "dist", "sekisho.cjs") };
  const project = join(directory, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: join(directory, "home"),
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: String(process.pid),
    LANG: "C.UTF-8",
  };
  mkdirSync(env.HOME);
  /** Returns milliseconds. `gate` chooses among the hooks of the event. */
  const send = ({ event, gate = 0, fields }) => {
    const { hook } = slots([event], program)[gate];
    const common = { session_id: "bench", transcript_path: "/t.jsonl", cwd: project, permission_mode: "default" };
    const input = textOf({ ...common, hook_event_name: event, ...fields }, project);
    const started = performance.now();
    const { status, stderr } = spawnSync(hook.command, hook.args, { env, input, cwd: project });
    const ms = performance.now() - started;
    if (status !== 0) throw new Error(`${event}: exit ${status} ${stderr}`);
    return ms;
  };
  return { project, env, send };
}

/** The cost of a Node process that does nothing, in milliseconds. */
export function emptyNode(env) {
  const started = performance.now();
  spawnSync(process.execPath, ["-e", "0"], { env, input: "{}" });
  return performance.now() - started;
}
