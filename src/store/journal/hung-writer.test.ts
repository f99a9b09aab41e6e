import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { fault, kept } from "../contract.ts";
import { openJournal } from "./archive.ts";
import { newTrial } from "./trial.ts";

const trial = newTrial();

/** Writes records, and stops itself in the middle of one: it is on the disk, and its writer has not folded it yet. */
const HANG = `const fs = require("node:fs"), { writeSync } = fs;
  let writes = 0;
  fs.writeSync = (...given) => {
    const written = writeSync(...given);
    if (++writes === 20) {
      writeSync(1, "hung");
      process.kill(process.pid, "SIGSTOP");
    }
    return written;
  };
  for (let i = 0; i < 1e9; i++) {
    const kept = store.append({ kind: "fault", event: "Stop", session: "s", where: "w", message: "theirs" }, i);
    if (kept.fault) throw new Error(kept.fault);
  }`;

it.each([2000, 1e6])(
  "EH-8 a writer that hangs in the middle of a record holds up nobody: there is no lock to wait for (%i bytes a file)",
  async (segmentBytes) => {
    const directory = trial.newDirectory();
    const child = trial.start(directory, HANG, { limits: { segmentBytes } });
    onTestFinished(() => void child.kill("SIGKILL"));
    if (child.stdout) await once(child.stdout, "data");
    const store = openJournal({ directory, limits: { segmentBytes } });
    for (let at = 0; at < 50; at++) kept(store.append(fault(`mine ${at}`), at, { durable: at === 49 }));
    const messages = [...store.records()].map((record) => (record.kind === "fault" ? record.message : ""));
    expect(messages.filter((message) => message.startsWith("mine"))).toHaveLength(50);
  },
);
