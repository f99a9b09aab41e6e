import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChanges } from "../../kernel/mode-start.ts";
import type { RecordBody } from "../../state/record.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { newState } from "../../state/state.ts";
import { fault, kept, verdict } from "../contract.ts";
import { isFault, type Store } from "../store.ts";
import { openJournal } from "./archive.ts";
import { encodeLine } from "./line.ts";
import { segmentPath } from "./segment.ts";
import { newTrial, outputOf } from "./trial.ts";

const trial = newTrial();
const ROTATING = { segmentBytes: 2000, snapshotAfter: 1e9, snapshotAlwaysAfter: 1e9 };

function messagesIn(store: Store): string[] {
  return [...store.records()].map((record) => (record.kind === "fault" ? record.message : record.kind));
}

function fill(directory: string, count: number, limits = {}): Store {
  const store = openJournal({ directory, limits });
  for (let index = 0; index < count; index++) kept(store.append(fault(`m${index}`), index));
  return store;
}

describe("a journal on disk", () => {
  it("reading creates nothing", () => {
    const directory = trial.newDirectory();
    expect(openJournal({ directory }).read()).toEqual(newState);
    expect(fs.existsSync(directory)).toBe(false);
  });

  it("is readable only by its owner", () => {
    const directory = trial.newDirectory();
    fs.mkdirSync(directory, { mode: 0o755 });
    fill(directory, 1);
    expect(fs.statSync(directory).mode & 0o777).toBe(0o700);
    expect(fs.statSync(segmentPath(directory, 1)).mode & 0o777).toBe(0o600);
  });

  it("reads the same in a running and in a new process, over many segments", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 100, ROTATING);
    const other = openJournal({ directory });
    expect(other.read()).toEqual(store.read());
    expect(messagesIn(other)).toEqual(Array.from({ length: 100 }, (_, index) => `m${index}`));
    expect(fs.readdirSync(directory).length).toBeGreaterThan(5);
    kept(other.append(fault("more"), 1));
    expect(store.read()).toEqual(other.read());
  });

  it("reads lines that cross chunk borders, in any script", () => {
    const directory = trial.newDirectory();
    const store = openJournal({ directory });
    const text = (index: number) => "関所😀".repeat(60) + "x".repeat(index % 7);
    for (let index = 0; index < 400; index++) kept(store.append(fault(text(index)), index));
    expect(messagesIn(openJournal({ directory }))).toEqual(Array.from({ length: 400 }, (_, index) => text(index)));
    expect(fs.statSync(segmentPath(directory, 1)).size).toBeGreaterThan(4 * 64 * 1024);
  });

  it("ST-7 a record of an unknown newer kind is kept and ignored", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 1);
    const before = store.read();
    kept(store.append({ kind: "prophecy", says: "later" } as unknown as RecordBody, 0));
    expect(openJournal({ directory }).read()).toEqual(before);
    expect([...store.records()].at(-1)).toMatchObject({ kind: "prophecy", says: "later" });
    expect(store.verify()).toMatchObject({ integrity: "intact", records: 2 });
  });

  it("ignores everything after a close", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 3, { segmentBytes: 1 });
    const before = store.read();
    fs.appendFileSync(segmentPath(directory, 1), encodeLine({ ...fault("void"), rid: "void", t: 1 } as never));
    expect(openJournal({ directory }).read()).toEqual(before);
    expect(messagesIn(store)).toEqual(["m0", "m1", "m2"]);
  });

  it("appends a record again when its segment was closed meanwhile", () => {
    const directory = trial.newDirectory();
    const slow = fill(directory, 1);
    const quick = openJournal({ directory, limits: { segmentBytes: 1 } });
    kept(quick.append(fault("quick"), 1));
    const { before, after } = kept(slow.append(fault("slow"), 2));
    expect([before.faults, after.faults]).toEqual([2, 3]);
    expect(messagesIn(quick)).toEqual(["m0", "quick", "slow"]);
  });

  it("continues when its directory is removed", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 3);
    fs.rmSync(directory, { recursive: true });
    kept(store.append(fault("after"), 1));
    expect(messagesIn(openJournal({ directory }))).toEqual(["after"]);
  });
});

