import { afterEach, describe, expect, it, vi } from "vitest";
import { isoTime } from "./time.ts";

const MIDNIGHT = Date.UTC(2026, 2, 1);
/** Ahead of UTC and behind it, by whole hours and by parts of one. */
const ZONES = ["UTC", "Asia/Tokyo", "America/St_Johns", "Pacific/Chatham"];

afterEach(() => vi.unstubAllEnvs());

describe.each(ZONES)("ST-13 in the time zone %s", (zone) => {
  it("ST-13 a time is written in UTC with a Z", () => {
    vi.stubEnv("TZ", zone);
    // Without this the test would hold for a program that writes local times.
    expect(new Date(MIDNIGHT).getHours() === 0).toBe(zone === "UTC");
    expect(isoTime(MIDNIGHT)).toBe("2026-03-01T00:00:00Z");
    expect(isoTime(MIDNIGHT - 1)).toBe("2026-02-28T23:59:59Z");
  });
});
