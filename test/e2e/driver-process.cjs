/**
 * The child process of driver.ts: answers events and commands one after another. Each gets fresh modules, its own
 * environment and working directory, as in a new process; only compiled code is shared.
 */
const fs = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

const { launcher, hook, commands } = JSON.parse(process.argv[2]);
const directory = dirname(launcher);
const requireBuiltin = createRequire(launcher);
const compiled = new Map();

function compile(path) {
  const known = compiled.get(path);
  if (known) return known;
  const source = fs.readFileSync(path, "utf8");
  const text = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(text, { filename: path });
  compiled.set(path, script);
  return script;
}

/** A `require` that loads each bundle anew. `replaced` overrides modules of Node. */
function freshModules(replaced) {
  const modules = new Map();
  return function load(name) {
    if (!name.startsWith("./")) return replaced[name.replace(/^node:/, "")] ?? requireBuiltin(name);
    const path = join(directory, name);
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const run = compile(path).runInThisContext();
    run.call(module.exports, module.exports, load, module, path, directory);
    return module.exports;
  };
}

function enter({ cwd, env }) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
}

let said = { 1: "", 2: "" };
const opened = new Set();

/** Captures the output, and remembers open files: no process exits here and closes them. */
const watchedFiles = {
  ...fs,
  writeSync(fd, bytes, ...rest) {
    if (fd !== 1 && fd !== 2) return fs.writeSync(fd, bytes, ...rest);
    said[fd] += bytes.toString();
    return bytes.length;
  },
  openSync(...args) {
    const fd = fs.openSync(...args);
    opened.add(fd);
    return fd;
  },
  closeSync(fd) {
    opened.delete(fd);
    fs.closeSync(fd);
  },
};

function leave() {
  for (const fd of opened) fs.closeSync(fd);
  opened.clear();
}

const shared = freshModules({ fs: watchedFiles });

function answerEvent({ args, body, isShared }) {
  const load = isShared ? shared : freshModules({ fs: watchedFiles });
  const before = Error.stackTraceLimit;
  // The launcher sets this too.
  Error.stackTraceLimit = 0;
  try {
    return load(hook).run({ args, bundle: launcher, body: Buffer.from(body, "base64").toString() });
  } finally {
    Error.stackTraceLimit = before;
  }
}

const STREAMS = { stdout: 1, stderr: 2 };

async function runCommand({ args }) {
  const written = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const [name, fd] of Object.entries(STREAMS)) {
    process[name].write = (chunk, ...rest) => {
      said[fd] += chunk.toString();
      rest.find((one) => typeof one === "function")?.();
      return true;
    };
  }
  try {
    process.exitCode = 0;
    await freshModules({ fs: watchedFiles })(commands).main(args, launcher);
    return process.exitCode;
  } finally {
    for (const name of Object.keys(STREAMS)) {
      process[name].write = written[name];
      process[name].removeAllListeners("error");
    }
    process.exitCode = 0;
  }
}

process.on("disconnect", () => process.exit(0));
process.on("message", async (request) => {
  said = { 1: "", 2: "" };
  try {
    enter(request);
    const code = request.body === undefined ? await runCommand(request) : answerEvent(request);
    process.send({ code, stdout: said[1], stderr: said[2] });
  } catch (error) {
    process.send({ problem: String(error?.stack ?? error) });
  } finally {
    leave();
  }
});
