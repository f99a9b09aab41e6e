import { describe, expect, it } from "vitest";
import type { HookEvent } from "../../kernel/event.ts";
import { wakesSoon } from "./wake-ups.ts";

/** A Tuesday, in local time. */
const NOW = new Date(2026, 10, 17, 9, 58, 30).getTime();
const soon = (...schedules: readonly string[]): boolean =>
  wakesSoon({ name: "Stop", schedules } as unknown as HookEvent, NOW);

describe("a prompt that the host will send on a schedule", () => {
  it("is not expected without schedules", () => {
    expect(soon()).toBe(false);
    expect(wakesSoon({ name: "Stop" } as HookEvent, NOW)).toBe(false);
    expect(wakesSoon({ name: "SessionStart" } as HookEvent, NOW)).toBe(false);
  });

  it.each([
    ["* * * * *"],
    ["*/5 * * * *"],
    ["7 * * * *"],
    ["59 9 17 11 *"],
    ["0 10 * * 1-5"],
    ["0 8-12/2 * * *"],
    ["1,2 10,11 * * *"],
    ["0 10 1 * 2"],
    ["0 11 17 * 7"],
  ])("comes soon: %s", (schedule) => {
    expect(soon(schedule)).toBe(true);
    expect(soon("0 0 1 1 *", schedule)).toBe(true);
  });

  it.each([
    ["0 0 1 1 *"],
    ["30 9 * * *"],
    ["0 12 * * *"],
    ["0 10 18 11 *"],
    ["0 10 * * 0"],
    ["0 10 17 12 *"],
    ["0 10 30 2 *"],
    [""],
    ["soon"],
    ["@hourly"],
    ["* * * * * *"],
    ["*/0x * * * *"],
    ["-1 * * * *"],
  ])("comes late or never: %s", (schedule) => {
    expect(soon(schedule)).toBe(false);
  });

  it("any content is read quickly", () => {
    expect(soon(`${"1,".repeat(100_000)} * * * *`)).toBe(true);
    expect(soon("*".repeat(1_000_000))).toBe(false);
  });
});
