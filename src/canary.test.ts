import { describe, expect, it } from "vitest";
import { type Hall, handle } from "./hook.ts";
import { parse } from "./hosts/claude-code/parse.ts";
import { render } from "./hosts/claude-code/render.ts";
import type { Policy } from "./kernel/policy.ts";
import { ordinaryFacts, PROJECT } from "./policies/describe-policy.ts";
import { policies } from "./policies/index.ts";
import { defaultSettings } from "./state/settings.ts";
import { memoryStore } from "./store/memory.ts";

function begin(more: Partial<Hall> = {}) {
  const store = memoryStore();
  const env = { CLAUDE_PID: String(process.ppid), LANG: "C.UTF-8" };
  const hall: Hall = {
    host: { parse, render },
    policies,
    env,
    parentOf: () => process.ppid,
    clock: () => 1_000,
    deadline: 10_000,
    placesOf: () => ordinaryFacts.places,
    settingsOf: () => ({ settings: defaultSettings, problems: [], custom: [] }),
    storeOf: () => store,
    armingOf: () => ({ readable: true, hooks: [], disarms: [], strange: [], runs: [] }),
    digest: () => "",
    ...more,
  };
  const body = { session_id: "s-1", cwd: PROJECT, hook_event_name: "SessionStart", source: "startup" };
  const { stdout } = handle({ body: JSON.stringify(body), env }, hall);
  return { said: stdout, records: [...store.records()] };
}

const without = (...ids: readonly string[]): readonly Policy[] => policies.filter(({ id }) => !ids.includes(id));

describe("a session begins with a command that must be refused", () => {
  it("and nobody notices, in the journal either, while it is", () => {
    const { said, records } = begin();
    expect(said).toBe("");
    expect(records.map(({ kind }) => kind)).toEqual(["verdict"]);
    expect(records).toMatchObject([{ event: "SessionStart" }]);
  });

  it("which the floor refuses even where everything else is switched off", () => {
    const off = Object.fromEntries(policies.map(({ id }) => [id, "off" as const]));
    const settings = { ...defaultSettings, policies: off };
    const { said } = begin({ settingsOf: () => ({ settings, problems: [], custom: [] }) });
    expect(said).not.toContain("DOES NOT REFUSE");
  });

  it.each([
    ["the law has a hole", { policies: without("no-tampering", "no-destructive-command") }, 'verdict was \\"pass\\"'],
    [
      "it is shut only because it is broken",
      {
        policies: without("no-tampering", "no-destructive-command").concat({
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
  ])("and it is said and kept when %s", (_, more, cause) => {
    const { said, records } = begin(more);
    expect(said).toContain("DOES NOT REFUSE");
    expect(said).toContain(cause);
    expect(JSON.parse(said)).toHaveProperty("hookSpecificOutput.additionalContext");
    expect(records).toMatchObject([{ kind: "verdict" }, { kind: "fault", where: "remind-canary" }]);
  });
});
