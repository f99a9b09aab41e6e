import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { processAt } from "../../world/machine/caller.ts";
import { takeLock } from "./lock.ts";

describe("the lock of the process that types", () => {
  it("is held by one process at a time, and released", () => {
    const directory = tempDirectory("lock");
    const lock = takeLock(directory);
    expect(lock).toHaveProperty("release");
    expect(takeLock(directory)).toBe(process.pid);
    if (typeof lock === "object") lock.release();
    expect(takeLock(directory)).toHaveProperty("release");
  });

  it.each([
    ["a process that has ended", { pid: 2 ** 22 + 1, started: "5" }],
    ["a process whose number another one has now", { pid: process.pid, started: "1" }],
    ["a process before the machine was started", { ...processAt(process.pid), boot: "00000000" }],
    ["nobody", {}],
  ])("of %s counts for nothing", (_, holder) => {
    const directory = tempDirectory("lock");
    writeFileSync(join(directory, "waking.lock"), JSON.stringify(holder));
    expect(takeLock(directory)).toHaveProperty("release");
    expect(readdirSync(directory)).toEqual(["waking.lock"]);
  });

  it("that was cut off while it was written counts for nothing", () => {
    const directory = tempDirectory("lock");
    writeFileSync(join(directory, "waking.lock"), '{"pid":');
    const lock = takeLock(directory);
    if (typeof lock === "object") lock.release();
    expect(existsSync(join(directory, "waking.lock"))).toBe(false);
  });
});
