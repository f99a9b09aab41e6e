import { describe, expect, it } from "vitest";
import { proxyBar, proxyException } from "./proxies.ts";

const file = (path: string, settings: object) => ({ path, text: JSON.stringify(settings) });

describe("the proxy exception", () => {
  const proxy = { HTTPS_PROXY: "http://corp:3128" };

  it("is not needed without a proxy, or when it already exists", () => {
    expect(proxyException("{}", undefined, {}, [])).toBeUndefined();
    expect(proxyException("{}", undefined, { HTTP_PROXY: "" }, [])).toBeUndefined();
    expect(proxyException('{"env": {"no_proxy": "127.0.0.1"}}', undefined, proxy, [])).toBeUndefined();
  });

  it.each(["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])(
    "is needed for %s, wherever that is set",
    (name) => {
      const set = { [name]: "http://corp:3128" };
      expect(proxyException(undefined, undefined, set, [])).toBe("127.0.0.1");
      expect(proxyException(JSON.stringify({ env: set }), undefined, {}, [])).toBe("127.0.0.1");
      expect(proxyException("{}", undefined, {}, [file("/user", { env: set })])).toBe("127.0.0.1");
    },
  );

  it("keeps the NO_PROXY list it overrides: of its own file, a nearer file, a farther file or the shell", () => {
    const shell = { ...proxy, NO_PROXY: "shell" };
    const others = [file("/user", { env: { NO_PROXY: "user" } }), file("/project", { env: { no_proxy: "project" } })];
    expect(proxyException('{"env": {"NO_PROXY": "own"}}', undefined, shell, others)).toBe("own,127.0.0.1");
    expect(proxyException("{}", undefined, shell, others)).toBe("project,127.0.0.1");
    expect(proxyException("{}", undefined, shell, others.slice(0, 1))).toBe("user,127.0.0.1");
    expect(proxyException("{}", undefined, shell, [])).toBe("shell,127.0.0.1");
    expect(proxyException("{}", undefined, { ...proxy, no_proxy: "a,127.0.0.1" }, [])).toBe("a,127.0.0.1");
  });

  it("from an earlier registration stays the same, even when the proxy is gone", () => {
    const note = { empties: [], noProxy: { before: null, written: "corp,127.0.0.1" } };
    expect(proxyException('{"env": {"NO_PROXY": "corp,127.0.0.1"}}', note, {}, [])).toBe("corp,127.0.0.1");
  });

  it("is overridden by a nearer file whose NO_PROXY lacks it", () => {
    const files = [file("/user", {}), file("/local", { env: { NO_PROXY: "corp" } })];
    expect(proxyBar("/user", "127.0.0.1", files)).toMatch(/NO_PROXY in \/local/);
    expect(proxyBar("/local", "corp,127.0.0.1", files)).toBeUndefined();
    expect(proxyBar("/user", undefined, files)).toBeUndefined();
    expect(proxyBar("/user", "x", [file("/user", {}), file("/local", { env: { NO_PROXY: "*" } })])).toBeUndefined();
  });
});
