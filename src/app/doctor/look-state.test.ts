import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";
import { examine, repairAll } from "./checks.ts";
import { openHouse } from "./example-house.ts";
import { clock, disk, journal, stateDirectory } from "./look-state.ts";

const GB = 1024 ** 3;
const local = { type: 0xef53, freeBytes: 50 * GB, freeFiles: 1e6 };

describe("the state directory", () => {
  it.each([
    [0x6969, /NFS/],
    [0x01021997, /9p/],
  ])("on a shared file system (%i) is reported", async (type, words) => {
    const finding = await openHouse().look(stateDirectory, { diskOf: () => ({ ...local, type }) });
    expect(finding).toMatchObject({ state: "fail", what: expect.stringMatching(words) });
  });

  it("that other users can read is reported, and its permissions are tightened", async () => {
    const house = openHouse();
    const inner = join(house.state, "some+project");
    mkdirSync(inner, { mode: 0o700 });
    const file = join(inner, "journal.00000001.jsonl");
    writeFileSync(file, "", { mode: 0o600 });
    expect((await house.look(stateDirectory)).state).toBe("ok");
    chmodSync(inner, 0o755);
    chmodSync(file, 0o644);
    const program = house.write(join(inner, "sekisho.cjs"), "");
    chmodSync(program, 0o755);
    expect(await house.look(stateDirectory)).toMatchObject({ state: "warn", what: expect.stringContaining(inner) });
    await repairAll(await examine(house.premises(), [stateDirectory]), () => house.premises());
    expect([inner, file, program].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      "700",
      "600",
      "700",
    ]);
    expect((await house.look(stateDirectory)).state).toBe("ok");
  });
});

describe("the disk", () => {
  it.each([
    [{ ...local, freeBytes: 1 << 20 }, "fail"],
    [{ ...local, freeFiles: 3 }, "fail"],
    [{ ...local, freeBytes: 100 << 20 }, "warn"],
    [local, "ok"],
  ])("%j is %s", async (free, state) => {
    expect((await openHouse().look(disk, { diskOf: () => free })).state).toBe(state);
  });
});

describe("the clock", () => {
  const at = (t: number): Store => {
    const store = memoryStore();
    store.append({ kind: "action", action: "x" }, t);
    return store;
  };
  const now = Date.UTC(2026, 10, 16);

  it.each([
    ["was set back behind the newest record", now, now + 3_600_000, "warn"],
    ["is before this program existed", Date.UTC(1970, 0, 2), 0, "warn"],
    ["drifts a little", now, now + 5000, "ok"],
  ])("that %s", async (_, time, newest, state) => {
    expect((await openHouse().look(clock, { now: time, store: at(newest) })).state).toBe(state);
  });
});

describe("the journal", () => {
  it("that cannot be used is reported with the store's message", async () => {
    const store: Store = {
      ...memoryStore(),
      read: () => ({ fault: "The journal cannot be used: EROFS.", code: "read-only" }),
    };
    expect(await openHouse().look(journal, { store })).toMatchObject({
      state: "fail",
      what: expect.stringContaining("EROFS"),
    });
  });

  it("is verified against its seals when asked", async () => {
    const segments = [
      { segment: 1, records: 3, integrity: "rewritten", detail: "Its bytes are not those that were sealed." },
    ] as const;
    const verify = () => ({ integrity: "rewritten", segments, head: "", records: 3, unsealed: 0, voided: [] }) as const;
    const store: Store = { ...memoryStore(), verify };
    const wants = { host: false, measuring: false, integrity: true };
    expect(await openHouse().look(journal, { store, wants })).toMatchObject({
      state: "fail",
      what: expect.stringContaining("rewritten"),
    });
    expect((await openHouse().look(journal, { store })).state).toBe("ok");
  });
});
