import { describe, expect, it } from "vitest";
import { problemInWord, wordOf } from "./own-words.ts";
import { PROFILES } from "./profiles.ts";
import { checkSettings } from "./setting-rules.ts";
import { defaultSettings, problemWords } from "./settings.ts";

const word = { name: "ship-it", strong: ["ship it"], mode: "persistent" };
const check = (...layers: readonly unknown[]) => checkSettings(layers, []);
const words = (...entries: readonly unknown[]) => check({ modes: { words: entries } });

describe("a custom keyword", () => {
  it.each([
    ["with a mode", word],
    ["with a skill", { name: "release", weak: ["release"], skill: "release-notes" }],
    ["with a plugin's skill", { name: "release", weak: ["release"], skill: "acme:release.notes" }],
    ["with words", { name: "kaku", strong: ["書いて…9まとめて"], say: "Write it down." }],
    ["with vetoes", { ...word, veto: ["ship it later"] }],
  ])("%s", (_, value) => {
    expect(problemInWord(value)).toBeUndefined();
  });

  it.each([
    ["no map", "ship it", /must be a map with name/],
    ["null", null, /must be a map/],
    ["a list", [], /must be a map/],
    ["an unknown key", { ...word, when: "now" }, /when/],
    ["no name", { strong: ["ship it"], mode: "qa" }, /^name must be/],
    ["a name with blanks", { ...word, name: "ship it" }, /^name must be/],
    ["a long name", { ...word, name: "a".repeat(41) }, /^name must be/],
    ["a name that is no text", { ...word, name: 7 }, /^name must be/],
    ["a name of ours", { ...word, name: "cancel" }, /^name must not be cancel/],
    ["the name of a mode", { ...word, name: "turbo" }, /^name must not be turbo/],
    ["the name of a mode's skill", { ...word, name: "persistent-mode" }, /^name must not be/],
    ["strong is no list", { ...word, strong: "ship it" }, /^strong must be a list of at most 50 phrases/],
    ["too many phrases", { ...word, strong: Array(51).fill("ship it") }, /^strong must be a list of at most 50/],
    ["a phrase that is no text", { ...word, strong: [7] }, /^strong: "7" is not a text/],
    ["a phrase that is too short", { ...word, weak: ["go"] }, /^weak: "go" is too short/],
    ["a pattern of another language", { ...word, strong: ["ship.*it["] }, /^strong: "ship\.\*it\["/],
    ["a veto that is none", { ...word, veto: [""] }, /^veto: "" is empty/],
    ["no phrase at all", { name: "x", mode: "qa" }, /^strong or weak must have a phrase/],
    ["empty lists", { ...word, strong: [], weak: [] }, /^strong or weak must have a phrase/],
    ["nothing that it leads to", { name: "x", strong: ["ship it"] }, /^exactly one of mode, skill and say/],
    ["two things", { ...word, say: "Go." }, /^exactly one of mode, skill and say/],
    ["a mode that is none", { ...word, mode: "warp" }, /^mode must be "persistent", "qa", "turbo", not "warp"/],
    ["a skill that is no name", { name: "x", strong: ["ship it"], skill: "rm -rf /" }, /^skill must be the name/],
    ["a skill that is no text", { name: "x", strong: ["ship it"], skill: 7 }, /^skill must be the name/],
    ["nothing to say", { name: "x", strong: ["ship it"], say: "  " }, /^say must be a text of at most 350/],
    ["too much to say", { name: "x", strong: ["ship it"], say: "a".repeat(351) }, /^say must be a text/],
  ])("is invalid: %s", (_, value, message) => {
    expect(problemInWord(value)).toMatch(message);
  });

  it("omitted fields get their defaults", () => {
    expect(wordOf(word)).toEqual({ ...word, weak: [], veto: [] });
  });
});

