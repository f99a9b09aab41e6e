/**
 * Plants secrets in a project through every way into the program, and lists those that can be read in its state
 * directory afterwards.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { KINDS, maker } from "./kinds.mjs";

/** A project, a home and a state directory below `root`; `program` is the built `sekisho.cjs`. */
export function openGround(root, program) {
  const project = join(root, "project");
  const state = join(root, "state");
  for (const path of [project, join(root, "home")]) mkdirSync(path, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: join(root, "home"),
    XDG_STATE_HOME: state,
    CLAUDE_PID: String(process.pid),
    CLAUDE_PROJECT_DIR: project,
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  spawnSync("git", ["init", "--quiet", project], { env });
  const run = (args, input, more = {}) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: project,
      env: { ...env, ...more },
      input,
      encoding: "utf8",
    });
  let calls = 0;
  return {
    project,
    state: join(state, "sekisho"),
    write(path, content) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), content);
    },
    remove: (path) => rmSync(join(project, path), { recursive: true, force: true }),
    send(event, fields, more) {
      const common = { session_id: "s1", cwd: project, permission_mode: "default", hook_event_name: event };
      return run(["hook", event], JSON.stringify({ ...common, ...fields }), more);
    },
    sendText: (event, text) => run(["hook", event], text),
    /** A tool call from its gate to its end. */
    use(tool, input, response = {}) {
      const fields = { tool_name: tool, tool_input: input, tool_use_id: `call-${++calls}` };
      this.send("PreToolUse", fields);
      this.send("PostToolUse", { ...fields, tool_response: response });
    },
    command: (...args) => run(args, ""),
  };
}

const OLD = "const a = 1;";

/** Each way in: how it plants one text, and which kinds can come that way. */
const WAYS = {
  command: (ground, text) => ground.use("Bash", { command: text, description: "Run it" }, { stdout: text }),
  "refused command": (ground, text) => ground.use("Bash", { command: `${text}; rm -rf / --no-preserve-root` }),
  "asked command": (ground, text) => ground.use("Bash", { command: `${text} && git branch -D old` }),
  "check command": (ground, text) => ground.use("Bash", { command: `${text} && npm test` }),
  "file content": (ground, text) => ground.use("Write", { file_path: join(ground.project, "x.txt"), content: text }),
  "edited text": (ground, text) =>
    ground.use("Edit", { file_path: join(ground.project, "x.js"), old_string: OLD, new_string: text }),
  prompt: (ground, text) => {
    ground.send("UserPromptSubmit", { prompt: `persistent: finish this. ${text}` });
    ground.send("UserPromptSubmit", { prompt: "cancel" });
  },
  "tool response": (ground, text) => ground.use("Read", { file_path: join(ground.project, "a") }, { content: text }),
  error: (ground, text) =>
    ground.send("PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: { command: "x" },
      tool_use_id: "e1",
      error: text,
    }),
  "unreadable event": (ground, text) => ground.sendText("PreToolUse", `{"session_id":"s1","tool_input":"${text}`),
  "MCP text": (ground, text) => ground.use("mcp__lab__run", { command: text, note: [text] }, { result: text }),
  "task subject": (ground, text) =>
    ground.send("TaskCompleted", { task_id: "1", task_subject: text, task_description: text }),
  "scheduled prompt": (ground, text) => ground.use("CronCreate", { cron: "* * * * *", prompt: text, recurring: true }),
  "agent prompt": (ground, text) => ground.use("Agent", { prompt: text, subagent_type: "reviewer", description: text }),
  handover: (ground, text) => {
    const transcript = join(ground.project, "t.jsonl");
    writeFileSync(transcript, `${JSON.stringify({ type: "user", message: { role: "user", content: text } })}\n`);
    ground.send("PreCompact", { trigger: "auto", transcript_path: transcript, custom_instructions: "" });
  },
  settings: (ground, text) => {
    ground.write(
      ".sekisho/config.yaml",
      `verify:\n  commands:\n    test: ${JSON.stringify(text)}\n# ${text.split("\n")[0]}\n`,
    );
    ground.send("SessionStart", { source: "startup" });
    ground.send("UserPromptSubmit", { prompt: "go on" });
    ground.remove(".sekisho");
  },
  undo: (ground, text) => {
    ground.write("notes/plain.txt", "ordinary\n");
    ground.write("notes/data.txt", text);
    ground.use("Bash", { command: "rm -rf notes" });
    ground.remove("notes");
  },
};

