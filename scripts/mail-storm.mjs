/**
 * Many senders at once, each a process that sends one message after the other, while senders and parts of the daemon are
 * killed. A killed sender is started again and sends its unanswered message once more, with the same id.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const TO = "lead";
/** One of so many is too long for a record. */
const LONG_EVERY = 200;

export function idOf(writer, n) {
  return `w${writer}-${String(n).padStart(4, "0")}`;
}

/** The id stands at both ends, so that half a text is noticed. */
export function textOf(id) {
  const [writer, n] = id.slice(1).split("-").map(Number);
  const isLong = (n + 9 * writer) % LONG_EVERY === 7;
  return `${id} ${"report ".repeat(isLong ? 500 : 5)}${id}`;
}

/**
 * `kills`: how many senders, workers and supervisors to kill, at random. Returns the acknowledged ids by writer, the
 * milliseconds of each answer, those of the first answer of each process, and the seconds of the whole.
 */
export async function mailStorm({ node, bundle, project, env, writers, each, kills, random = Math.random }) {
  const state = join(env.XDG_STATE_HOME ?? join(env.HOME, ".local", "state"), "sekisho", "gatehouse", "run.json");
  const supervisor = () => JSON.parse(readFileSync(state, "utf8")).pid;
  const all = Array.from({ length: writers }, (_, writer) => ({
    ...{ writer, n: 0, acknowledged: [], answers: [], firsts: [], kills: 0 },
    child: undefined,
  }));
  const total = writers * each;
  const count = () => all.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const due = plan(kills, total, random);
  const killed = { sender: 0, worker: 0, supervisor: 0 };
  const starts = [];
  const strike = () => {
    while (due.length > 0 && due[0].at <= count()) {
      const { what } = due.shift();
      killed[what]++;
      if (what === "sender") {
        const alive = all.filter(({ child, n }) => child && n < each);
        alive[Math.floor(random() * alive.length)]?.child.kill("SIGKILL");
      } else if (what === "worker") childrenOf(supervisor()).forEach((pid) => void process.kill(pid, "SIGKILL"));
      else {
        process.kill(supervisor(), "SIGKILL");
        // As a session's next turn does.
        const up = spawn(node, [bundle, "up"], { env, cwd: project, stdio: "ignore" });
        starts.push(new Promise((resolve) => up.once("exit", resolve)));
      }
    }
  };
  // The clock starts when every sender has had its first answer: how long processes take to start is another subject.
  let started = 0;
  const begun = gate(writers, () => (started = performance.now()));
  await Promise.all(all.map((one) => run(one, { node, bundle, project, env, each, strike, begun })));
  const seconds = (performance.now() - started) / 1000;
  // A daemon that came up after the caller stopped it would write into directories that are removed.
  await Promise.all(starts);
  return {
    seconds,
    killed,
    acknowledged: all.map(({ acknowledged }) => acknowledged),
    answers: all.flatMap(({ answers }) => answers),
    firsts: all.flatMap(({ firsts }) => firsts),
  };
}

/** Resolves for everybody when all have come. */
function gate(count, onOpen) {
  let missing = count;
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return () => {
    if (--missing === 0) {
      onOpen();
      open();
    }
    return opened;
  };
}

/** At which number of answers what is killed. */
function plan(kills, total, random) {
  const one = (what) => ({ what, at: Math.floor((0.1 + 0.8 * random()) * total) });
  const many = Object.entries(kills).flatMap(([what, times]) => Array.from({ length: times }, () => one(what)));
  return many.sort((a, b) => a.at - b.at);
}

async function run(one, stage) {
  while (one.n < stage.each) await once(one, stage);
}

/** One process, until it is killed or done. */
function once(one, { node, bundle, project, env, each, strike, begun }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [bundle, "inbox", "send", "--stdin"], { cwd: project, env });
    one.child = child;
    let sent = performance.now();
    let isFirst = true;
    let [rest, errors] = ["", ""];
    const next = () => {
      if (one.n >= each) {
        child.stdin.end();
        return;
      }
      const id = idOf(one.writer, one.n);
      sent = performance.now();
      child.stdin.write(`${JSON.stringify({ to: TO, id, text: textOf(id) })}\n`);
    };
    child.stdin.on("error", () => undefined);
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.stdout.on("data", (data) => {
      const lines = `${rest}${data}`.split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const answer = JSON.parse(line);
        if (answer.problem) return reject(new Error(answer.problem));
        (isFirst ? one.firsts : one.answers).push(performance.now() - sent);
        isFirst = false;
        one.acknowledged.push(answer.sent[0].id);
        one.n++;
        strike();
        if (one.n === 1) void begun().then(next);
        else next();
      }
    });
    child.on("close", (code, signal) => {
      one.child = undefined;
      if (code === 0 || signal === "SIGKILL") resolve();
      else reject(new Error(`a sender ended with ${code ?? signal}: ${errors}`));
    });
    next();
  });
}

function childrenOf(pid) {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number(line)]));
}

/** What is wrong with the messages of the journal, as sentences; none if all is well. */
export function losses(acknowledged, records, letters) {
  const stored = records.filter(({ kind }) => kind === "message").map(({ id }) => id);
  const there = new Set(letters.map(({ id }) => id));
  const inOrder = (writer) => {
    const own = letters.filter(({ id }) => id.startsWith(`w${writer}-`)).map(({ id }) => id);
    return own.join() === [...own].sort().join();
  };
  return [
    ...acknowledged
      .flat()
      .filter((id) => !there.has(id))
      .map((id) => `${id} was acknowledged and is not there`),
    ...acknowledged
      .flat()
      .filter((id, at, ids) => ids.indexOf(id) !== at)
      .map((id) => `${id} was acknowledged twice`),
    ...stored.filter((id, at) => stored.indexOf(id) !== at).map((id) => `${id} is stored twice`),
    ...(there.size === letters.length ? [] : ["a message counts twice"]),
    ...acknowledged.flatMap((_, writer) =>
      inOrder(writer) ? [] : [`the messages of writer ${writer} are out of order`],
    ),
    ...letters.filter(({ id, text }) => text !== textOf(id)).map(({ id }) => `${id} is not whole`),
  ];
}
