/** The daemon writes the same journal as the other processes and keeps up with them. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openJournal } from "../../src/store/journal/archive.ts";
import { isFault } from "../../src/store/store.ts";
import { until } from "../until.ts";
import { decisionIn, type House, openFiles, openHouse } from "./house.ts";
import { journalsIn } from "./journals.ts";
import { mounting } from "./machine.ts";
import { openStage } from "./stage.ts";

const reasonIn = (text: string): string => String(JSON.parse(text)?.hookSpecificOutput?.permissionDecisionReason ?? "");

describe("the journal", () => {
  it("records that other processes append between two requests are known at the next one", async () => {
    const house = openHouse();
    await house.bash("ls", { session_id: "s2", tool_use_id: "before" });
    // Opened by another process while the daemon holds the file open.
    house.turn("SessionStart", { session_id: "s2", source: "startup" });
    await house.bash("ls", { session_id: "s2", tool_use_id: "after" });
    house.stage.send("SessionEnd", { session_id: "s2", reason: "other" });
    await house.bash("ls", { session_id: "s2", tool_use_id: "ended" });
    const unbound = Object.fromEntries(
      house.stage.audit().flatMap(({ tool_use_id: id, unbound: is }) => (id === null ? [] : [[id, is]])),
    );
    // The host itself speaks, so the session has not ended, whoever reported its end.
    expect(unbound).toEqual({ before: true, after: false, ended: false });
  });

  it("segments that others close and prune while the daemon holds one open do no harm", async () => {
    const house = openHouse();
    const directory = house.stage.journal();
    await house.bash("ls", { tool_use_id: "first" });
    const other = openJournal({ directory, limits: { segmentBytes: 4000, snapshotAfter: 1, snapshotAlwaysAfter: 2 } });
    let gone = 0;
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 40; at++) {
        const kept = other.append({ kind: "action", action: "test", detail: "x".repeat(300) }, Date.now());
        if (isFault(kept)) throw new Error(kept.fault);
      }
      const pruned = other.prune(Date.now() + 10, { maxAgeMs: 0, maxBytes: 0 });
      // Nothing is removed while the daemon's snapshots are not far enough, so a round may remove nothing.
      gone += Number(pruned);
      expect(decisionIn(await house.bash("git reset --hard", { tool_use_id: `round-${round}` }))).toBe("deny");
    }
    other.close();
    expect(gone).toBeGreaterThan(0);
    const calls = house.stage
      .audit()
      .flatMap(({ tool_use_id: id, unbound }) => (id === null ? [] : [`${id} ${unbound}`]));
    expect(calls.slice(-1)).toEqual(["round-2 false"]);
    const { stdout } = house.stage.sekisho("audit", "verify");
    expect(stdout).toMatch(/intact|vouch|whole/i);
  });

  it("a journal deleted under the daemon is started again", async () => {
    const house = openHouse();
    const directory = house.stage.journal();
    await house.bash("ls");
    rmSync(directory, { recursive: true });
    expect(decisionIn(await house.bash("git reset --hard", { tool_use_id: "again" }))).toBe("deny");
    // The daemon still knows whose session it is.
    expect(house.stage.audit().map(({ tool_use_id: id, unbound }) => [id, unbound])).toEqual([["again", false]]);
  });

  it("a snapshot is taken when the daemon is idle", async () => {
    const house = openHouse();
    const directory = house.stage.journal();
    for (let at = 0; at < 5; at++) await house.bash("ls");
    await snapshotTaken(directory);
  });

  it("keeps at most the files of the last 64 of 80 projects open", async () => {
    const house = openHouse();
    const [worker = 0] = house.workers();
    const before = openFiles(worker);
    for (let at = 0; at < 80; at++) {
      const cwd = join(house.stage.root, "many", String(at));
      mkdirSync(cwd, { recursive: true });
      await house.bash("ls", { session_id: `many-${at}`, cwd });
    }
    expect(journalsIn(join(house.stage.state, "sekisho")).length).toBe(81);
    expect(openFiles(worker)).toBeGreaterThan(before + 50);
    expect(openFiles(worker)).toBeLessThanOrEqual(before + 66);
    // Also after the idle work is done.
    const newest = join(house.stage.state, "sekisho");
    await until(
      () =>
        journalsIn(newest).filter((name) => readdirSync(join(newest, name)).some((file) => /^snap\.\d/.test(file)))
          .length >= 64,
      "the last snapshots",
    );
    expect(openFiles(worker)).toBeLessThanOrEqual(before + 66);
    expect(house.workers()).toEqual([worker]);
  });
});

/** Kills a worker and returns when another has started. */
async function replaceWorker(house: House, worker: number): Promise<void> {
  process.kill(worker, "SIGKILL");
  await until(() => house.workers().some((pid) => pid !== worker), "another worker");
  house.hangUp();
}