/** Ways that take the secret itself. */
const BARE_WAYS = {
  path: (ground, secret) => {
    ground.write(`keys/${secret}/x.txt`, "ordinary\n");
    ground.use("Write", { file_path: join(ground.project, "keys", secret, "y.js"), content: OLD });
    ground.use("Bash", { command: `rm -rf keys/${secret}` });
    ground.send("PreToolUse", {
      cwd: join(ground.project, "keys", secret),
      tool_name: "Bash",
      tool_input: { command: "git branch -D old" },
      tool_use_id: "p1",
    });
    ground.remove("keys");
  },
};

const NAMED_WAYS = {
  "MCP key": (ground, secret) =>
    ground.use("mcp__lab__login", { user: "me", password: secret, env: [{ name: "API_KEY", value: secret }] }),
  "MCP argument pair": (ground, secret) =>
    ground.use("mcp__lab__exec", { program: "deploy", args: ["--host", "x", "--password", secret, "-v"] }),
  "MCP arguments of a program": (ground, secret) =>
    ground.use("mcp__lab__exec", { argv: ["docker", "login", "-u", "me", "-p", secret] }),
  environment: (ground, secret) =>
    ground.send(
      "SessionStart",
      { source: "startup" },
      { API_TOKEN: secret, ANTHROPIC_API_KEY: secret, DB_PASSWORD: secret },
    ),
  "host settings": (ground, secret) => {
    ground.write(".claude/settings.json", JSON.stringify({ env: { API_TOKEN: secret } }));
    ground.send("SessionStart", { source: "startup" });
    ground.remove(".claude");
  },
};

/** The ways for one kind; a line of a shell can also be refused, asked about or run before a check. */
function waysFor(kind, at) {
  const lines = ["command", "refused command", "asked command", "check command"];
  const texts = Object.keys(WAYS).filter((way) => !lines.includes(way) && way !== "undo");
  const some = [0, 5, 10].map((step) => texts[(at + step) % texts.length]);
  const own = kind.is === "text" ? [] : ["command", lines[1 + (at % 3)]];
  return [...new Set([...own, ...some, ...(at % 2 === 0 ? ["undo"] : [])])];
}

/** Plants everything; `part` of 1 plants all kinds, 4 every fourth. */
export function plantAll(ground, { part = 1, seed = 1 } = {}) {
  const m = maker(seed);
  const planted = [];
  const plant = (kind, way, secret, put) => {
    put();
    planted.push({ kind, way, secret });
  };
  ground.send("SessionStart", { source: "startup" });
  for (const [at, kind] of KINDS.entries()) {
    if (at % part !== 0) continue;
    for (const [turn, way] of waysFor(kind, at).entries()) {
      const secret = kind.make(m);
      const text = kind.texts[turn % kind.texts.length](secret);
      plant(kind.kind, way, secret, () => WAYS[way](ground, text));
    }
    if (kind.is === "token") {
      const secret = kind.make(m);
      if (!secret.includes("/")) plant(kind.kind, "path", secret, () => BARE_WAYS.path(ground, secret));
    }
  }
  for (const [way, put] of Object.entries(NAMED_WAYS)) {
    const secret = m.word(20);
    plant("named value", way, secret, () => put(ground, secret));
  }
  ground.send("Stop", { last_assistant_message: "done" });
  ground.send("SessionEnd", { reason: "other" });
  return planted;
}

/** The planted secrets that some file of the state directory holds, whole or in a telling part. */
export function readable(ground, planted) {
  const files = readdirSync(ground.state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(ground.state, "code-cache")));
  const texts = files.map((path) => [path, `${path}\n${readFileSync(path, "latin1")}`]);
  return planted.flatMap((one) => {
    const parts = [one.secret, ...(one.secret.length > 24 ? [one.secret.slice(0, 16), one.secret.slice(-12)] : [])];
    const found = texts.find(([, text]) => parts.some((part) => text.includes(part)));
    return found ? [{ ...one, file: found[0] }] : [];
  });
}