describe("concurrent writers", () => {
  const WRITE = `for (let i = 0; i < COUNT; i++) {
      const kept = store.append({ kind: "action", action: "n", session: "s",
        changes: [{ record: "session", do: "refuse-stop", policy: "p" }] }, i);
      if (kept.fault) throw new Error(kept.fault);
      console.log(kept.after.sessions.s.refusals.p);
    }`;

  it("ST-5 TS-30 two parallel writers lose no update", async () => {
    const directory = trial.newDirectory();
    const code = WRITE.replace("COUNT", "300");
    const outputs = await Promise.all(
      [1, 2].map(() => outputOf(trial.start(directory, code, { limits: { segmentBytes: 8000 } }))),
    );
    const ordinals = outputs.flatMap((output) => output.trim().split("\n").map(Number));
    expect(ordinals.sort((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
    expect(openJournal({ directory }).verify()).toMatchObject({ integrity: "intact", records: 600 });
  });

  it("TS-14 AU-7 20 parallel writers leave 20 valid lines", async () => {
    const directory = trial.newDirectory();
    const code = WRITE.replace("COUNT", "1");
    await Promise.all(Array.from({ length: 20 }, () => outputOf(trial.start(directory, code))));
    expect([...openJournal({ directory }).records()]).toHaveLength(20);
    expect(openJournal({ directory }).verify()).toMatchObject({ integrity: "intact", records: 20 });
  });

  it("ST-4 TS-30 a killed writer leaves no half record", async () => {
    const directory = trial.newDirectory();
    const child = trial.start(directory, WRITE.replace("COUNT", "1e9"), { limits: { segmentBytes: 20_000 } });
    const output = outputOf(child);
    await new Promise<void>((resolve) => {
      let told = 0;
      child.stdout?.on("data", () => {
        told++;
        if (told === 20) child.kill("SIGKILL");
        if (told === 20) resolve();
      });
    });
    const acknowledged = (await output).split("\n").slice(0, -1).length;
    const store = openJournal({ directory });
    expect([...store.records()].length).toBeGreaterThanOrEqual(acknowledged);
    kept(store.append(fault("after"), 1));
    expect(messagesIn(store).at(-1)).toBe("after");
    expect(acknowledged).toBeGreaterThan(0);
  });
});

describe("a damaged journal", () => {
  it("ST-4 truncating the last segment anywhere loses no earlier record, and the next one counts", () => {
    const directory = trial.newDirectory();
    fill(directory, 5).close();
    const whole = fs.readFileSync(segmentPath(directory, 1));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (cut) => {
        fs.writeFileSync(segmentPath(directory, 1), whole.subarray(0, cut));
        // A record that lacks only its line feed is completed by the next writer.
        const complete = whole.subarray(0, cut).toString().split("\n").slice(0, -1).filter(Boolean).length;
        const store = openJournal({ directory });
        const seen = store.read();
        expect(isFault(seen) ? seen : seen.faults).toBe(complete);
        const { after } = kept(store.append(fault("next"), 9));
        expect(after.faults - complete).toBeOneOf([1, 2]);
        expect(messagesIn(store).at(-1)).toBe("next");
        store.close();
      }),
    );
  });

  it("TS-30 a truncated start of two modes is there completely or not at all", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 1);
    const before = fs.statSync(segmentPath(directory, 1)).size;
    const changes = startChanges("persistent", { by: "command", task: "port it" }, defaultSettings);
    kept(store.append({ kind: "action", action: "mode", session: "s", changes }, 1));
    store.close();
    const whole = fs.readFileSync(segmentPath(directory, 1));
    const seen = new Set<string>();
    for (let cut = before; cut <= whole.length; cut += 1) {
      fs.writeFileSync(segmentPath(directory, 1), whole.subarray(0, cut));
      const state = openJournal({ directory }).read();
      seen.add(isFault(state) ? state.fault : Object.keys(state.sessions["s"]?.modes ?? {}).join(" "));
    }
    expect([...seen]).toEqual(["", "persistent turbo"]);
  });

  it("TS-30 skips damaged lines and counts the following ones", () => {
    const directory = trial.newDirectory();
    fill(directory, 2).close();
    const path = segmentPath(directory, 1);
    fs.appendFileSync(path, `\n${"0".repeat(8)} {"kind":"fault"}\n`);
    fs.appendFileSync(path, Buffer.alloc(200_000));
    const store = openJournal({ directory });
    kept(store.append(fault("m2"), 1));
    expect(messagesIn(store)).toEqual(["m0", "m1", "m2"]);
    expect(store.verify()).toMatchObject({ integrity: "damaged", records: 3 });
  });

  it("follows no link", () => {
    const directory = trial.newDirectory();
    fs.mkdirSync(directory, { mode: 0o700 });
    fs.writeFileSync(join(trial.home, "elsewhere"), "");
    fs.symlinkSync(join(trial.home, "elsewhere"), segmentPath(directory, 1));
    expect(openJournal({ directory }).append(fault("x"), 1)).toMatchObject({ code: "corrupt" });
    expect(fs.readFileSync(join(trial.home, "elsewhere"), "utf8")).toBe("");
  });
});

