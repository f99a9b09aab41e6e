import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST, registrations } from "../../hosts/index.ts";
import { examine, repairAll } from "./checks.ts";
import { type House, openHouse } from "./example-house.ts";
import { doubleRegistration, registration } from "./look-registration.ts";

const { registrationIn } = registrations[HOST];

const change = ({ settings }: House, how: (text: string) => string): void =>
  writeFileSync(settings, how(readFileSync(settings, "utf8")));
const repaired = async (house: House, check: Parameters<House["look"]>[0]) =>
  repairAll(await examine(house.premises(), [check]), () => house.premises());

describe("EH-15 the registration", () => {
  it.each([
    ["plain", 5],
    // The end of a turn has a witness there.
    ["fast", 6],
  ] as const)("that is complete on the %s lane is fine, and its hooks are counted", async (lane, count) => {
    const { look, settings } = openHouse(lane);
    expect(await look(registration)).toEqual({ state: "ok", what: `${count} hooks (${lane} lane) in ${settings}` });
  });

  it("is reported when missing, and a repair is left to the person", async () => {
    const house = openHouse();
    change(house, () => "{}");
    const finding = await house.look(registration);
    expect(finding).toMatchObject({ state: "fail", fix: expect.stringContaining("sekisho init") });
    expect("repair" in finding).toBe(false);
  });

  it("of an enabled plugin counts", async () => {
    const house = openHouse();
    change(house, () => '{"enabledPlugins":{"sekisho@sekisho":true}}');
    expect(await house.look(registration)).toEqual({
      state: "ok",
      what: `by the plugin that is enabled in ${house.settings}`,
    });
    expect(await house.look(doubleRegistration)).toEqual({ state: "ok", what: "in one place" });
  });

  it.each([
    ["an event is missing", (text: string) => text.replace('"ConfigChange"', '"Setup"'), /ConfigChange/],
    ["a time-out is gone", (text: string) => text.replace(/"timeout": 15/, '"timeout": 600'), /Stop/],
    [
      "a gate no longer blocks",
      (text: string) => text.replace('"onFailure": "block"', '"onFailure": "continue"'),
      /PreToolUse/,
    ],
    [
      "the matcher was narrowed",
      (text: string) => text.replace(/"matcher": "\^[^"]+"/, '"matcher": "Bash"'),
      /PreToolUse/,
    ],
  ])("in which %s is reported and rewritten", async (_, damage, words) => {
    const house = openHouse();
    const before = readFileSync(house.settings, "utf8");
    change(house, damage);
    expect(await house.look(registration)).toMatchObject({ state: "fail", what: expect.stringMatching(words) });
    expect(await repaired(house, registration)).toMatchObject([{ id: "registration", ok: true }]);
    expect(JSON.parse(readFileSync(house.settings, "utf8"))).toEqual(JSON.parse(before));
  });

  it("of another version is checked only at its gates, and not rewritten", async () => {
    const house = openHouse();
    change(house, (text) => text.replace('"ConfigChange"', '"Setup"'));
    expect((await house.look(registration, { version: "2.0.0" })).state).toBe("ok");
    change(house, (text) => text.replace('"onFailure": "block"', '"onFailure": "continue"'));
    const finding = await house.look(registration, { version: "2.0.0" });
    expect(finding).toMatchObject({ state: "fail", fix: expect.stringContaining("upgrade --to this") });
    expect("repair" in finding).toBe(false);
  });

  it("keeps other tools' hooks when it is rewritten", async () => {
    const house = openHouse();
    const foreign = { hooks: [{ type: "command", command: "notify-send hi" }] };
    change(house, (text) => {
      const value = JSON.parse(text) as { hooks: Record<string, unknown[]> };
      return JSON.stringify({ ...value, hooks: { ...value.hooks, ConfigChange: [foreign] } });
    });
    await repaired(house, registration);
    expect(JSON.parse(readFileSync(house.settings, "utf8")).hooks.ConfigChange[0]).toEqual(foreign);
    expect((await house.look(registration)).state).toBe("ok");
  });
});

describe("a double registration", () => {
  it("is reported with every place; the one with the widest scope stays", async () => {
    const house = openHouse();
    const user = house.write(join(house.home, ".claude/settings.json"), readFileSync(house.settings, "utf8"));
    const finding = await house.look(doubleRegistration);
    expect(finding).toMatchObject({ state: "fail", what: expect.stringContaining(user) });
    expect(finding.what).toContain(house.settings);
    expect(await repaired(house, doubleRegistration)).toMatchObject([
      { ok: true, words: expect.stringContaining(house.settings) },
    ]);
    expect(registrationIn(readFileSync(user, "utf8"))?.hooks).toHaveLength(5);
    // The file is removed, because it contained nothing else.
    expect(existsSync(house.settings)).toBe(false);
    expect((await house.look(doubleRegistration)).state).toBe("ok");
  });

  it("in a file tracked by git is left to the person", async () => {
    const house = openHouse();
    const user = house.write(join(house.home, ".claude/settings.json"), readFileSync(house.settings, "utf8"));
    house.write(join(house.project, ".claude/settings.json"), readFileSync(user, "utf8"));
    change(house, () => "{}");
    const finding = await house.look(doubleRegistration);
    expect(finding).toMatchObject({ state: "fail", fix: expect.stringContaining("sekisho uninstall --scope") });
    expect("repair" in finding).toBe(false);
  });

  it("by the plugin is reported too", async () => {
    const house = openHouse();
    house.write(join(house.home, ".claude/settings.json"), '{"enabledPlugins":{"sekisho@market":true}}');
    expect(await house.look(doubleRegistration)).toMatchObject({
      state: "fail",
      what: expect.stringContaining("plugin"),
    });
  });
});
