import { describe, expect, it } from "vitest";
import { withValues } from "../../state/settings/setting-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { newTrust, newTrustLedger } from "../../state/trust.ts";
import { verdictOf } from "../describe-policy.ts";
import { bash, using } from "../example.ts";
import { runModel } from "./run-model.ts";

const applying = withValues(defaultSettings, { "model.apply": true });

/** The replaced input; undefined when it stays as it was. */
function inputFor(agentType: string, input: object, scores: Readonly<Record<string, number>>, settings = applying) {
  const domains = Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, newTrust(score, 0)]));
  const when = { ...using({ kind: "agent", name: "Agent", agentType }), input };
  return verdictOf(runModel, when, { settings, trust: { ...newTrustLedger, domains } }).input;
}

describe("the model of a subagent", () => {
  it("TR-72 is only recorded while model.apply is off, which is the default", () => {
    expect(defaultSettings.model.apply).toBe(false);
    expect(inputFor("general-purpose", { prompt: "x" }, {}, defaultSettings)).toBeUndefined();
    expect(inputFor("general-purpose", { prompt: "x" }, {})).toEqual({ prompt: "x", model: "opus" });
  });

  it("TR-72 follows the least trusted domain, and the rest of the input is unchanged", () => {
    const input = { prompt: "x", description: "y", run_in_background: true };
    expect(inputFor("general-purpose", input, { shell_exec: 0.9, git_local: 0.9 })).toEqual({
      ...input,
      model: "sonnet",
    });
    expect(inputFor("general-purpose", input, { shell_exec: 0.9, git_local: 0.2 })).toMatchObject({ model: "opus" });
    // Domains that only read or control are ignored.
    expect(inputFor("general-purpose", input, { shell_exec: 0.9, control: 0.1, file_read: 0.1 })).toMatchObject({
      model: "sonnet",
    });
  });

  it("TR-72 is raised but never lowered, and an unknown model name is kept", () => {
    expect(inputFor("general-purpose", { model: "haiku" }, {})).toEqual({ model: "opus" });
    expect(inputFor("general-purpose", { model: "opus" }, { shell_exec: 0.9 })).toBeUndefined();
    expect(inputFor("general-purpose", { model: "inherit" }, {})).toBeUndefined();
  });

  it("TR-74 of a read-only subagent follows the trust in reading", () => {
    expect(inputFor("Explore", {}, {})).toEqual({ model: "haiku" });
  });

  it("the input of other tools is not changed", () => {
    expect(verdictOf(runModel, bash("make"), { settings: applying })).not.toHaveProperty("input");
  });
});
