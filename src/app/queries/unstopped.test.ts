import { describe, expect, it } from "vitest";
import { unstoppedIn } from "./unstopped.ts";

const NOW = 10_000_000;
const stop = (at: number) =>
  ({ kind: "verdict", event: "Stop", session: "s", decision: "pass", rid: `r${at}`, t: at }) as const;
const listed = (stops: readonly number[], ends: readonly number[], breaks: readonly number[] = [], now = NOW) =>
  unstoppedIn(stops.map(stop), () => ({ ends, breaks }), now).map(({ at }) => at);

describe("ends of turns", () => {
  it("are not listed where the host wrote an entry after each", () => {
    expect(listed([100, 200, 300], [150, 250, 350])).toEqual([]);
  });

  it("are listed where the next one comes before any entry", () => {
    expect(listed([100, 180, 200], [150, 250])).toEqual([180]);
  });

  it("are listed where no entry follows, but only once the hooks of others can't run any more", () => {
    expect(listed([100, 200], [150])).toEqual([200]);
    expect(listed([100, 200], [150], [], 1000)).toEqual([]);
  });

  it("are not listed where the person broke off the turn meanwhile", () => {
    expect(listed([100, 200], [250], [120])).toEqual([]);
  });

  it("are not listed for a host that writes no such entries, or whose transcript is gone", () => {
    expect(listed([100, 200], [])).toEqual([]);
    expect(unstoppedIn([stop(1)], () => undefined, NOW)).toEqual([]);
  });

  it("of subagents are left out", () => {
    const agent = { id: "a", type: "x" };
    expect(unstoppedIn([{ ...stop(1), agent }], () => ({ ends: [5], breaks: [] }), NOW)).toEqual([]);
  });
});
