import { describe, expect, it } from "vitest";
import { sightings } from "./sightings.ts";

describe("the daemon's memory of what hosts reported", () => {
  it("belongs to a session, and is given to the process of its host", () => {
    const seen = sightings(5);
    seen.note({ session: "a", host: 10, keys: ["call 1 m"] });
    seen.note({ session: "b", host: 20, keys: ["call 2 m"] });
    expect([...seen.of("a").keys]).toEqual(["call 1 m"]);
    expect(seen.ofHost(20)).toEqual({ since: 5, of: { b: ["call 2 m"] } });
    expect(seen.ofHost(30)).toEqual({ since: 5, of: {} });
  });

  it("follows a session to the process that resumes it", () => {
    const seen = sightings(0);
    seen.note({ session: "a", host: 10, keys: ["skill review"] });
    seen.note({ session: "a", host: 11, keys: ["prompt m"] });
    expect(seen.ofHost(11).of).toEqual({ a: ["skill review", "prompt m"] });
    expect(seen.ofHost(10).of).toEqual({});
  });

  it("is handed from worker to worker", () => {
    const [before, after] = [sightings(3), sightings(9)];
    before.note({ session: "a", host: 10, keys: ["call 1 m"] });
    after.startAt(3);
    before.all().forEach(after.note);
    expect(after.ofHost(10)).toEqual(before.ofHost(10));
  });

  it("stays small: the oldest keys and sessions go first", () => {
    const seen = sightings(0);
    for (let at = 0; at < 600; at++) seen.note({ session: "a", host: 1, keys: [`call ${at} m`, "x".repeat(800)] });
    expect([...seen.of("a").keys]).toHaveLength(512);
    expect(seen.of("a").keys.has("call 599 m")).toBe(true);
    for (let at = 0; at < 64; at++) seen.note({ session: `s${at}`, host: 1, keys: ["k"] });
    expect(seen.of("a").keys.size).toBe(0);
    expect(seen.all()).toHaveLength(64);
  });
});
