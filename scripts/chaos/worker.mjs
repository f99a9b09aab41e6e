/**
 * A process of the storm: `node worker.mjs <program> <role> <directory> <log> <until>`. Each acknowledged result goes
 * to the worker's own log in a single write before it continues, so a kill cannot undo it.
 */
import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { parts } from "./parts.mjs";

const [program, role, directory, log, until] = process.argv.slice(2);
const { openJournal } = createRequire(import.meta.url)(program);
const limits = {
  segmentBytes: 60_000,
  snapshotAfter: 100,
  snapshotChance: 1 / 8,
  snapshotAlwaysAfter: 400,
  partTailBytes: 20_000,
};
const file = openSync(log, "a");
const open = () => openJournal({ directory, limits, parts });
const ordinalOf = (state) => state.sessions.chaos?.refusals.storm ?? 0;
const needs = () => (Math.random() < 0.5 ? ["storm"] : []);
const isOver = () => Date.now() > Number(until);
const pause = new Int32Array(new SharedArrayBuffer(4));

function checkPart(state) {
  if (state.storm === undefined || state.storm.count === ordinalOf(state)) return;
  tell("fault", "part", `counts ${state.storm.count}, the state ${ordinalOf(state)}`);
}

function tell(...words) {
  writeSync(file, `${words.join(" ")}\n`);
}

/** Some writers keep one store open, like a daemon; others open a new store for most records, like a hook. */
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
    const kept = store.append(body, Date.now(), { durable: Math.random() < 0.02, needs: needs() });
    const ms = performance.now() - began;
    if (kept.fault) {
      // A process that waits while the whole journal is pruned; the retention here is seconds.
      tell(/^The record is stored/.test(kept.fault) ? "late" : "fault", kept.code, kept.fault);
      continue;
    }
    tell("kept", kept.rid, ordinalOf(kept.before), ordinalOf(kept.after), ms.toFixed(2));
    for (const state of [kept.before, kept.after]) checkPart(state);
  }
}

function read() {
  const staying = open();
  for (let turn = 0; !isOver(); turn++) {
    const store = turn % 2 === 0 ? staying : open();
    const { storm, ...state } = store.read(needs());
    if (state.fault) tell("fault", state.code, state.fault);
    else checkPart({ storm, ...state });
    if (!state.fault) tell("saw", ordinalOf(state), createHash("sha256").update(JSON.stringify(state)).digest("hex"));
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
