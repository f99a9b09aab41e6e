import { describe, expect, it } from "vitest";
import { chooseLane } from "./lane.ts";

const current = { version: "2.1.325", failsClosed: true };
const old = { version: "2.1.197", failsClosed: false };

describe("the choice of the lane", () => {
  const ground = {
    asked: undefined,
    scope: "local",
    installed: current,
    platform: "linux",
    barred: undefined,
  } as const;

  it("is the fast lane unless something prevents it", () => {
    expect(chooseLane(ground)).toEqual({ lane: "fast" });
    expect(chooseLane({ ...ground, scope: "user" })).toEqual({ lane: "fast" });
  });

  it.each([
    ["in a file that git shares", { scope: "project" }, /shared by git/],
    ["with an old client", { installed: old }, /2\.1\.197 .*since 2\.1\.295/],
    ["behind a proxy", { barred: "a proxy is set" }, /a proxy is set/],
  ] as const)("is the plain lane %s, with the reason; --lane fast is refused", (_, change, words) => {
    expect(chooseLane({ ...ground, ...change })).toEqual({ lane: "plain", because: expect.stringMatching(words) });
    expect(() => chooseLane({ ...ground, ...change, asked: "fast" })).toThrow(words);
    expect(chooseLane({ ...ground, ...change, asked: "plain" })).toEqual({ lane: "plain" });
  });

  it("is the plain lane outside Linux, unless --lane fast is given", () => {
    const elsewhere = { ...ground, platform: "darwin" };
    expect(chooseLane(elsewhere)).toEqual({ lane: "plain", because: expect.stringMatching(/Linux/) });
    expect(chooseLane({ ...elsewhere, asked: "fast" })).toEqual({ lane: "fast" });
  });

  it("is the plain lane without a host, unless --lane fast is given", () => {
    expect(chooseLane({ ...ground, installed: undefined }).lane).toBe("plain");
    expect(chooseLane({ ...ground, installed: undefined, asked: "fast" })).toEqual({ lane: "fast" });
  });
});
