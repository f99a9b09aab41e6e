/** Machine faults, tested through the built hook program. */
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";

const canMount = process.geteuid?.() === 0 && process.platform === "linux";

/** Changes are refused with the cause and a way out, reads and Stop are allowed, and acknowledged records survive. */
export function hookFaults({ home }) {
  const stage = (name) => hookStage(join(home, `hook-${name}`), join(home, "hook-program"));
  return [
    ...fullForHook(stage("full")),
    ...readOnlyForHook(stage("read-only")),
    ...corruptForHook(stage("corrupt-snapshot")),
    ...tornForHook(stage("torn-line")),
    ...misplacedForHook(stage("misplaced")),
  ];
}

/**
 * A separate project with the hook started like the host starts it. The program is copied, because builds may run
 * meanwhile.
 */
function hookStage(root, program) {
  if (!fs.existsSync(program)) fs.cpSync(join(import.meta.dirname, "../../dist"), program, { recursive: true });
  const project = join(root, "project");
  const state = join(root, "state");
  for (const directory of [project, state]) fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    XDG_STATE_HOME: state,
    LANG: "C.UTF-8",
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: String(process.pid),
  };
  const run = (args, input = "") =>
    spawnSync(process.execPath, [join(program, "sekisho.cjs"), ...args], {
      cwd: project,
      env,
      input,
      encoding: "utf8",
    });
  const acknowledged = [];
  const send = (event, fields, gate = []) => {
    const payload = { session_id: "chaos", cwd: project, hook_event_name: event, ...fields };
    return run(["hook", event, ...gate], JSON.stringify(payload));
  };
  /** An allowed change counts as acknowledged, so its record must not be missing later. */
  const change = () => {
    const call = `change-${Math.random().toString(36).slice(2)}`;
    const tool = { tool_name: "Bash", tool_input: { command: `touch ${"x".repeat(300)}` }, tool_use_id: call };
    const answer = send("PreToolUse", tool);
    if (answer.status === 0) acknowledged.push(call);
    return answer;
  };
  const journal = () => {
    const names = fs.readdirSync(join(state, "sekisho")).filter((name) => name !== "code-cache" && name !== "sessions");
    return join(state, "sekisho", names[0]);
  };
  return { state, journal, run, send, change, acknowledged };
}

/** While nothing can be recorded: a change is refused with the cause, Read is allowed, Stop is allowed. */
function shut(name, { send, change }, cause) {
  const { status, stderr } = change();
  const read = send("PreToolUse", { tool_name: "Read", tool_input: { file_path: "x" } }, ["harmless"]).status;
  const stop = send("Stop", { stop_hook_active: false });
  const says = cause.test(stderr) && stderr.includes("sekisho uninstall");
  return {
    what: `hook, ${name}: change, cause told; Read; Stop`,
    found: `${status}, ${says}; ${read}; ${stop.status}${stop.stdout}`,
    holds: status === 2 && says && read === 0 && stop.status === 0 && stop.stdout === "",
  };
}

/** After the repair, changes are allowed again and the audit contains every acknowledged record. */
function mended(name, { run, change, acknowledged }, integrities) {
  const { status } = change();
  const { stdout } = run(["audit", "--json", "--kind", "all", "--tail", "100000"]);
  const lost = acknowledged.filter((call) => !stdout.includes(`"${call}"`)).length;
  const { integrity } = JSON.parse(run(["audit", "verify", "--json"]).stdout);
  return {
    what: `hook, ${name}: after the repair`,
    found: `change ${status}, ${acknowledged.length} acknowledged, ${lost} missing, verify says ${integrity}`,
    holds: status === 0 && lost === 0 && acknowledged.length > 1 && integrities.includes(integrity),
  };
}

function fullForHook(stage) {
  if (!canMount) return [{ what: "hook, full disk", found: "not tried: only root can mount" }];
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", stage.state]);
  try {
    for (let count = 0; count < 5; count++) stage.change();
    const filler = join(stage.state, "filler");
    fillUp(filler);
    // The rest of the last disk page may still hold a record or two.
    for (let count = 0; count < 40 && stage.change().status === 0; count++);
    const row = shut("full disk", stage, /ENOSPC|could not be written whole/);
    fs.rmSync(filler);
    return [row, mended("full disk", stage, ["intact", "damaged"])];
  } finally {
    execFileSync("umount", ["-l", stage.state]);
  }
}

function fillUp(path) {
  const fd = fs.openSync(path, "w");
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096, "x"));
  } catch (error) {
    if (error.code !== "ENOSPC") throw error;
  } finally {
    fs.closeSync(fd);
  }
}

function readOnlyForHook(stage) {
  if (!canMount) return [{ what: "hook, read-only directory", found: "not tried: only root can mount" }];
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", stage.state]);
  try {
    for (let count = 0; count < 5; count++) stage.change();
    execFileSync("mount", ["-o", "remount,ro", stage.state]);
    const row = shut("read-only directory", stage, /EROFS/);
    execFileSync("mount", ["-o", "remount,rw", stage.state]);
    return [row, mended("read-only directory", stage, ["intact"])];
  } finally {
    execFileSync("umount", ["-l", stage.state]);
  }
}

/** A snapshot is only a cache: corrupt snapshots must block nothing and lose nothing. */
function corruptForHook(stage) {
  for (let count = 0; count < 30; count++) stage.change();
  const snapshots = fs.readdirSync(stage.journal()).filter((name) => name.startsWith("snap."));
  for (const name of snapshots) {
    const path = join(stage.journal(), name);
    fs.writeFileSync(path, fs.readFileSync(path).fill(0, 100));
  }
  const { status } = stage.change();
  return [
    {
      what: "hook, corrupt snapshots: a change goes on",
      found: `${snapshots.length}, ${status}`,
      holds: snapshots.length > 0 && status === 0,
    },
    mended("corrupt snapshots", stage, ["intact", "rewritten"]),
  ];
}

function tornForHook(stage) {
  for (let count = 0; count < 5; count++) stage.change();
  const [name] = fs.readdirSync(stage.journal()).filter((file) => file.startsWith("journal."));
  const path = join(stage.journal(), name);
  fs.appendFileSync(path, fs.readFileSync(path).subarray(-120, -40));
  const { integrity } = JSON.parse(stage.run(["audit", "verify", "--json"]).stdout);
  const { status } = stage.change();
  return [
    {
      what: "hook, torn last line: verify, a change goes on",
      found: `${integrity}, ${status}`,
      holds: integrity === "truncated" && status === 0,
    },
    mended("torn last line", stage, ["damaged"]),
  ];
}

/** A file stands where the journal directory belongs. */
function misplacedForHook(stage) {
  for (let count = 0; count < 3; count++) stage.change();
  const directory = stage.journal();
  fs.renameSync(directory, `${stage.state}/aside`);
  fs.writeFileSync(directory, "");
  const row = shut("a file in its place", stage, /ENOTDIR|not a directory/i);
  fs.rmSync(directory);
  fs.renameSync(`${stage.state}/aside`, directory);
  return [row, mended("a file in its place", stage, ["intact"])];
}
