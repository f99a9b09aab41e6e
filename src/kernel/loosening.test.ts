import { describe, expect, it } from "vitest";
import { newSession } from "../state/session.ts";
import { defaultSettings, type Settings } from "../state/settings.ts";
import { settingsInForce, switchedOff } from "./loosening.ts";

const bound = { ...newSession(0), client: { pid: 7, started: "1" } };
const withSecrets = (secrets: Partial<Settings["secrets"]>): Settings => ({
  ...defaultSettings,
  secrets: { ...defaultSettings.secrets, ...secrets },
});

describe("what a settings file loosens about secrets", () => {
  const loose = withSecrets({ env_files: "pass", exempt: ["~/.ssh/demo"], places: ["vault"] });

  it("counts for a running session once a person was told, and what it tightens at once", () => {
    const strict = { env_files: "ask", exempt: [], places: ["vault"] };
    expect(settingsInForce(loose, "PreToolUse", bound).secrets).toEqual(strict);
    const told = { ...bound, shown: [switchedOff(loose)?.en ?? ""] };
    expect(settingsInForce(loose, "PreToolUse", told).secrets).toEqual(loose.secrets);
    expect(settingsInForce(loose, "UserPromptSubmit", bound).secrets).toEqual(loose.secrets);
  });

  it("is told by name, and told again when another place is added", () => {
    expect(switchedOff(loose)?.en).toContain("secrets.env_files, secrets.exempt ~/.ssh/demo");
    const looser = withSecrets({ ...loose.secrets, exempt: ["~/.ssh/demo", "~/.ssh/id_rsa"] });
    const told = { ...bound, shown: [switchedOff(loose)?.en ?? ""] };
    expect(settingsInForce(looser, "PreToolUse", told).secrets.exempt).toEqual([]);
  });

  it("a stricter word is no loosening", () => {
    expect(switchedOff(withSecrets({ env_files: "deny", places: ["x"] }))).toBeUndefined();
    expect(settingsInForce(withSecrets({ env_files: "deny" }), "PreToolUse", bound).secrets.env_files).toBe("deny");
  });
});
