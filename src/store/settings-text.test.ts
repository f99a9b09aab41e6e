import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { lineOf, withoutSetting, withSetting, yamlOf } from "./settings-text.ts";

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

describe("a setting put into the text of a file", () => {
  it.each([
    ["language", "en", "language: ja   # of the team", "language: en   # of the team"],
    ["audit.retention_days", 7, "  retention_days: 365  # days", "  retention_days: 7  # days"],
    ["audit.max_megabytes", 32, "  max_megabytes: 64", "  max_megabytes: 32"],
    ["branch.protect", ["main"], '  protect:\n    - main\n    - "release/*"', "  protect: [main]"],
    ["enabled", true, "# the end\n", "# the end\nenabled: true\n"],
    ["trust.failure_decay", 0.7, "# the end\n", "# the end\ntrust:\n  failure_decay: 0.7\n"],
    ["profile.name", "oath", "# the end\n", "# the end\nprofile: oath\n"],
  ])("%s changes its own lines and no other", (key, value, before, after) => {
    expect(withSetting(FILE, key, value)).toBe(FILE.replace(before, after));
  });

  it("goes to the others of its group, as far in as they are", () => {
    const text = "policies:\n    no-a: off\n\n# more\nlanguage: ja";
    expect(withSetting(text, "policies.no-b", "on")).toBe(
      "policies:\n    no-a: off\n    no-b: on\n\n# more\nlanguage: ja\n",
    );
    expect(withSetting("audit:\n# none yet\n", "audit.retention_days", 7)).toBe(
      "audit:\n  retention_days: 7\n# none yet\n",
    );
    expect(withSetting("audit: {}\n", "audit.retention_days", 7)).toBe("audit:\n  retention_days: 7\n");
  });

  it("a profile written as one word makes room for what else belongs to it, and keeps its word", () => {
    const grown = withSetting("profile: oath # strict\n", "profile.remote", "publish");
    expect(grown).toBe("profile: # strict\n  name: oath\n  remote: publish\n");
    expect(withSetting(grown, "profile.name", "balanced")).toBe(
      "profile: # strict\n  name: balanced\n  remote: publish\n",
    );
    expect(withSetting("profile: oath # strict\n", "profile.name", "balanced")).toBe("profile: balanced # strict\n");
  });

  it("line ends stay what they are, and a last line without one gets one", () => {
    expect(withSetting("language: ja\r\nenabled: true", "audit.retention_days", 7)).toBe(
      "language: ja\r\nenabled: true\r\naudit:\r\n  retention_days: 7\r\n",
    );
  });

  it("a list may stand as far left as its key, and a comment sign in quotes is none", () => {
    const text = 'secrets:\n  places:\n  - "a # b"\n  - c\n  exempt: ["x # y"] # mine\n';
    expect(withSetting(text, "secrets.places", ["d"])).toBe('secrets:\n  places: [d]\n  exempt: ["x # y"] # mine\n');
    expect(withSetting(text, "secrets.exempt", ["z"])).toContain("  exempt: [z] # mine\n");
  });
});

describe("a setting taken out of the text of a file", () => {
  it("takes its lines, and its group when nothing is left in it", () => {
    expect(withoutSetting(FILE, "language")).toBe(FILE.replace("language: ja   # of the team\n", ""));
    expect(withoutSetting(FILE, "audit.retention_days")).toBe(FILE.replace("  retention_days: 365  # days\n", ""));
    const without = withoutSetting(FILE, "branch.protect");
    expect(without).toBe(FILE.replace('branch:\n  protect:\n    - main\n    - "release/*"\n', ""));
    expect(withoutSetting("profile: oath\n", "profile.name")).toBe("");
    expect(withoutSetting("profile:\n  name: oath\n  remote: deny\n", "profile.name")).toBe(
      "profile:\n  remote: deny\n",
    );
  });

  it("what is not there leaves the text as it is", () => {
    for (const key of ["enabled", "audit.level", "trust.approve", "profile.name"])
      expect(withoutSetting(FILE, key)).toBe(FILE);
  });
});

it("whatever is set and unset, the file says that and what it said before", () => {
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

it("a word that YAML would read as something else is put in quotes", () => {
  for (const word of ["true", "null", "7", "", "a: b", "- x", "# x", "on fire"]) expect(load(yamlOf(word))).toBe(word);
  expect([yamlOf("oath"), yamlOf("off"), yamlOf(0.7), yamlOf(["main", "release/*"])]).toEqual([
    "oath",
    "off",
    "0.7",
    '[main, "release/*"]',
  ]);
});

describe("the line of a setting", () => {
  it.each([
    ["language", 2],
    ["audit", 3],
    ["audit.retention_days", 5],
    ["audit.none", 3],
    ["branch.protect", 9],
    ["novel", undefined],
  ])("%s stands in line %s", (key, line) => expect(lineOf(FILE, key)).toBe(line));

  it("of an entry of a list, however far in it stands", () => {
    expect([0, 1, 2].map((entry) => lineOf(FILE, "branch.protect", entry))).toEqual([10, 11, 9]);
    const rules = "gates:\n  rules:\n  - name: a\n    when:\n      globs:\n        - x\n\n  # two\n  - name: b\n";
    expect([0, 1].map((entry) => lineOf(rules, "gates.rules", entry))).toEqual([3, 9]);
  });

  it("is as near as the writing allows", () => {
    expect(lineOf("a: 1\ngates: {rules: [1]}\n", "gates.rules", 0)).toBe(2);
    expect(lineOf('"a.b": 1\n', "a.b")).toBe(1);
    expect(lineOf("a: 1\r\nb:\r\n  c: 2\r\n", "b.c")).toBe(3);
  });
});
