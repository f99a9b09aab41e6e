import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundSession } from "../state/session/example-session.ts";
import { reduceSession, type Session } from "../state/session/session.ts";
import { checkSettings, gradedValues, isLooser } from "../state/settings/setting-rules.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { loosened, released, settingsInForce, tightened } from "./loosening.ts";

const bound: Session = boundSession();
const settingsOf = (layer: unknown): Settings => checkSettings([layer], ["no-a"]).settings;
const told = (settings: Settings): Session => ({
  ...bound,
  shown: [loosened(settings)?.en ?? ""],
  held: tightened(settings),
});

const loose = [
  { security: "trusted" },
  { security: "developer" },
  { branch: { protect: [] } },
  { publish: { release: "off" } },
  { lint: { before_commit: "off" } },
];
const strict = [
  { publish: { share: "deny" } },
  { publish: { release: "deny" } },
  { branch: { protect: ["main", "master", "release/*"] } },
  { lint: { before_commit: "ask" } },
  { policies: { "no-a": "on" } },
];

describe("settings that loosen protection", () => {
  it.each(loose)("%j applies only after the person was told", (layer) => {
    const settings = settingsOf(layer);
    expect(settingsInForce(settings, "PreToolUse", bound)).toEqual(defaultSettings);
    expect(settingsInForce(settings, "PreToolUse", told(settings))).toEqual(settings);
    expect(settingsInForce(settings, "UserPromptSubmit", bound)).toEqual(settings);
  });

  it.each(strict)("%j applies at once, and removing it only from the next prompt on", (layer) => {
    const settings = settingsOf(layer);
    expect(settingsInForce(settings, "PreToolUse", bound)).toEqual(settings);
    expect(settingsInForce(defaultSettings, "PreToolUse", told(settings))).toEqual(settings);
    expect(settingsInForce(defaultSettings, "UserPromptSubmit", told(settings))).toEqual(defaultSettings);
    expect(released(defaultSettings, tightened(settings))?.en).toContain("no longer set here");
    expect(released(settings, tightened(settings))).toBeUndefined();
  });

  it("`user` is an alias for strict", () => {
    expect(loosened(settingsOf({ security: "user" }))).toBeUndefined();
    expect(loosened(settingsOf({ security: "admin" }))?.en).toContain("security: admin");
  });

  it("an enabled policy cannot be disabled without telling the person", () => {
    const session = told(settingsOf({ policies: { "no-a": "on" } }));
    expect(settingsInForce(settingsOf({ policies: { "no-a": "off" } }), "PreToolUse", session).policies).toEqual({
      "no-a": "on",
    });
  });

  it("settings that were not announced are never looser than announced ones", () => {
    const layer = fc.record(
      {
        security: fc.constantFrom("strict", "user", "trusted", "admin", "developer"),
        publish: fc.record({ share: fc.constantFrom("off", "ask", "deny"), release: fc.constantFrom("off", "ask") }),
        branch: fc.record({ protect: fc.subarray(["main", "master", "trunk"]) }),
        lint: fc.record({ before_commit: fc.constantFrom("off", "warn", "ask") }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(layer, layer, (before, after) => {
        const [first, second] = [settingsOf(before), settingsOf(after)];
        const session = { ...told(first), shown: [] };
        const base = { ...gradedValues(defaultSettings), ...session.held };
        const inForce = gradedValues(settingsInForce(second, "PreToolUse", session));
        for (const [key, value] of Object.entries(base)) expect(isLooser(key, inForce[key], value)).toBe(false);
      }),
    );
  });
});

const withSecrets = (secrets: Partial<Settings["secrets"]>): Settings => ({
  ...defaultSettings,
  secrets: { ...defaultSettings.secrets, ...secrets },
});

describe("settings that loosen secret protection", () => {
  const loose = withSecrets({ env_files: "pass", exempt: ["~/.ssh/demo"], places: ["vault"] });

  it("apply to a running session only after the person was told; tightening applies at once", () => {
    const strict = { env_files: "ask", exempt: [], places: ["vault"] };
    expect(settingsInForce(loose, "PreToolUse", bound).secrets).toEqual(strict);
    const heard = { ...bound, shown: [loosened(loose)?.en ?? ""] };
    expect(settingsInForce(loose, "PreToolUse", heard).secrets).toEqual(loose.secrets);
    expect(settingsInForce(loose, "UserPromptSubmit", bound).secrets).toEqual(loose.secrets);
  });

  it("are listed by name, and again when a place is added", () => {
    expect(loosened(loose)?.en).toContain("secrets.env_files: pass, secrets.exempt: ~/.ssh/demo");
    const looser = withSecrets({ ...loose.secrets, exempt: ["~/.ssh/demo", "~/.ssh/id_rsa"] });
    const heard = { ...bound, shown: [loosened(loose)?.en ?? ""] };
    expect(settingsInForce(looser, "PreToolUse", heard).secrets.exempt).toEqual([]);
  });

  it("stricter settings are not announced as loosening", () => {
    expect(loosened(withSecrets({ env_files: "deny", places: ["x"] }))).toBeUndefined();
    expect(settingsInForce(withSecrets({ env_files: "deny" }), "PreToolUse", bound).secrets.env_files).toBe("deny");
  });
});

it.each(strict)("%j does not outlast its session: taken up again, it begins with what is set then", (layer) => {
  const begin = { record: "session", do: "begin", client: { pid: 8, started: "2" }, registration: {} } as const;
  const running: Session = { ...bound, held: tightened(settingsOf(layer)) };
  expect(settingsInForce(defaultSettings, "PreToolUse", running)).not.toEqual(defaultSettings);
  const resumed = reduceSession(reduceSession(running, { record: "session", do: "end" }, 9), begin, 10);
  expect(settingsInForce(defaultSettings, "PreToolUse", resumed)).toEqual(defaultSettings);
});