/** Waits for a snapshot of the whole newest segment: then the daemon is idle. */
async function snapshotTaken(directory: string): Promise<void> {
  const size = String(statSync(join(directory, "journal.00000001.jsonl")).size);
  await until(
    () => readdirSync(directory).some((name) => name.startsWith("snap.") && name.split(".")[2] === size),
    "a snapshot of all of it",
  );
}

describe("a state directory that cannot be written", () => {
  /** Changes are refused with a remedy, and reading works. */
  async function expectHeldBack(house: House): Promise<void> {
    const [change, forbidden] = [await house.bash("touch made"), await house.bash("git reset --hard")];
    expect([change, forbidden].map(decisionIn)).toEqual(["deny", "deny"]);
    expect(reasonIn(change.text)).toMatch(/Instead: .*sekisho/);
    expect(decisionIn(await house.bash("ls"))).toBe("pass");
    expect(decisionIn(await house.use("Read", { file_path: join(house.stage.project, "a") }))).toBe("pass");
    const after = { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: {}, tool_use_id: "x" };
    expect((await house.post("PostToolUse", after)).status).toBe(200);
  }

  it.skipIf(process.geteuid?.() === 0)("is read-only for a user who is not root", async () => {
    const house = openHouse();
    const directory = house.stage.journal();
    onTestFinished(() => chmodSync(directory, 0o700));
    chmodSync(directory, 0o500);
    await expectHeldBack(house);
  });

  it.skipIf(mounting.skip)(`is full, and then writable again${mounting.why}`, async () => {
    const stage = openStage();
    mkdirSync(stage.state, { recursive: true, mode: 0o700 });
    const mount = (...args: readonly string[]): number | null => spawnSync("mount", args).status;
    if (mount("-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", stage.state) !== 0) return;
    onTestFinished(() => void spawnSync("umount", ["--lazy", stage.state]));
    const house = openHouse(stage);
    const [worker = 0] = house.workers();
    expect(decisionIn(await house.bash("ls"))).toBe("pass");
    const ballast = join(stage.state, "ballast");
    spawnSync("sh", ["-c", `head -c 2000000 /dev/zero > ${ballast}`]);
    // The rest of the last page still takes a few records.
    await until(async () => decisionIn(await house.bash("touch made")) === "deny", "a full disk");
    await expectHeldBack(house);
    await replaceWorker(house, worker);
    await expectHeldBack(house);
    rmSync(ballast);
    expect(decisionIn(await house.bash("touch made"))).toBe("pass");
  });

  it.skipIf(mounting.skip)(`is read-only for a worker that starts then${mounting.why}`, async () => {
    const house = openHouse();
    await house.bash("ls");
    const directory = house.stage.journal();
    const [worker = 0] = house.workers();
    // An open write would keep the mount from becoming read-only.
    await snapshotTaken(directory);
    if (spawnSync("mount", ["--bind", directory, directory]).status !== 0) return;
    onTestFinished(() => void spawnSync("umount", ["--lazy", directory]));
    expect(spawnSync("mount", ["-o", "remount,bind,ro", directory]).status).toBe(0);
    await replaceWorker(house, worker);
    await expectHeldBack(house);
    await until(() => spawnSync("umount", [directory]).status === 0, "a moment when nobody reads there");
    expect(decisionIn(await house.bash("touch made"))).toBe("pass");
  });

  it("is no longer a directory", async () => {
    const house = openHouse();
    const directory = house.stage.journal();
    await house.bash("ls");
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "");
    await expectHeldBack(house);
    rmSync(directory);
    expect(decisionIn(await house.bash("touch made"))).toBe("pass");
    expect(readFileSync(join(directory, "journal.00000001.jsonl"), "utf8")).toContain("touch made");
  });
});
