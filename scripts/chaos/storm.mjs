/**
 * Many writers are killed and replaced at random, while one process prunes and others read; then the records are
 * counted.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parts } from "./parts.mjs";

const WORKER = join(import.meta.dirname, "worker.mjs");
const KILL_EVERY_MS = 60;
const GRACE_MS = 10_000;

export async function storm({ home, program, seconds, writers }) {
  const place = { directory: join(home, "state"), archive: join(home, "archive"), logs: join(home, "logs") };
  for (const directory of [place.archive, place.logs]) fs.mkdirSync(directory);
  const told = await rage({ ...place, program, seconds, writers });
  const store = createRequire(import.meta.url)(program);
  const said = readLogs(place.logs);
  const history = [...store.openJournal({ directory: place.archive }).records()];
  return [
    { what: "storm: writers, seconds, SIGKILLs", found: `${writers}, ${seconds}, ${told.kills}` },
    ...countAcknowledged(said, history),
    ...countReaders(said, history, store),
    ...countBlocked(said, told),
    ...compareReaders(store, place, home),
    ...checkSeals(store, place),
  ];
}

async function rage({ directory, archive, logs, program, seconds, writers }) {
  const until = Date.now() + seconds * 1000;
  const running = new Map();
  let started = 0;
  const start = (role) => {
    const log = join(logs, `${role}-${++started}`);
    const child = spawn(process.execPath, [WORKER, program, role, directory, log, String(until)], {
      stdio: "inherit",
      env: { ...process.env, NODE_EXTRA_CA_CERTS: "" },
    });
    running.set(child, role);
    child.on("exit", () => running.delete(child));
  };
  for (const role of [...Array(writers).fill("write"), "read", "read", "prune"]) start(role);
  let kills = 0;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, KILL_EVERY_MS));
    keepCopies(directory, archive);
    const [child, role] = [...running][Math.floor(Math.random() * running.size)] ?? [];
    if (!child || Date.now() > until - 500) continue;
    child.kill("SIGKILL");
    kills++;
    start(role);
  }
  const end = Date.now() + GRACE_MS;
  while (running.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  const stuck = running.size;
  for (const child of running.keys()) child.kill("SIGKILL");
  keepCopies(directory, archive);
  return { kills, stuck };
}

/** Hard-links each segment into an archive, so that pruned records can still be counted. */
function keepCopies(directory, archive) {
  if (!fs.existsSync(directory)) return;
  for (const name of fs.readdirSync(directory).filter((name) => name.startsWith("journal."))) {
    if (fs.existsSync(join(archive, name))) continue;
    try {
      fs.linkSync(join(directory, name), join(archive, name));
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
}

function readLogs(logs) {
  const lines = fs.readdirSync(logs).flatMap((name) => fs.readFileSync(join(logs, name), "utf8").split("\n"));
  const of = (word) => lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(" ").slice(1));
  return {
    kept: of("kept").map(([rid, before, after, ms]) => ({ rid, before: +before, after: +after, ms: +ms })),
    saw: of("saw").map(([ordinal, digest]) => ({ ordinal: Number(ordinal), digest })),
    dropped: of("dropped").reduce((sum, [count]) => sum + Number(count), 0),
    faults: of("fault").map((words) => words.join(" ")),
  };
}

function countAcknowledged({ kept, faults, dropped }, history) {
  const times = new Map();
  for (const { rid } of history) times.set(rid, (times.get(rid) ?? 0) + 1);
  const place = new Map(history.map(({ rid }, index) => [rid, index + 1]));
  const lost = kept.filter(({ rid }) => !times.has(rid)).length;
  const doubled = [...times.values()].filter((count) => count > 1).length;
  const wrong = kept.filter(({ rid, before, after }) => place.get(rid) !== after || before !== after - 1).length;
  return [
    {
      what: "records acknowledged / in the journal",
      found: `${kept.length} / ${history.length}`,
      holds: kept.length > 0,
    },
    { what: "acknowledged and lost", found: lost, holds: lost === 0 },
    { what: "in the journal twice", found: doubled, holds: doubled === 0 },
    { what: "acknowledged with a wrong ordinal", found: wrong, holds: wrong === 0 },
    { what: "faults where there should be none", found: faults[0] ?? 0, holds: faults.length === 0 },
    { what: "segments pruned meanwhile", found: dropped, holds: dropped > 0 },
  ];
}

/** Every record of the storm increments a counter, so the counter a reader saw identifies the prefix it had folded. */
function countReaders({ saw }, history, { fold, newState }) {
  const wanted = new Set(saw.map(({ ordinal }) => ordinal));
  const digests = new Map(wanted.has(0) ? [[0, digestOf(newState)]] : []);
  let state = newState;
  for (const [index, record] of history.entries()) {
    state = fold(state, record);
    if (wanted.has(index + 1)) digests.set(index + 1, digestOf(state));
  }
  const wrong = saw.filter(({ ordinal, digest }) => digests.get(ordinal) !== digest).length;
  return [
    { what: "reads meanwhile, of how many prefixes", found: `${saw.length}, ${wanted.size}`, holds: saw.length > 0 },
    { what: "reads that differ from the fold of their prefix", found: wrong, holds: wrong === 0 },
  ];
}

function countBlocked({ kept }, { stuck }) {
  const times = kept.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  return [
    { what: "append: median, 99 %, longest (ms)", found: `${at(0.5)}, ${at(0.99)}, ${at(1)}`, holds: at(1) < 5000 },
    { what: "processes that did not come to an end", found: stuck, holds: stuck === 0 },
  ];
}

/** Readers that start at genesis, at each snapshot, or at the default place must reach the same state. */
function compareReaders({ openJournal }, { directory, archive }, home) {
  const snapshots = fs.readdirSync(directory).filter((name) => /^snap\.\d/.test(name));
  const places = [
    directory,
    archive,
    ...snapshots.map((name) => copyWith(directory, name, join(home, `only-${name}`))),
  ];
  const states = new Set(places.map((place) => digestOf(openJournal({ directory: place }).read())));
  return [
    {
      what: "readers: as usual, from genesis, from each snapshot",
      found: `${places.length} readers, ${states.size} state(s)`,
      holds: states.size === 1 && snapshots.length === 2,
    },
  ];
}

function copyWith(directory, snapshot, copy) {
  fs.cpSync(directory, copy, { recursive: true, filter: (path) => !/snap\./.test(path) || path.endsWith(snapshot) });
  return copy;
}

/** Recomputes the seal chain from the raw bytes and compares it with the recorded seals and with `verify`. */
function checkSeals({ openJournal }, { directory, archive }) {
  const live = openJournal({ directory, parts }).verify();
  const whole = openJournal({ directory: archive }).verify();
  let seal = "0".repeat(64);
  let sealed = 0;
  let wrong = 0;
  const recorded = recordedSeals(archive);
  for (const name of fs.readdirSync(archive).sort()) {
    const expected = recorded.get(Number(name.slice(8, 16)));
    if (expected === undefined) continue;
    const bytes = fs.readFileSync(join(archive, name));
    seal = createHash("sha256")
      .update(seal)
      .update(bytes.subarray(0, endOf(bytes)))
      .digest("hex");
    sealed++;
    if (seal !== expected) wrong++;
  }
  const word = ({ integrity, segments }) =>
    `${integrity}, ${segments.length} segments${segments.filter((one) => one.integrity !== "intact").map((one) => `; ${one.segment}: ${one.detail}`)}`;
  return [
    { what: "seals recomputed, wrong", found: `${sealed}, ${wrong}`, holds: sealed > 0 && wrong === 0 },
    {
      what: "verify, with what was pruned",
      found: word(whole),
      holds: ["intact", "damaged"].includes(whole.integrity),
    },
    { what: "verify, as it is now", found: word(live), holds: ["intact", "damaged"].includes(live.integrity) },
    { what: "head of the chain, alike in both", found: live.head.slice(0, 16), holds: live.head === whole.head },
  ];
}

function recordedSeals(archive) {
  const seals = new Map();
  for (const name of fs.readdirSync(archive).sort()) {
    const bytes = fs.readFileSync(join(archive, name));
    for (const line of bytes.subarray(0, endOf(bytes)).toString().split("\n")) {
      if (!line.includes('"kind":"seal"')) continue;
      const { of, hash } = JSON.parse(line.slice(9));
      if (!seals.has(of)) seals.set(of, hash);
    }
  }
  return seals;
}

/** The offset after the first `close` record, or the file length if there is none. */
function endOf(bytes) {
  const close = bytes.indexOf('"kind":"close"');
  return close === -1 ? bytes.length : bytes.indexOf("\n", close) + 1;
}

function digestOf(state) {
  return createHash("sha256").update(JSON.stringify(state)).digest("hex");
}
