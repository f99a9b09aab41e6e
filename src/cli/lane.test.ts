import { describe, expect, it } from "vitest";
import { readSettings } from "../hosts/claude-code/hooks.ts";
import type { OtherFile } from "./elsewhere.ts";
import { barredBy, chooseLane, exceptionFor } from "./lane.ts";

const current = { version: "2.1.325", failsClosed: true };
const old = { version: "2.1.197", failsClosed: false };
const file = (path: string, settings: object): OtherFile => {
  const text = JSON.stringify(settings);
  return { path, text, settings: readSettings(text) ?? {} };
};

describe("which lane", () => {
  const ground = { asked: undefined, scope: "local", client: current, platform: "linux", barred: undefined } as const;

  it("is the fast one where nothing speaks against it", () => {
    expect(chooseLane(ground)).toEqual({ lane: "fast" });
    expect(chooseLane({ ...ground, scope: "user" })).toEqual({ lane: "fast" });
  });

  it.each([
    ["in a file that git shares", { scope: "project" }, /shared by git/],
    ["with an old client", { client: old }, /2\.1\.197 .*since 2\.1\.295/],
    ["behind a proxy", { barred: "a proxy is set" }, /a proxy is set/],
  ] as const)("is the plain one %s, and says why; asked for, the fast one is refused", (_, change, words) => {
    expect(chooseLane({ ...ground, ...change })).toEqual({ lane: "plain", because: expect.stringMatching(words) });
    expect(() => chooseLane({ ...ground, ...change, asked: "fast" })).toThrow(words);
    expect(chooseLane({ ...ground, ...change, asked: "plain" })).toEqual({ lane: "plain" });
  });

  it("elsewhere than on Linux is the plain one, unless somebody asks for the other", () => {
    const elsewhere = { ...ground, platform: "darwin" };
    expect(chooseLane(elsewhere)).toEqual({ lane: "plain", because: expect.stringMatching(/Linux/) });
    expect(chooseLane({ ...elsewhere, asked: "fast" })).toEqual({ lane: "fast" });
  });

  it("without a client is the plain one, unless somebody asks for the other", () => {
    expect(chooseLane({ ...ground, client: undefined }).lane).toBe("plain");
    expect(chooseLane({ ...ground, client: undefined, asked: "fast" })).toEqual({ lane: "fast" });
  });
});

describe("the exception from proxies", () => {
  const proxy = { HTTPS_PROXY: "http://corp:3128" };

  it("is not needed where there is no proxy, or where it stands already", () => {
    expect(exceptionFor("{}", undefined, {}, [])).toBeUndefined();
    expect(exceptionFor("{}", undefined, { HTTP_PROXY: "" }, [])).toBeUndefined();
    expect(exceptionFor('{"env": {"no_proxy": "127.0.0.1"}}', undefined, proxy, [])).toBeUndefined();
  });

  it.each(["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])(
    "is needed for %s, wherever that is set",
    (name) => {
      const set = { [name]: "http://corp:3128" };
      expect(exceptionFor(undefined, undefined, set, [])).toBe("127.0.0.1");
      expect(exceptionFor(JSON.stringify({ env: set }), undefined, {}, [])).toBe("127.0.0.1");
      expect(exceptionFor("{}", undefined, {}, [file("/user", { env: set })])).toBe("127.0.0.1");
    },
  );

  it("says again what it hides: its own file's list, a nearer file's, a farther one's, the shell's", () => {
    const shell = { ...proxy, NO_PROXY: "shell" };
    const others = [file("/user", { env: { NO_PROXY: "user" } }), file("/project", { env: { no_proxy: "project" } })];
    expect(exceptionFor('{"env": {"NO_PROXY": "own"}}', undefined, shell, others)).toBe("own,127.0.0.1");
    expect(exceptionFor("{}", undefined, shell, others)).toBe("project,127.0.0.1");
    expect(exceptionFor("{}", undefined, shell, others.slice(0, 1))).toBe("user,127.0.0.1");
    expect(exceptionFor("{}", undefined, shell, [])).toBe("shell,127.0.0.1");
    expect(exceptionFor("{}", undefined, { ...proxy, no_proxy: "a,127.0.0.1" }, [])).toBe("a,127.0.0.1");
  });

  it("of an earlier time is written as it was, also when the proxy is gone", () => {
    const note = { empties: [], noProxy: { before: null, written: "corp,127.0.0.1" } };
    expect(exceptionFor('{"env": {"NO_PROXY": "corp,127.0.0.1"}}', note, {}, [])).toBe("corp,127.0.0.1");
  });

  it("is hidden by a nearer file that has a list without it", () => {
    const files = [file("/user", {}), file("/local", { env: { NO_PROXY: "corp" } })];
    expect(barredBy("/user", "127.0.0.1", files)).toMatch(/NO_PROXY in \/local/);
    expect(barredBy("/local", "corp,127.0.0.1", files)).toBeUndefined();
    expect(barredBy("/user", undefined, files)).toBeUndefined();
    expect(barredBy("/user", "x", [file("/user", {}), file("/local", { env: { NO_PROXY: "*" } })])).toBeUndefined();
  });
});
