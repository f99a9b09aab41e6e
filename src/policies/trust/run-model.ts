import type { Facts } from "../../kernel/facts.ts";
import { atLeastModel } from "../../kernel/model-ladder.ts";
import { definePolicy, pass } from "../../kernel/policy.ts";
import { weigh } from "../../kernel/weighing.ts";
import { text } from "../../lib/text.ts";
import { MODELS, type Model } from "../../state/models.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { using } from "../example.ts";

/** Chooses a subagent's model by trust; applied only when `model.apply` is on. */
export const runModel = definePolicy({
  id: "run-model",
  on: ["PreToolUse"],
  needs: ["trust", "settings", "now", "host"],
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

/** The subagent's work is not known yet, so the least trusted domain decides; for read-only types it is reading. */
function modelForAgent(type: string, facts: Pick<Facts, "trust" | "settings" | "now" | "host">): Model {
  if (facts.host.readingAgents.includes(type)) return weigh("file_read", "low", facts).model;
  const known = Object.keys(facts.trust.domains).filter((domain) => !APART.has(domain));
  const models = (known.length > 0 ? known : ["shell_exec"]).map((domain) => weigh(domain, "medium", facts).model);
  return models.reduce((highest, model) => (MODELS.indexOf(model) > MODELS.indexOf(highest) ? model : highest));
}

const APART: ReadonlySet<string> = new Set(["control", "file_read", "git_read", "_global"]);
