import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSettings, isLooser, settingRules } from "./setting-rules.ts";
import { defaultSettings, problemWords } from "./settings.ts";

const known = ["no-a", "no-b"];
const check = (...layers: readonly unknown[]) => checkSettings(layers, known);

describe("settings", () => {
  it("every default has a rule and satisfies it", () => {
    const { policies: _, ...rest } = defaultSettings;
    const defaults = Object.entries(rest).flatMap(([group, value]): [string, unknown][] =>
      typeof value === "object" && !Array.isArray(value)
        ? Object.entries(value).map(([key, leaf]) => [`${group}.${key}`, leaf])
        : [[group, value]],
    );
    expect(defaults.map(([key]) => key).sort()).toEqual(Object.keys(settingRules()).sort());
    for (const [key, value] of defaults) expect(settingRules()[key]?.holds(value), key).toBe(true);
  });

  it("TS-15 a missing or empty file gives the defaults", () => {
    for (const layer of [undefined, null, {}])
      expect(check(layer)).toEqual({ settings: defaultSettings, problems: [], custom: [] });
  });

  it("TS-15 a partial file changes only what it names", () => {
    const { settings, custom } = check({ audit: { retention_days: 7 }, policies: { "no-a": "off" } });
    expect(settings).toEqual({
      ...defaultSettings,
      audit: { ...defaultSettings.audit, retention_days: 7 },
      policies: { "no-a": "off" },
    });
    expect(custom).toEqual(["audit.retention_days", "policies.no-a"]);
  });

  it("a check command is set by the check's name, and an empty one disables the check", () => {
    const { settings, problems } = check(
      { verify: { commands: ["test=a", "lint="] } },
      { verify: { commands: ["test=b"] } },
    );
    expect(problems).toEqual([]);
    expect(settings.verify.commands).toEqual(["test=a", "lint=", "test=b"]);
    const [problem] = check({ verify: { commands: ["tests=x"] } }).problems;
    expect(problem?.message).toContain('entries like "test=npm test"');
    expect(problem?.message).toContain("lint, typecheck, test, build, security");
  });

  it("lists add up: no layer removes entries of another", () => {
    const { settings, custom } = check({ secrets: { places: ["a"] } }, { secrets: { places: ["b"], exempt: ["c"] } });
    expect(settings.secrets).toEqual({ env_files: "ask", places: ["a", "b"], exempt: ["c"] });
    expect(custom).toEqual(["secrets.places", "secrets.exempt"]);
    expect(defaultSettings.secrets.places).toEqual([]);
  });

  it.each([
    ["enabled", { enabled: "no" }],
    ["language", { language: "fr" }],
    ["ask.headless", { ask: { headless: "allow" } }],
    ["audit.retention_days", { audit: { retention_days: 0 } }],
    ["audit.retention_days", { audit: { retention_days: 1.5 } }],
    ["audit.max_megabytes", { audit: { max_megabytes: "many" } }],
    ["policies.no-a", { policies: { "no-a": "maybe" } }],
    ["secrets.env_files", { secrets: { env_files: "never" } }],
    ["secrets.places", { secrets: { places: "certs" } }],
    ["secrets.exempt", { secrets: { exempt: [""] } }],
    ["secrets.exempt", { secrets: { exempt: Array(101).fill("x") } }],
    ["verify.commands", { verify: { commands: "test=npm test" } }],
    ["verify.commands", { verify: { commands: ["npm test"] } }],
    ["verify.commands", { verify: { commands: ["tests=npm test"] } }],
    ["verify.commands", { verify: { commands: ["=npm test"] } }],
    ["verify.commands", { verify: { commands: ["test=a\nb"] } }],
    ["verify.commands", { verify: { commands: [`test=${"x".repeat(300)}`] } }],
    ["verify.commands", { verify: { commands: Array(21).fill("test=x") } }],
    ["policies.no-such", { policies: { "no-such": "off" } }],
    ["novel", { novel: 1 }],
    ["trust.initial_score", { trust: { initial_score: 0.51 } }],
    ["trust.initial_score", { trust: { initial_score: -0.1 } }],
    ["trust.initial_score", { trust: { initial_score: "0.3" } }],
    ["trust.hibernation_days", { trust: { hibernation_days: 0 } }],
    ["trust.boost_threshold", { trust: { boost_threshold: 0 } }],
    ["trust.boost_threshold", { trust: { boost_threshold: "20; system(1)" } }],
    ["trust.warmup_operations", { trust: { warmup_operations: 0 } }],
    ["trust.warmup_operations", { trust: { warmup_operations: 11 } }],
    ["trust.failure_decay", { trust: { failure_decay: 0.49 } }],
    ["trust.failure_decay", { trust: { failure_decay: 1 } }],
    ["trust.recovery_boost_multiplier", { trust: { recovery_boost_multiplier: 0.99 } }],
    ["trust.recovery_boost_multiplier", { trust: { recovery_boost_multiplier: 5.01 } }],
    ["trust.recovery_boost_multiplier", { trust: { recovery_boost_multiplier: Number.NaN } }],
    ["trust.approve", { trust: { approve: "yes" } }],
    ["risk.lambda1", { risk: { lambda1: 1.01 } }],
    ["risk.lambda1", { risk: { lambda1: -0.01 } }],
    ["risk.lambda2", { risk: { lambda2: 1.01 } }],
    ["risk.lambda2", { risk: { lambda2: null } }],
    ["autonomy.auto_approve_threshold", { autonomy: { auto_approve_threshold: 0.49 } }],
    ["autonomy.auto_approve_threshold", { autonomy: { auto_approve_threshold: 1.01 } }],
    ["autonomy.human_required_threshold", { autonomy: { human_required_threshold: 0.71 } }],
    ["autonomy.human_required_threshold", { autonomy: { human_required_threshold: -0.1 } }],
    ["autonomy.auto_approve_threshold", { autonomy: { auto_approve_threshold: 0.6, human_required_threshold: 0.6 } }],
    ["profile.trust_gate_threshold", { profile: { trust_gate_threshold: 2 } }],
    ["profile.name", { profile: "zen" }],
    ["stance.default", { stance: { default: "idle" } }],
    ["model.apply", { model: { apply: 1 } }],
    ["trust.trust_score_override", { trust: { trust_score_override: 1 } }],
    ["(file)", ["a list"]],
    ["(file)", "words"],
  ])("TS-15 TR-91 TR-92 TR-94 an invalid value of %s is reported and ignored", (key, layer) => {
    const { settings, problems } = check(layer);
    expect(settings).toEqual(defaultSettings);
    expect(problems.map((problem) => problem.key)).toEqual([key]);
  });

  it("TS-15 an invalid value in a stronger layer keeps the value of the weaker one", () => {
    const { settings } = check({ audit: { retention_days: 30 } }, { audit: { retention_days: -1 }, language: "ja" });
    expect(settings.audit.retention_days).toBe(30);
    expect(settings.language).toBe("ja");
  });

  it("TS-15 values at the limits of their rules are accepted", () => {
    const edges = {
      trust: { initial_score: 0.5, warmup_operations: 10, failure_decay: 0.5, recovery_boost_multiplier: 5 },
      risk: { lambda1: 0, lambda2: 1 },
      autonomy: { auto_approve_threshold: 1, human_required_threshold: 0.7 },
    };
    const { settings, problems } = check(edges);
    expect(problems).toEqual([]);
    expect(settings).toMatchObject(edges);
  });

  it("a list equal to the default is not custom", () => {
    expect(check({ branch: { protect: ["main", "master"] } }).custom).toEqual([]);
  });

  it("a problem names its file, and every value its origin", () => {
    const layers = [
      { language: "ja", profile: "oath" },
      { language: "fr", autonomy: { auto_approve_threshold: 0.5 } },
    ];
    const later = { autonomy: { human_required_threshold: 0.6 } };
    const { problems, from } = checkSettings([...layers, later, "words"], known, [], ["a", "b", "c", "d"]);
    expect(problems.map(problemWords)).toEqual([
      "d must be a map of settings; it is ignored",
      expect.stringMatching(/^language must be "auto" or .* "ja" is used \(in b\)$/),
      expect.stringMatching(/^autonomy.auto_approve_threshold must be greater than .* \(in b\)$/),
    ]);
    expect(from).toMatchObject({ language: "a", "profile.name": "a", "profile.remote": "profile oath" });
  });

  it.each([
    ["trust.intial_score", { trust: { intial_score: 0.1 } }, "trust.initial_score"],
    ["langauge", { langauge: "ja" }, "language"],
    ["profil", { profil: "oath" }, "profile"],
    ["retention_days", { retention_days: 7 }, "audit.retention_days or undo.retention_days"],
    ["no-a", { "no-a": "off" }, "policies.no-a"],
    ["policies.no_a", { policies: { no_a: "off" } }, "no-a"],
  ])("a misspelled %s gets a suggestion", (key, layer, meant) => {
    const { problems } = check(layer);
    expect(problems).toEqual([{ key, message: expect.stringContaining(`(did you mean ${meant}?); it is ignored`) }]);
  });

  it("an empty group is accepted, and a group with a value is reported with its settings", () => {
    expect(check({ audit: null, policies: null }).problems).toEqual([]);
    expect(check({ audit: "off" }).problems).toEqual([
      {
        key: "audit",
        message: 'is a group of settings (audit.retention_days, audit.max_megabytes), not "off"; it is ignored',
      },
    ]);
  });

  it("no suggestion is made when no name is close", () => {
    expect(check({ colour: 1 }).problems[0]?.message).toBe("is not a setting; it is ignored");
    expect(check({ ["x".repeat(10_000)]: 1 }).problems[0]?.message).toBe("is not a setting; it is ignored");
  });

  it("policies accept booleans, as YAML reads on and off", () => {
    expect(check({ policies: { "no-a": false, "no-b": true } }).settings.policies).toEqual({
      "no-a": "off",
      "no-b": "on",
    });
  });

  describe("GT-45 a command setting", () => {
    const command = { activity: { hint: true, command: "classify --fast" } };
    const at = (file: string) => checkSettings([command], known, [], [file]);

    it("is accepted in the person's own file", () => {
      const { settings, problems } = at("/home/dev/.config/sekisho/config.yaml");
      expect([settings.activity, problems]).toEqual([command.activity, []]);
    });

    it.each(["/p/.sekisho/config.yaml", "/p/.sekisho/config.local.yaml"])(
      "is rejected in %s, which may come with a copy of the project",
      (file) => {
        const { settings, problems, custom } = at(file);
        expect(settings.activity).toEqual({ hint: true, command: "" });
        expect(custom).toEqual(["activity.hint"]);
        expect(problems).toEqual([
          { key: "activity.command", file, message: expect.stringContaining("your own settings file (--scope user)") },
        ]);
      },
    );

    it("a project can neither change nor remove the person's own command", () => {
      const layers = [command, { activity: { command: "evil" } }, { activity: { command: "" } }];
      const files = ["/h/.config/sekisho/config.yaml", "/p/.sekisho/config.yaml", "/p/.sekisho/config.local.yaml"];
      const { settings, problems } = checkSettings(layers, known, [], files);
      expect([settings.activity.command, problems.length]).toEqual(["classify --fast", 2]);
    });

    it.each([["two\nlines"], ["x".repeat(501)], [7], [null], [["a"]], ["nul\0"]])(
      "must be one short line, not %j",
      (value) => {
        const { settings, problems } = check({ activity: { command: value } });
        expect([settings.activity.command, problems.length]).toEqual(["", 1]);
      },
    );

    it("counts as looser when it is set, so that the person is told", () => {
      expect(isLooser("activity.command", "x", "")).toBe(true);
      expect(isLooser("activity.command", "", "x")).toBe(false);
    });
  });

  it("settings stay valid whatever a file contains", () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(true, false, "on", "off", "ja", "ask", 7));
    const key = fc.constantFrom("enabled", "language", "ask", "audit", "policies", "__proto__", "constructor", "x");
    fc.assert(
      fc.property(
        fc.dictionary(
          key,
          fc.oneof(value, fc.dictionary(fc.constantFrom("headless", "retention_days", "no-a", "toString"), value)),
        ),
        (layer) => {
          const { settings } = check(layer);
          for (const [path, rule] of Object.entries(settingRules())) {
            const [group = "", leaf] = path.split(".");
            const found = (settings as unknown as Record<string, unknown>)[group];
            expect(rule.holds(leaf === undefined ? found : (found as Record<string, unknown>)[leaf])).toBe(true);
          }
        },
      ),
    );
  });
});

