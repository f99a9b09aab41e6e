/** Fills the open segment of a journal with events until the program closes and seals it. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment, journalOf, PROGRAM, PROJECT, PRUNED } from "./place.mjs";

/** The sessions of these events, so that readers can leave them out. */
export const FILLERS = { [PROJECT]: "s-filler", [PRUNED]: "p-filler" };

/** Runs the hook many times in one process and discards its answers. */
const DRIVER = `
const fs = require("node:fs"), path = require("node:path");
const [directory, event, count, body] = process.argv.slice(1);
const { run } = require(path.join(directory, "hook.cjs"));
if (typeof run !== "function") process.exit(3);
const { writeSync } = fs;
fs.writeSync = (fd, bytes, ...rest) => (fd > 2 ? writeSync(fd, bytes, ...rest) : bytes.length);
const bundle = path.join(directory, "sekisho.cjs");
for (let at = 0; at < Number(count); at++) run({ args: [event, "harmless"], bundle, body });
`;

/** The program closes a segment that is larger than this. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
const RECORD_BYTES = 2048;
const BATCH = 200;

export function fillSegment(client) {
  const before = newestSegment(client.project).name;
  const pad = "x".repeat(690);
  const body = JSON.stringify({
    ...{ session_id: FILLERS[client.project], cwd: client.project, permission_mode: "default" },
    ...{ hook_event_name: "PreToolUse", tool_name: "Read" },
    tool_input: { file_path: "README.md", one: pad, two: pad, three: pad.slice(300) },
  });
  for (let rounds = 0; rounds < 100; rounds++) {
    const { name, bytes } = newestSegment(client.project);
    if (name !== before) return;
    // Stops close to the limit, so that hardly any filler gets into the next segment.
    const left = Math.floor((SEGMENT_BYTES - bytes) / RECORD_BYTES);
    sendMany(client, body, Math.max(1, Math.min(BATCH, left)));
  }
  throw new Error("The segment was not closed.");
}

function sendMany(client, body, count) {
  client.wait(1);
  const clock = new URL("clock.cjs", import.meta.url).pathname;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--require", clock, "-e", DRIVER, dirname(PROGRAM), "PreToolUse", String(count), body],
    {
      cwd: client.project,
      env: { ...environment(client.project), SEKISHO_FIXTURE_NOW: String(client.now) },
      encoding: "utf8",
    },
  );
  if (status === 0) return;
  // A build without hook.cjs takes one process per event.
  if (status !== 3 && !/Cannot find module/.test(stderr)) throw new Error(`The filler ended with ${status}: ${stderr}`);
  for (let at = 0; at < count; at++) client.send("PreToolUse", JSON.parse(body));
}

function newestSegment(project) {
  const directory = journalOf(project);
  const names = readdirSync(directory).filter((name) => name.startsWith("journal."));
  const name = names.sort().at(-1) ?? "";
  return { name, bytes: statSync(join(directory, name)).size };
}
