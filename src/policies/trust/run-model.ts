import type { Facts } from "../../kernel/facts.ts";
import { atLeastModel, MODELS, type Model } from "../../kernel/model-ladder.ts";
import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { weigh } from "../../kernel/weighing.ts";
import { defaultSettings } from "../../state/settings.ts";
import { using } from "../example.ts";

/** A subagent gets the model that suits the trust in the work: set only where `model.apply` says so. */
export const runModel = definePolicy({
  id: "run-model",
  on: ["PreToolUse"],
  needs: ["trust", "settings", "now"],
  why: text(
    "Work that keeps failing should go to a stronger model, and plain reading need not.",
    "失敗の続く作業は強いモデルへ、読むだけの作業は軽いモデルへ。",
  ),

  applies: ({ tool }) => tool.kind === "agent",

  check({ event, facts }) {
    if (!facts.settings.model.apply || event.tool.kind !== "agent") return pass;
    const given = (event.input as { readonly model?: unknown } | undefined)?.model;
    const named = typeof given === "string" ? given : undefined;
    const model = atLeastModel(named, modelForAgent(event.tool.agentType, facts));
    return model === named ? pass : { ...pass, input: { model } };
  },

  examples: [
    { expect: "pass", when: using({ kind: "agent", name: "Agent", agentType: "Explore" }) },
    {
      expect: "pass",
      when: using({ kind: "agent", name: "Agent", agentType: "general-purpose" }),
      given: { settings: { ...defaultSettings, model: { apply: true } } },
    },
  ],
});

/** What a subagent will do is not known yet: the least trusted work decides, and for one that only reads, reading does. */
function modelForAgent(type: string, facts: Pick<Facts, "trust" | "settings" | "now">): Model {
  if (READERS.has(type)) return weigh("file_read", "low", facts).model;
  const known = Object.keys(facts.trust.domains).filter((domain) => !APART.has(domain));
  const models = (known.length > 0 ? known : ["shell_exec"]).map((domain) => weigh(domain, "medium", facts).model);
  return models.reduce((highest, model) => (MODELS.indexOf(model) > MODELS.indexOf(highest) ? model : highest));
}

const READERS: ReadonlySet<string> = new Set(["Explore", "claude-code-guide"]);
const APART: ReadonlySet<string> = new Set(["control", "file_read", "git_read", "_global"]);