describe("a directory unfit for a journal", () => {
  it.each([
    [0x6969, "NFS"],
    [0x01021997, "9p"],
    [0xff534d42 | 0, "CIFS"],
  ])("is a shared file system (%i)", (type, name) => {
    const directory = trial.newDirectory();
    const store = openJournal({ directory, fileSystemTypeOf: () => type });
    const refused = store.append(fault("x"), 1);
    expect(refused).toMatchObject({ code: "network-file-system", fault: expect.stringContaining(name) });
    expect(isFault(refused) && refused.fault).toContain("XDG_STATE_HOME");
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it.runIf(process.geteuid?.() === 0)("belongs to another user", () => {
    const directory = trial.newDirectory();
    fs.mkdirSync(directory);
    fs.chownSync(directory, 12345, 12345);
    expect(openJournal({ directory }).append(fault("x"), 1)).toMatchObject({ code: "read-only" });
    expect(openJournal({ directory }).read()).toMatchObject({ code: "read-only" });
  });

  const canMount = process.geteuid?.() === 0 && process.platform === "linux";

  it.runIf(canMount)("ST-6 is on a full disk, and loses no earlier record", () => {
    const directory = mount("size=64k,mode=700");
    const store = openJournal({ directory, limits: ROTATING });
    let count = 0;
    let last = store.append(fault("x".repeat(900)), 1);
    for (; !isFault(last); last = store.append(fault("x".repeat(900)), 1)) count++;
    expect(last).toMatchObject({ code: "full" });
    expect([...openJournal({ directory }).records()]).toHaveLength(count);
    expect(openJournal({ directory }).read()).toMatchObject({ faults: count });
    execFileSync("mount", ["-o", "remount,size=128k", directory]);
    expect(kept(store.append(fault("room again"), 1)).after.faults).toBe(count + 1);
    store.close();
  });

  it.runIf(canMount)("is read-only, and can still be read", () => {
    const directory = mount("size=64k,mode=700");
    fill(directory, 2).close();
    execFileSync("mount", ["-o", "remount,ro", directory]);
    const store = openJournal({ directory });
    expect(store.read()).toMatchObject({ faults: 2 });
    expect(store.append(verdict(), 1)).toMatchObject({ code: "read-only" });
    store.close();
  });

  function mount(options: string): string {
    const directory = trial.newDirectory();
    fs.mkdirSync(directory);
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
    onTestFinished(() => void execFileSync("umount", ["-l", directory]));
    return directory;
  }
});
