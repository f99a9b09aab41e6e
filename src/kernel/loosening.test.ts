import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newSession, type Session } from "../state/session.ts";
import { checkSettings, gradedValues, isLooser } from "../state/setting-rules.ts";
import { defaultSettings, type Settings } from "../state/settings.ts";
import { loosened, released, settingsInForce, tightened } from "./loosening.ts";

const bound: Session = { ...newSession(0), client: { pid: 7, started: "1" } };
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

describe("settings that open something", () => {
  it.each(loose)("%j counts once a person was told, and not before", (layer) => {
    const settings = settingsOf(layer);
    expect(settingsInForce(settings, "PreToolUse", bound)).toEqual(defaultSettings);
    expect(settingsInForce(settings, "PreToolUse", told(settings))).toEqual(settings);
    expect(settingsInForce(settings, "UserPromptSubmit", bound)).toEqual(settings);
  });

  it.each(strict)("%j counts at once, and taking it away only from the next prompt", (layer) => {
    const settings = settingsOf(layer);
    expect(settingsInForce(settings, "PreToolUse", bound)).toEqual(settings);
    expect(settingsInForce(defaultSettings, "PreToolUse", told(settings))).toEqual(settings);
    expect(settingsInForce(defaultSettings, "UserPromptSubmit", told(settings))).toEqual(defaultSettings);
    expect(released(defaultSettings, tightened(settings))?.en).toContain("no longer set here");
    expect(released(settings, tightened(settings))).toBeUndefined();
  });

  it("`user` is strict by another name", () => {
    expect(loosened(settingsOf({ security: "user" }))).toBeUndefined();
    expect(loosened(settingsOf({ security: "admin" }))?.en).toContain("security: admin");
  });

  it("a policy that was switched on cannot be switched off behind the person's back", () => {
    const session = told(settingsOf({ policies: { "no-a": "on" } }));
    expect(settingsInForce(settingsOf({ policies: { "no-a": "off" } }), "PreToolUse", session).policies).toEqual({
      "no-a": "on",
    });
  });

  it("nothing that was not told is looser than what was told, whatever the file says", () => {
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

describe("what a settings file loosens about secrets", () => {
  const loose = withSecrets({ env_files: "pass", exempt: ["~/.ssh/demo"], places: ["vault"] });

  it("counts for a running session once a person was told, and what it tightens at once", () => {
    const strict = { env_files: "ask", exempt: [], places: ["vault"] };
    expect(settingsInForce(loose, "PreToolUse", bound).secrets).toEqual(strict);
    const heard = { ...bound, shown: [loosened(loose)?.en ?? ""] };
    expect(settingsInForce(loose, "PreToolUse", heard).secrets).toEqual(loose.secrets);
    expect(settingsInForce(loose, "UserPromptSubmit", bound).secrets).toEqual(loose.secrets);
  });

  it("is told by name, and told again when another place is added", () => {
    expect(loosened(loose)?.en).toContain("secrets.env_files: pass, secrets.exempt: ~/.ssh/demo");
    const looser = withSecrets({ ...loose.secrets, exempt: ["~/.ssh/demo", "~/.ssh/id_rsa"] });
    const heard = { ...bound, shown: [loosened(loose)?.en ?? ""] };
    expect(settingsInForce(looser, "PreToolUse", heard).secrets.exempt).toEqual([]);
  });

  it("a stricter word is no loosening", () => {
    expect(loosened(withSecrets({ env_files: "deny", places: ["x"] }))).toBeUndefined();
    expect(settingsInForce(withSecrets({ env_files: "deny" }), "PreToolUse", bound).secrets.env_files).toBe("deny");
  });
});
