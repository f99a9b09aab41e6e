import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { withoutSetting, withSetting, yamlOf } from "./settings-text.ts";

const FILE = `# What we agreed on.
language: ja   # of the team
audit:
  # a year
  retention_days: 365  # days
  max_megabytes: 64

branch:
  protect:
    - main
    - "release/*"
# the end
`;

describe("setting a value in a settings file", () => {
  it.each([
    ["language", "en", "language: ja   # of the team", "language: en   # of the team"],
    ["audit.retention_days", 7, "  retention_days: 365  # days", "  retention_days: 7  # days"],
    ["audit.max_megabytes", 32, "  max_megabytes: 64", "  max_megabytes: 32"],
    ["branch.protect", ["main"], '  protect:\n    - main\n    - "release/*"', "  protect: [main]"],
    ["enabled", true, "# the end\n", "# the end\nenabled: true\n"],
    ["trust.failure_decay", 0.7, "# the end\n", "# the end\ntrust:\n  failure_decay: 0.7\n"],
    ["profile.name", "oath", "# the end\n", "# the end\nprofile: oath\n"],
  ])("%s changes only its own lines", (key, value, before, after) => {
    expect(withSetting(FILE, key, value)).toBe(FILE.replace(before, after));
  });

  it("adds the setting to its group, with the same indentation", () => {
    const text = "policies:\n    no-a: off\n\n# more\nlanguage: ja";
    expect(withSetting(text, "policies.no-b", "on")).toBe(
      "policies:\n    no-a: off\n    no-b: on\n\n# more\nlanguage: ja\n",
    );
    expect(withSetting("audit:\n# none yet\n", "audit.retention_days", 7)).toBe(
      "audit:\n  retention_days: 7\n# none yet\n",
    );
    expect(withSetting("audit: {}\n", "audit.retention_days", 7)).toBe("audit:\n  retention_days: 7\n");
  });

  it("expands a one-word profile when another profile setting is added, and keeps its name", () => {
    const grown = withSetting("profile: oath # strict\n", "profile.remote", "publish");
    expect(grown).toBe("profile: # strict\n  name: oath\n  remote: publish\n");
    expect(withSetting(grown, "profile.name", "balanced")).toBe(
      "profile: # strict\n  name: balanced\n  remote: publish\n",
    );
    expect(withSetting('profile: "" # none\n', "profile.remote", "deny")).toBe(
      'profile: # none\n  name: ""\n  remote: deny\n',
    );
    expect(withSetting("profile: oath # strict\n", "profile.name", "balanced")).toBe("profile: balanced # strict\n");
  });

  it("keeps the line endings, and adds one to the last line", () => {
    expect(withSetting("language: ja\r\nenabled: true", "audit.retention_days", 7)).toBe(
      "language: ja\r\nenabled: true\r\naudit:\r\n  retention_days: 7\r\n",
    );
  });

  it("handles lists that are not indented, and comment signs in quotes", () => {
    const text = 'secrets:\n  places:\n  - "a # b"\n  - c\n  exempt: ["x # y"] # mine\n';
    expect(withSetting(text, "secrets.places", ["d"])).toBe('secrets:\n  places: [d]\n  exempt: ["x # y"] # mine\n');
    expect(withSetting(text, "secrets.exempt", ["z"])).toContain("  exempt: [z] # mine\n");
  });
});

