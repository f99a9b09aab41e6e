import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Sighting } from "./sightings.ts";
import { telling } from "./telling.ts";

const sighting = (session: string, ...keys: string[]): Sighting => ({ session, host: 1, keys });

describe("what a worker tells its supervisor", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is told at once if it binds the agent", () => {
    const tell = vi.fn();
    telling(tell).about(sighting("a", "call 1"), true);
    expect(tell.mock.calls).toEqual([[sighting("a", "call 1")]]);
  });

  it("is told a little later if it only gives something: all keys, and the newest bonds", () => {
    const tell = vi.fn();
    const { about } = telling(tell);
    for (const n of [1, 2, 3]) about(sighting("a", `call ${n}`, `bonds ${n}`), false);
    about(sighting("b", "bonds 1"), false);
    expect(tell).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(tell.mock.calls).toEqual([
      [sighting("a", "call 1", "call 2", "call 3", "bonds 3")],
      [sighting("b", "bonds 1")],
    ]);
  });

  it("never tells older bonds after newer ones", () => {
    const tell = vi.fn();
    const { about } = telling(tell);
    about(sighting("a", "bonds 1"), false);
    about(sighting("a", "bonds 2"), true);
    about(sighting("b", "bonds 1"), false);
    about(sighting("b", "call 1"), true);
    vi.runAllTimers();
    expect(tell.mock.calls.flat().map(({ session, keys }) => [session, ...keys])).toEqual([
      ["a", "bonds 2"],
      ["b", "bonds 1", "call 1"],
    ]);
  });

  it("is complete when the worker leaves", () => {
    const tell = vi.fn();
    const { about, finish } = telling(tell);
    about(sighting("a", "bonds 1"), false);
    finish();
    vi.runAllTimers();
    expect(tell).toHaveBeenCalledTimes(1);
  });
});
