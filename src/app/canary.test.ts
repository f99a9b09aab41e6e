import { describe, expect, it } from "vitest";
import type { Policy } from "../kernel/policy.ts";
import { policies } from "../policies/index.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { memoryStore } from "../store/memory.ts";
import { hallWith, send } from "./example-hall.ts";
import type { Hall } from "./hall.ts";

function begin(more: Partial<Hall> = {}) {
  const store = memoryStore();
  const { stdout } = send(hallWith(store, more), "SessionStart", { source: "startup" });
  return { said: stdout, records: [...store.records()] };
}

const without = (...ids: readonly string[]): readonly Policy[] => policies.filter(({ id }) => !ids.includes(id));

describe("the canary at session start", () => {
  it("prints and records nothing while the canary command is refused", () => {
    const { said, records } = begin();
    expect(said).toBe("");
    expect(records.map(({ kind }) => kind)).toEqual(["verdict"]);
    expect(records).toMatchObject([{ event: "SessionStart" }]);
  });

  it("the floor refuses the canary even when every other policy is off", () => {
    const off = Object.fromEntries(policies.map(({ id }) => [id, "off" as const]));
    const settings = { ...defaultSettings, policies: off };
    const { said } = begin({ settingsOf: () => ({ settings, problems: [], custom: [] }) });
    expect(said).not.toContain("DOES NOT REFUSE");
  });

  it.each([
    [
      "the law has a hole",
      { policiesOn: () => without("no-tampering", "no-destructive-command") },
      'verdict was \\"deny\\"',
    ],
    [
      "it is shut only because it is broken",
      {
        policiesOn: () =>
          without("no-tampering", "no-destructive-command").concat({
            id: "no-x",
            on: ["PreToolUse"],
            needs: [],
            why: { en: "", ja: "" },
            examples: [],
            check: () => {
              throw new Error("this bundle does not read shell commands");
            },
          }),
      },
      "does not read shell commands",
    ],
    ["another gate lets it through", { canary: () => ({ denied: false, detail: "answered {}" }) }, "answered {}"],
  ])("warns and records a fault when %s", (_, more, cause) => {
    const { said, records } = begin(more);
    expect(said).toContain("DOES NOT REFUSE");
    expect(said).toContain(cause);
    expect(JSON.parse(said)).toHaveProperty("hookSpecificOutput.additionalContext");
    expect(records).toMatchObject([{ kind: "verdict" }, { kind: "fault", where: "remind-canary" }]);
  });
});
