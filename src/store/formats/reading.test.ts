import { afterEach, describe, expect, it, vi } from "vitest";
import { attempt, timeOf } from "./reading.ts";

const NOW = Date.UTC(2030, 0, 1);
const read = (value: unknown) => attempt(() => new Date(timeOf(value, "at", NOW)).toISOString());
const value = (text: string) => ({ value: text, notes: [] });

afterEach(() => vi.unstubAllEnvs());

describe("ST-13 times in a file of another program", () => {
  it.each([
    ["UTC", "2026-03-01T08:00:00.000Z", "2026-03-01T00:00:00.000Z"],
    ["Asia/Tokyo", "2026-02-28T23:00:00.000Z", "2026-02-28T15:00:00.000Z"],
    ["America/St_Johns", "2026-03-01T11:30:00.000Z", "2026-03-01T03:30:00.000Z"],
  ])("ST-13 without a zone are local: %s", (zone, time, day) => {
    vi.stubEnv("TZ", zone);
    expect(read("2026-03-01T08:00:00")).toEqual(value(time));
    expect(read("2026-03-01 08:00")).toEqual(value(time));
    expect(read("2026-03-01")).toEqual(value(day));
  });

  it.each(["UTC", "Asia/Tokyo", "America/St_Johns"])("ST-13 with a zone do not depend on ours: %s", (zone) => {
    vi.stubEnv("TZ", zone);
    expect(read("2026-03-01T08:00:00Z")).toEqual(value("2026-03-01T08:00:00.000Z"));
    expect(read("2026-03-01T08:00:00+09:00")).toEqual(value("2026-02-28T23:00:00.000Z"));
    expect(read("2026-03-01T08:00:00.250-0330")).toEqual(value("2026-03-01T11:30:00.250Z"));
  });

  it.each([["tomorrow"], ["2026-13-01"], ["2030-01-02"], [5], [undefined], ["2026-03-01T08"]])(
    "what is no time, or is to come, is refused: %j",
    (text) => expect(read(text)).toEqual({ problem: expect.stringContaining("at must") }),
  );
});
