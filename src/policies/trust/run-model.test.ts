import { describe, expect, it } from "vitest";
import { withValues } from "../../state/setting-rules.ts";
import { defaultSettings } from "../../state/settings.ts";
import { newLedger, newTrust } from "../../state/trust.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, using } from "../example.ts";
import { runModel } from "./run-model.ts";

describePolicy(runModel);

const applying = withValues(defaultSettings, { "model.apply": true });

/** The input as it shall be instead; undefined: as it was. */
function inputFor(agentType: string, input: object, scores: Readonly<Record<string, number>>, settings = applying) {
  const domains = Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, newTrust(score, 0)]));
  const when = { ...using({ kind: "agent", name: "Agent", agentType }), input };
  return verdictOf(runModel, when, { settings, trust: { ...newLedger, domains } }).input;
}

describe("the model of a subagent", () => {
  it("TR-72 is only recorded while model.apply is off, which it is by default", () => {
    expect(defaultSettings.model.apply).toBe(false);
    expect(inputFor("general-purpose", { prompt: "x" }, {}, defaultSettings)).toBeUndefined();
    expect(inputFor("general-purpose", { prompt: "x" }, {})).toEqual({ prompt: "x", model: "opus" });
  });

  it("TR-72 follows the least trusted work, and everything else of the input stays", () => {
    const input = { prompt: "x", description: "y", run_in_background: true };
    expect(inputFor("general-purpose", input, { shell_exec: 0.9, git_local: 0.9 })).toEqual({
      ...input,
      model: "sonnet",
    });
    expect(inputFor("general-purpose", input, { shell_exec: 0.9, git_local: 0.2 })).toMatchObject({ model: "opus" });
    // What nobody fails at says nothing.
    expect(inputFor("general-purpose", input, { shell_exec: 0.9, control: 0.1, file_read: 0.1 })).toMatchObject({
      model: "sonnet",
    });
  });

  it("TR-72 is raised and never lowered, and a name on no ladder is let be", () => {
    expect(inputFor("general-purpose", { model: "haiku" }, {})).toEqual({ model: "opus" });
    expect(inputFor("general-purpose", { model: "opus" }, { shell_exec: 0.9 })).toBeUndefined();
    expect(inputFor("general-purpose", { model: "inherit" }, {})).toBeUndefined();
  });

  it("TR-74 of one that only reads is a reader's", () => {
    expect(inputFor("Explore", {}, {})).toEqual({ model: "haiku" });
  });

  it("is nobody else's: another tool's input is let be", () => {
    expect(verdictOf(runModel, bash("make"), { settings: applying })).not.toHaveProperty("input");
  });
});
