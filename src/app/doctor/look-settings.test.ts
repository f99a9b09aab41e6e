import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSettings } from "../../state/settings/setting-rules.ts";
import { type House, openHouse } from "./example-house.ts";
import { disarmed, httpHooks, ownSettings, settingsRead, timeouts } from "./look-settings.ts";

const user = ({ write, home }: House, text: string): string => write(join(home, ".claude/settings.json"), text);

describe("settings that the host would not read", () => {
  it.each([
    ["no JSON", '{\n  "model": "opus",\n  "hooks": {,}\n}\n', /line 3, column 13/],
    ["dropped whole", '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}', /drops such a file whole/],
    ["with hooks that are a list", '{"hooks": []}', /`hooks` is not an object/],
  ])("are reported with the position: %s", async (_, text, words) => {
    const house = openHouse();
    const path = user(house, text);
    const finding = await house.look(settingsRead);
    expect(finding).toMatchObject({ state: "fail", what: expect.stringMatching(words) });
    expect(finding.what).toContain(path);
  });

  it("are fine when no file exists, and a directory in place of the file is reported", async () => {
    const house = openHouse();
    expect((await house.look(settingsRead)).state).toBe("ok");
    house.write(join(house.home, ".claude/settings.json/x"), "");
    expect(await house.look(settingsRead)).toMatchObject({
      state: "fail",
      what: expect.stringMatching(/settings\.json is not a plain file/),
    });
  });
});

describe("settings that switch hooks off", () => {
  it.each([
    ['{"disableAllHooks": true}', "fail", "disableAllHooks"],
    ['{"allowManagedHooksOnly": true}', "fail", "allowManagedHooksOnly"],
    ['{"env": {"NODE_OPTIONS": "--require ./x.js"}}', "warn", "env.NODE_OPTIONS"],
    ['{"env": {"XDG_STATE_HOME": "/elsewhere"}}', "warn", "env.XDG_STATE_HOME"],
  ])("%s is reported", async (text, state, key) => {
    const house = openHouse();
    const path = user(house, text);
    expect(await house.look(disarmed)).toMatchObject({ state, what: `${key} in ${path}` });
  });

  it("harmless settings are not reported", async () => {
    const house = openHouse();
    user(house, '{"disableAllHooks": false, "env": {"EDITOR": "vi"}}');
    expect((await house.look(disarmed)).state).toBe("ok");
  });
});

describe("the connection to the daemon", () => {
  it.each([
    [
      "allowedHttpHookUrls without it",
      '{"allowedHttpHookUrls": ["https://example.com/*"]}',
      "fail",
      /leaves the gatehouse out/,
    ],
    ["allowedHttpHookUrls that is empty", '{"allowedHttpHookUrls": []}', "fail", /leaves the gatehouse out/],
    ["a proxy in the settings", '{"env": {"HTTPS_PROXY": "http://proxy:3128"}}', "fail", /HTTPS_PROXY in/],
    ["a sandboxed network", '{"sandbox": {"enabled": true}}', "warn", /sandboxed/],
    ["allowedHttpHookUrls with it", '{"allowedHttpHookUrls": ["http://127.0.0.1:*"]}', "ok", /nothing stands/],
    [
      "a proxy that spares it",
      '{"env": {"http_proxy": "http://proxy", "NO_PROXY": "localhost,127.0.0.1"}}',
      "ok",
      /nothing/,
    ],
  ])("%s", async (_, text, state, words) => {
    const house = openHouse("fast");
    user(house, text);
    expect(await house.look(httpHooks)).toMatchObject({ state, what: expect.stringMatching(words) });
  });

  it("a proxy in the environment is reported on the fast lane only", async () => {
    const env = { HTTP_PROXY: "http://proxy:3128" };
    expect(await openHouse("fast").look(httpHooks, { env })).toMatchObject({
      state: "fail",
      what: expect.stringContaining("HTTP_PROXY in the environment"),
    });
    expect((await openHouse().look(httpHooks, { env })).state).toBe("ok");
  });
});

describe("timeouts of other tools' hooks", () => {
  it.each([
    [1000, "warn"],
    [60_000, "warn"],
    [999, "ok"],
  ])("%i is %s: the host counts in seconds", async (timeout, state) => {
    const house = openHouse();
    user(house, JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "x", timeout }] }] } }));
    expect(await house.look(timeouts)).toMatchObject({ state });
  });
});

describe("our own settings", () => {
  it.each([
    [{ enabled: false }, /opted out/],
    [{ language: "klingon" }, /language must/],
  ])("%j is reported", async (layer, words) => {
    const settings = checkSettings([layer], []);
    expect(await openHouse().look(ownSettings, { settings })).toMatchObject({
      state: "warn",
      what: expect.stringMatching(words),
    });
  });
});
