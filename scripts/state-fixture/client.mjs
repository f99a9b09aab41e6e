/** Plays Claude Code and its user: sends events to the hooks, runs commands, and sets the clock. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment, HOME, PROJECT, ROOT, runProgram, sendEvent } from "./place.mjs";

const PAYLOADS = join(import.meta.dirname, "..", "..", "test", "payloads");
/** Tools that the client sends to the second PreToolUse hook, the one for tools that change nothing. */
const HARMLESS = /^(Read|Glob|Grep|Skill|AskUserQuestion|CronCreate|SendMessage|Task\w*|Agent|ToolSearch|TodoWrite)$/;
const SECOND = 1000;

export class Client {
  #now;
  #calls = 0;

  constructor(now, project = PROJECT) {
    this.#now = now;
    this.project = project;
  }

  get now() {
    return this.#now;
  }

  wait(seconds) {
    this.#now += seconds * SECOND;
  }

  /** Sends one event. Every event takes a second. */
  send(event, fields = {}, options = {}) {
    this.wait(1);
    const harmless = HARMLESS.test(fields.tool_name ?? "");
    return sendEvent(event, fields, { now: this.#now, project: this.project, harmless, ...options });
  }

  /** Sends an event recorded from the real host, with the session and the paths of this project. */
  replay(event, file = event, fields = {}) {
    const recorded = JSON.parse(readFileSync(join(PAYLOADS, `${file}.json`), "utf8"));
    const here = { session_id: "s-main", cwd: this.project, transcript_path: `${ROOT}/none.jsonl` };
    return this.send(event, { ...recorded, ...here, ...fields });
  }

  /** Sends the PreToolUse event of a tool call. Returns the answer, and the call for the events that follow. */
  gate(tool, input, fields = {}) {
    const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++this.#calls}`, ...fields };
    return { call, answer: this.send("PreToolUse", call) };
  }

  /** A tool call that succeeds: PreToolUse, then `effect`, then PostToolUse. */
  use(tool, input, { fields = {}, effect, response = { success: true } } = {}) {
    const { call, answer } = this.gate(tool, input, fields);
    if (answer.code !== 0) throw new Error(`${tool} ${JSON.stringify(input)} was blocked: ${answer.stderr}`);
    effect?.();
    const outcome = this.send("PostToolUse", { ...call, tool_response: response });
    if (outcome.code === 0 && outcome.stderr === "") return outcome;
    throw new Error(`The PostToolUse of ${tool} ended with ${outcome.code}: ${outcome.stderr}`);
  }

  bash(command, options) {
    return this.use("Bash", { command }, { response: { stdout: "", stderr: "", interrupted: false }, ...options });
  }

  failingBash(command, error = "Exit code 1\nfailed", fields = {}) {
    const { call } = this.gate("Bash", { command }, fields);
    return this.send("PostToolUseFailure", { ...call, error, is_interrupt: false });
  }

  edit(name, content, fields = {}) {
    const input = { file_path: `${this.project}/${name}`, content };
    return this.use("Write", input, { fields, effect: () => this.write(name, content) });
  }

  prompt(prompt, fields = {}) {
    return this.send("UserPromptSubmit", { prompt, ...fields });
  }

  stop(fields = {}) {
    const quiet = {
      stop_hook_active: false,
      last_assistant_message: "So far.",
      background_tasks: [],
      session_crons: [],
    };
    return this.send("Stop", { ...quiet, ...fields });
  }

  /** Runs a command of the program as its user would in a terminal. Throws on an exit code not in `codes`. */
  person(args, { codes = [0], input = "", env } = {}) {
    this.wait(1);
    const answer = runProgram(args, { now: this.#now, project: this.project, input, ...(env && { env }) });
    if (codes.includes(answer.code)) return answer.stdout;
    throw new Error(`sekisho ${args.join(" ")} ended with ${answer.code}: ${answer.stderr || answer.stdout}`);
  }

  /** Runs a command of the program in the shell of the agent. */
  agentShell(args, options) {
    return this.person(args, { ...options, env: { CLAUDECODE: "1" } });
  }

  /** The id of the newest audit entry of a kind. */
  newest(kind) {
    const line = this.person(["audit", "--json", "--kind", kind, "--tail", "1"]).trim();
    if (line === "") throw new Error(`The audit has no ${kind}.`);
    return JSON.parse(line).id;
  }

  write(name, content, mode = 0o644) {
    const path = join(this.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    chmodSync(path, mode);
    utimesSync(path, this.#now / SECOND, this.#now / SECOND);
  }

  remove(name) {
    rmSync(join(this.project, name), { recursive: true, force: true });
  }

  git(...args) {
    const { status, stderr } = spawnSync("git", args, {
      cwd: this.project,
      env: environment(this.project),
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  }
}

/** Creates a git repository with one commit. */
export function makeProject(client, files) {
  for (const directory of [client.project, HOME, `${ROOT}/tmp`]) mkdirSync(directory, { recursive: true });
  client.git("init", "--quiet", "--template=", "--initial-branch", "work");
  for (const [name, content] of Object.entries(files)) client.write(name, content);
  client.git("add", "--all");
  client.git("commit", "--quiet", "--message", "begin");
}
