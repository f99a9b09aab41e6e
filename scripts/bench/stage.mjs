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
  /** What the host runs. `gate` chooses among the hooks of the event. */
  const callOf = ({ event, gate = 0, fields }) => {
    const { hook } = slots([event], program)[gate];
    const common = { session_id: "bench", transcript_path: "/t.jsonl", cwd: project, permission_mode: "default" };
    const input = textOf({ ...common, hook_event_name: event, ...fields }, project);
    return { command: hook.command, args: hook.args, input };
  };
  /** Returns milliseconds. */
  const send = (event) => {
    const { command, args, input } = callOf(event);
    const started = performance.now();
    const { status, stderr } = spawnSync(command, args, { env, input, cwd: project });
    const ms = performance.now() - started;
    if (status !== 0) throw new Error(`${event.event}: exit ${status} ${stderr}`);
    return ms;
  };
  return { project, env, callOf, send };
}

/** The cost of a Node process that does nothing, in milliseconds. */
export function emptyNode(env) {
  const started = performance.now();
  spawnSync(process.execPath, ["-e", "0"], { env, input: "{}" });
  return performance.now() - started;
}