describe("MD-82 formatter settings", () => {
  const user = "/home/dev/.config/sekisho/config.yaml";
  const shared = "/home/dev/project/.sekisho/config.yaml";
  const local = "/home/dev/project/.sekisho/config.local.yaml";
  const said = { format: { enabled: true, commands: ["py,pyi=/usr/bin/ruff format {file}"] } };

  it.each([user, local])("are accepted in the person's own file: %s", (file) => {
    const { settings, problems } = checkSettings([said], known, [], [file]);
    expect({ format: settings.format, problems }).toEqual({ ...said, problems: [] });
  });

  it("are ignored in the project's shared file, which cannot switch them off either", () => {
    const alone = checkSettings([said], known, [], [shared]);
    expect(alone.settings.format).toEqual(defaultSettings.format);
    expect(alone.problems.map(problemWords)).toEqual([
      expect.stringContaining("format.enabled says what runs on your machine"),
      expect.stringContaining("format.commands says what runs on your machine"),
    ]);
    const off = { format: { enabled: false } };
    expect(checkSettings([said, off], known, [], [user, shared]).settings.format).toEqual(said.format);
  });

  it.each([
    "ruff format {file}",
    "py=ruff format",
    "py={file}",
    "py=ruff format '{file}'",
    "=ruff {file}",
    ".py=ruff {file}",
    "py= ",
    "py=ruff\n{file}",
    7,
  ])("reject an invalid command: %s", (entry) => {
    const { settings, problems } = check({ format: { commands: [entry] } });
    expect(settings.format.commands).toEqual([]);
    expect(problems).toMatchObject([
      { key: "format.commands", message: expect.stringContaining("py=ruff format {file}") },
    ]);
  });
});
