/** Starts a separate daemon for a benchmark and sends events to it like a host. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { root } from "./bench.mjs";
import { textOf } from "./events.mjs";

export function openGatehouse(scratch, dist = join(root, "dist")) {
  const home = join(scratch, "home");
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
  const bundle = join(dist, "sekisho.cjs");
  const { status, stderr } = spawnSync(process.execPath, [bundle, "up"], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const kept = (name) => JSON.parse(readFileSync(join(home, ".local", "state", "sekisho", "gatehouse", name), "utf8"));
  process.on("uncaughtException", (error) => {
    console.error(error, readFileSync(join(home, ".local", "state", "sekisho", "gatehouse", "gatehouse.log"), "utf8"));
    process.exit(1);
  });
  // Before the directory is removed.
  process.prependListener("exit", () => process.kill(kept("run.json").pid, "SIGTERM"));
  return { env, bundle, door: kept("door.json"), pid: kept("run.json").pid };
}

/** Opens a session through the plain lane from this process, like a host, then sends its events over one connection. */
export function openSession({ env, bundle, door }, id, project) {
  mkdirSync(join(project, ".git"), { recursive: true });
  const common = { session_id: id, transcript_path: "/t.jsonl", cwd: project, permission_mode: "default" };
  const input = JSON.stringify({ ...common, hook_event_name: "SessionStart", source: "startup" });
  const own = { ...env, CLAUDE_PROJECT_DIR: project, CLAUDE_PID: String(process.pid) };
  const { status, stderr } = spawnSync(process.execPath, [bundle, "hook", "SessionStart"], { env: own, input });
  if (status !== 0) throw new Error(String(stderr));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ event, fields }) =>
    post(agent, door, event, textOf({ ...common, hook_event_name: event, ...fields }, project));
}

function post(agent, { port, token }, event, body) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const path = `/${event}/any/bench`;
    const sent = request({ agent, host: "127.0.0.1", port, path, method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - started);
        else reject(new Error(`${event}: ${response.statusCode}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