describe("the setting modes.words", () => {
  it("valid keywords are kept, invalid ones are reported with their position", () => {
    const { settings, problems } = words(word, { ...word, name: "Bad Name" }, { ...word, name: "other" });
    expect(settings.modes.words.map(({ name }) => name)).toEqual(["ship-it", "other"]);
    expect(problems).toMatchObject([
      { key: "modes.words", entry: 1, message: expect.stringContaining("name must be") },
    ]);
  });

  it("a duplicate name is rejected, and the first one is kept", () => {
    const { settings, problems } = words(word, { ...word, mode: "qa" });
    expect(settings.modes.words).toMatchObject([{ mode: "persistent" }]);
    expect(problems).toMatchObject([{ entry: 1, message: expect.stringContaining("taken by another") }]);
  });

  it("every layer adds keywords, and none reuses a name of another layer", () => {
    const layer = (entry: object) => ({ modes: { words: [entry] } });
    const { settings, problems } = check(layer(word), layer({ ...word, name: "more" }), layer({ ...word, mode: "qa" }));
    expect(settings.modes.words.map(({ name, mode }) => `${name} ${mode}`)).toEqual([
      "ship-it persistent",
      "more persistent",
    ]);
    expect(problems).toHaveLength(1);
  });

  it.each([["a text"], [{}], [7], [null], [Array.from({ length: 51 }, () => word)]])(
    "a value that is not a list keeps the defaults and all other settings: %j",
    (value) => {
      const { settings, problems } = check({ modes: { words: value, keywords: false } });
      expect(settings.modes).toEqual({ ...defaultSettings.modes, keywords: false });
      expect(problems.map(problemWords).join()).toContain("modes.words");
    },
  );

  it("at most fifty keywords are accepted over all files", () => {
    const many = (from: number) => ({
      modes: { words: Array.from({ length: 30 }, (_, at) => ({ ...word, name: `w${from + at}` })) },
    });
    const { settings, problems } = check(many(0), many(30));
    expect(settings.modes.words).toHaveLength(50);
    expect(problems).toHaveLength(10);
    expect(problems[0]?.message).toContain("more than 50");
  });
});

describe("settings for modes and stop limits", () => {
  it("by default keywords are on, skills are off, and the budgets are set", () => {
    expect(check().settings.modes).toMatchObject({ keywords: true, skills: false, words: [], tasks: false });
    expect(check().settings.modes).toMatchObject({ persistent_max: 20, qa_max: 10, turbo_max: 30 });
    expect(check().settings.stop).toEqual({ ceiling: 60, idle: 3 });
  });

  it.each([
    ["modes.persistent_max", { modes: { persistent_max: 61 } }],
    ["modes.qa_max", { modes: { qa_max: 0 } }],
    ["modes.turbo_max", { modes: { turbo_max: 1.5 } }],
    ["modes.turbo_max", { modes: { turbo_max: "30" } }],
    ["modes.keywords", { modes: { keywords: "yes" } }],
    ["modes.reminder", { modes: { reminder: "often" } }],
    ["stop.ceiling", { stop: { ceiling: 0 } }],
    ["stop.ceiling", { stop: { ceiling: 1_000 } }],
    ["stop.idle", { stop: { idle: 11 } }],
  ])("%s: an invalid value is reported and the default is used", (key, layer) => {
    const { settings, problems } = check(layer);
    expect(problems.map((problem) => problem.key)).toEqual([key]);
    expect(settings).toEqual(defaultSettings);
  });
});

describe("profile drive", () => {
  const [SHARED, LOCAL, USER] = [
    "/work/project/.sekisho/config.yaml",
    "/work/project/.sekisho/config.local.yaml",
    "/home/dev/.config/sekisho/config.yaml",
  ];
  const named = (file: string, more: object = {}) => checkSettings([{ profile: "drive", ...more }], [], [], [file]);

  it("sets modes, tests, subagent verification and formatting", () => {
    expect(PROFILES.find(({ name }) => name === "drive")?.values).toEqual({
      "modes.skills": true,
      "modes.tasks": true,
      "quality.tests": "ask",
      "verify.subagents": "on",
      "format.enabled": true,
    });
    const { settings, problems } = named(USER);
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      ...defaultSettings,
      profile: { ...defaultSettings.profile, name: "drive" },
      modes: { ...defaultSettings.modes, skills: true, tasks: true },
      quality: { tests: "ask" },
      verify: { ...defaultSettings.verify, subagents: "on" },
      format: { ...defaultSettings.format, enabled: true },
    });
  });

  it("does not enable the formatter when named in the project's shared file", () => {
    const { settings, problems } = named(SHARED);
    expect(settings.format.enabled).toBe(false);
    expect(settings.modes).toMatchObject({ skills: true, tasks: true });
    expect(problems).toEqual([]);
  });

  it.each([[LOCAL], [USER]])("enables the formatter when named in %s", (file) => {
    expect(named(file).settings.format.enabled).toBe(true);
  });

  it("yields to settings that are set explicitly", () => {
    const { settings } = named(USER, { format: { enabled: false }, modes: { skills: false } });
    expect(settings.format.enabled).toBe(false);
    expect(settings.modes).toMatchObject({ skills: false, tasks: true });
  });

  it("is limited by the file of the strongest layer that names it", () => {
    const layers = [{ profile: "drive" }, { profile: "drive" }];
    expect(checkSettings(layers, [], [], [USER, SHARED]).settings.format.enabled).toBe(false);
    expect(checkSettings(layers, [], [], [SHARED, LOCAL]).settings.format.enabled).toBe(true);
  });
});
