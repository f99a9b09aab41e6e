/** Machine faults: each must produce the right error, and no acknowledged record may be missing afterwards. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const canMount = process.geteuid?.() === 0 && process.platform === "linux";
const SMALL = { segmentBytes: 8000, snapshotAfter: 10, snapshotChance: 1, snapshotAlwaysAfter: 10 };

export function storeFaults({ home, program }) {
  const { openJournal } = createRequire(import.meta.url)(program);
  const trial = (name) => {
    const directory = join(home, name);
    fs.mkdirSync(directory, { mode: 0o700 });
    return { directory, open: () => openJournal({ directory, limits: SMALL }) };
  };
  return [
    ...full(trial("full"), program),
    ...readOnly(trial("read-only")),
    ...corruptSnapshot(trial("corrupt-snapshot")),
    ...tornLine(trial("torn-line")),
  ];
}

function append(store, text) {
  return store.append({ kind: "fault", event: "e", session: "s", where: "chaos", message: text }, Date.now());
}

function fill(store, count) {
  return Array.from({ length: count }, (_, index) => append(store, `m${index}`)).map(({ rid }) => rid);
}

/** Counts acknowledged records that are missing from the store. */
function missing(store, rids) {
  const there = new Set([...store.records()].map(({ rid }) => rid));
  return rids.filter((rid) => !there.has(rid)).length;
}

function afterwards(name, { open }, rids) {
  const after = append(open(), "after the repair");
  const lost = missing(open(), [...rids, after.rid]);
  const { faults } = open().read();
  return {
    what: `${name}: after the repair`,
    found: `${rids.length + 1} acknowledged, ${lost} missing, state counts ${faults}`,
    holds: !after.fault && lost === 0 && faults === rids.length + 1,
  };
}

function full(trial, program) {
  const { directory, open } = trial;
  if (!canMount) return fullByLimit(trial, program);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", directory]);
  try {
    const store = open();
    const rids = [];
    let last = append(store, "x".repeat(700));
    for (; !last.fault; last = append(store, "x".repeat(700))) rids.push(last.rid);
    const row = { what: "full disk (tmpfs)", found: `${last.code} after ${rids.length}`, holds: last.code === "full" };
    execFileSync("mount", ["-o", "remount,size=256k", directory]);
    return [row, afterwards("full disk", trial, rids)];
  } finally {
    execFileSync("umount", ["-l", directory]);
  }
}

/** Without permission to mount, a file size limit produces the same kind of error. */
function fullByLimit(trial, program) {
  const code = `const store = require(${JSON.stringify(program)}).openJournal({ directory: ${JSON.stringify(trial.directory)} });
    for (;;) {
      const kept = store.append({ kind: "fault", event: "e", session: "s", where: "w", message: "x".repeat(700) }, 1);
      console.log(kept.code ?? kept.rid);
      if (kept.fault) break;
    }`;
  const output = execFileSync("bash", ["-c", 'ulimit -f 64; exec "$0" -e "$1"', process.execPath, code], {
    encoding: "utf8",
  });
  const words = output.trim().split("\n");
  const word = words.pop();
  return [
    { what: "full disk (ulimit)", found: `${word} after ${words.length}`, holds: word === "full" },
    afterwards("full disk", trial, words),
  ];
}

function readOnly(trial) {
  const { directory, open } = trial;
  if (canMount) execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", directory]);
  const set = (on) =>
    canMount ? execFileSync("mount", ["-o", `remount,${on ? "ro" : "rw"}`, directory]) : protect(directory, on);
  try {
    const writer = open();
    const rids = fill(writer, 30);
    writer.close();
    set(true);
    const reader = open();
    const state = reader.read();
    const refused = append(reader, "no");
    reader.close();
    set(false);
    const found = `reads ${state.faults}, append says ${refused.code}`;
    return [
      { what: "read-only directory", found, holds: state.faults === 30 && refused.code === "read-only" },
      afterwards("read-only directory", trial, rids),
    ];
  } finally {
    if (canMount) execFileSync("umount", ["-l", directory]);
  }
}

function protect(directory, on) {
  for (const name of fs.readdirSync(directory)) fs.chmodSync(join(directory, name), on ? 0o400 : 0o600);
  fs.chmodSync(directory, on ? 0o500 : 0o700);
}

function corruptSnapshot(trial) {
  const { directory, open } = trial;
  const rids = fill(open(), 100);
  const snapshots = fs.readdirSync(directory).filter((name) => name.startsWith("snap."));
  for (const name of snapshots) {
    const bytes = fs.readFileSync(join(directory, name));
    bytes.fill(0, Math.floor(bytes.length / 2));
    fs.writeFileSync(join(directory, name), bytes);
  }
  const { faults } = open().read();
  return [
    {
      what: "corrupt snapshots",
      found: `${snapshots.length}, reads ${faults}`,
      holds: snapshots.length === 2 && faults === 100,
    },
    afterwards("corrupt snapshots", trial, rids),
  ];
}

function tornLine(trial) {
  const { directory, open } = trial;
  const rids = fill(open(), 20);
  const last = fs
    .readdirSync(directory)
    .filter((name) => name.startsWith("journal."))
    .sort()
    .at(-1);
  const line = fs.readFileSync(join(directory, last)).subarray(-100, -30);
  fs.appendFileSync(join(directory, last), `\n${line}`);
  const { faults } = open().read();
  const { integrity } = open().verify();
  const row = {
    what: "torn last line",
    found: `reads ${faults}, verify says ${integrity}`,
    holds: faults === 20 && integrity === "truncated",
  };
  const repaired = afterwards("torn last line", trial, rids);
  const word = open().verify().integrity;
  return [row, repaired, { what: "torn last line: passed over and counted", found: word, holds: word === "damaged" }];
}