describe("a file written in other ways", () => {
  it.each([
    ["a map on one line", "audit: {a: 1, b: [x, y]} # c\n", "audit: {a: 7, b: [x, y]} # c\n"],
    ["a map on one line without the key", "audit: {b: 2,} # c\n", "audit: {b: 2, a: 7,} # c\n"],
    ["a map over several lines", "audit: {\n  b: 2, # two\n}\n", "audit: {\n  b: 2, a: 7, # two\n}\n"],
    ["one map for the whole file", "{language: ja}\n", "{language: ja, audit: {a: 7}}\n"],
    ["an empty map for the whole file", "{}\n", "{audit: {a: 7}}\n"],
    ["JSON", '{"audit":{"a":1,"b":2}}\n', '{"audit":{"a":7,"b":2}}\n'],
    ["quoted keys", "'audit':\n  \"a\": 1\n", "'audit':\n  \"a\": 7\n"],
    ["a value over several lines", "audit:\n  a: one\n    two # c\n  b: 2\n", "audit:\n  a: 7 # c\n  b: 2\n"],
    ["a block of text", "audit:\n  a: |\n    # text\n\n  # kept\n  b: 2\n", "audit:\n  a: 7\n\n  # kept\n  b: 2\n"],
    ["a list with a comment at its key", "audit:\n  a: # c\n  - x # y\n  # kept\n", "audit:\n  a: 7 # c\n  # kept\n"],
    ["a tag", "audit:\n  a: !!str 1\n", "audit:\n  a: 7\n"],
    ["no value yet", "audit:\n  a: # c\n  b: 2\n", "audit:\n  a: 7 # c\n  b: 2\n"],
    ["an empty map with a comment", "audit: {} # c\n", "audit: # c\n  a: 7\n"],
    ["marks of a document", "---\nlanguage: ja\n...\n", "---\nlanguage: ja\naudit:\n  a: 7\n...\n"],
    ["a byte order mark", "\uFEFFaudit:\n  a: 1\n", "\uFEFFaudit:\n  a: 7\n"],
    ["more blanks than needed", "audit:\n\n\n    a:    1      # c\n\n\n", "audit:\n\n\n    a:    7      # c\n\n\n"],
  ])("%s: the setting changes and nothing else", (_, before, after) => {
    expect(withSetting(before, "audit.a", 7)).toBe(after);
    expect(withSetting(after, "audit.a", 7)).toBe(after);
  });

  it.each([
    ["cannot be read", "audit: [\n"],
    ["has a key twice", "audit:\n  a: 1\n  a: 2\n"],
    ["is a list", "- audit\n"],
    ["shares its group with another", "undo: &all {b: 1}\naudit: *all\n"],
    ["has a word for a group", "audit: full\n"],
  ])("comes back as it was when it %s", (_, text) => {
    expect(withSetting(text, "audit.a", 7)).toBe(text);
    expect(withoutSetting(text, "audit.a")).toBe(text);
  });

  it.each([
    ["audit: {a: 1, b: 2} # c\n", "audit: {b: 2} # c\n"],
    ["audit: {b: 2, a: 1}\n", "audit: {b: 2}\n"],
    ["audit: {a: 1}\nundo: {}\n", "undo: {}\n"],
    ["{audit: {a: 1}, undo: {}}\n", "{undo: {}}\n"],
    ["audit:\n  # kept\n  a: # gone\n  - x\n  b: 2\n", "audit:\n  # kept\n  b: 2\n"],
    ["audit:\n  # kept\n  a: 1\nundo: {}\n", "  # kept\nundo: {}\n"],
    ["\uFEFFaudit:\n  a: 1\nundo: {}\n", "\uFEFFundo: {}\n"],
  ])("%j without the setting is %j", (before, after) => expect(withoutSetting(before, "audit.a")).toBe(after));
});

describe("removing a setting from a settings file", () => {
  it("removes its lines, and its group when that becomes empty", () => {
    expect(withoutSetting(FILE, "language")).toBe(FILE.replace("language: ja   # of the team\n", ""));
    expect(withoutSetting(FILE, "audit.retention_days")).toBe(FILE.replace("  retention_days: 365  # days\n", ""));
    const without = withoutSetting(FILE, "branch.protect");
    expect(without).toBe(FILE.replace('branch:\n  protect:\n    - main\n    - "release/*"\n', ""));
    expect(withoutSetting("profile: oath\n", "profile.name")).toBe("");
    expect(withoutSetting("profile:\n  name: oath\n  remote: deny\n", "profile.name")).toBe(
      "profile:\n  remote: deny\n",
    );
  });

  it("leaves the text unchanged when the setting is not there", () => {
    for (const key of ["enabled", "audit.level", "trust.approve", "profile.name"])
      expect(withoutSetting(FILE, key)).toBe(FILE);
  });
});

it("any sequence of set and unset leaves the other settings unchanged", () => {
  const keys = [
    "language",
    "audit.retention_days",
    "audit.max_megabytes",
    "profile.name",
    "profile.remote",
    "secrets.places",
  ];
  const value = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("a", " ", "\n", "\t", "#", ":", "-", "'", '"', ",", "]", "\\") }),
    fc.constantFrom("oath", "a # b", "it's", "true", "null", "~", "- x", "[", "a: b"),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const step = fc.tuple(fc.constantFrom(...keys), fc.option(value, { nil: undefined }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      let text = "# first\nundo:\n  retention_days: 3 # kept\n";
      const said: Record<string, unknown> = { "undo.retention_days": 3 };
      for (const [key, wanted] of steps) {
        text = wanted === undefined ? withoutSetting(text, key) : withSetting(text, key, wanted);
        if (wanted === undefined) delete said[key];
        else said[key] = wanted;
      }
      expect(entriesOf(load(text))).toEqual(said);
      expect(text).toMatch(/^# first\nundo:\n {2}retention_days: 3 # kept\n/);
    }),
  );
});

function entriesOf(layer: unknown): Record<string, unknown> {
  const entries = Object.entries(layer as object).flatMap(([group, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([leaf, inner]) => [`${group}.${leaf}`, inner])
      : [[group === "profile" ? "profile.name" : group, value]],
  );
  return Object.fromEntries(entries);
}

it("a word that YAML would read as another type is quoted", () => {
  for (const word of ["true", "null", "7", "", "a: b", "- x", "# x", "on fire", "a\nb", "\n $\n"])
    expect(load(yamlOf(word))).toBe(word);
  expect([yamlOf("oath"), yamlOf("off"), yamlOf(0.7), yamlOf(["main", "release/*"])]).toEqual([
    "oath",
    "off",
    "0.7",
    "[main, release/*]",
  ]);
});
