/**
 * One process of the storm: `node worker.mjs <program> <role> <directory> <log> <until>`. What it is told to be true it
 * writes to its own log before it goes on, by one write, so that being killed does not take it back.
 */
import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const [program, role, directory, log, until] = process.argv.slice(2);
const { openJournal } = createRequire(import.meta.url)(program);
const limits = { segmentBytes: 60_000, snapshotAfter: 100, snapshotChance: 1 / 8, snapshotAlwaysAfter: 400 };
const file = openSync(log, "a");
const open = () => openJournal({ directory, limits });
const ordinalOf = (state) => state.sessions.chaos?.refusals.storm ?? 0;
const isOver = () => Date.now() > Number(until);
const pause = new Int32Array(new SharedArrayBuffer(4));

function tell(...words) {
  writeSync(file, `${words.join(" ")}\n`);
}

/** Some stay, like a resident service; some take a new store for most records, like a hook. */
function write() {
  const restartChance = Math.random() ** 4;
  let store = open();
  while (!isOver()) {
    if (Math.random() < restartChance) {
      store.close();
      store = open();
      if (Math.random() < 0.5) store.read();
    }
    const detail = "関".repeat(Math.floor(Math.random() ** 6 * 1500));
    const body = {
      kind: "action",
      action: "storm",
      session: "chaos",
      detail,
      changes: [{ record: "session", do: "refuse-stop", policy: "storm" }],
    };
    const began = performance.now();
    const kept = store.append(body, Date.now(), { durable: Math.random() < 0.02 });
    const ms = performance.now() - began;
    if (kept.fault) tell("fault", kept.code, kept.fault);
    else tell("kept", kept.rid, ordinalOf(kept.before), ordinalOf(kept.after), ms.toFixed(2));
  }
}

function read() {
  const staying = open();
  for (let turn = 0; !isOver(); turn++) {
    const store = turn % 2 === 0 ? staying : open();
    const state = store.read();
    if (state.fault) tell("fault", state.code, state.fault);
    else tell("saw", ordinalOf(state), createHash("sha256").update(JSON.stringify(state)).digest("hex"));
    if (store !== staying) store.close();
    Atomics.wait(pause, 0, 0, 10);
  }
}

function prune() {
  while (!isOver()) {
    const store = open();
    const dropped = store.prune(Date.now(), { maxAgeMs: 1e9, maxBytes: 600_000 });
    if (dropped.fault) tell("fault", dropped.code, dropped.fault);
    else tell("dropped", dropped);
    store.close();
    Atomics.wait(pause, 0, 0, 50);
  }
}

({ write, read, prune })[role]();
