import { asksFor } from "../../evidence/default-rules.ts";
import { isReviewer } from "../../evidence/reviewer.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { using } from "../example.ts";
import { attempted, reviewed, shownBy, skillShown, spoken } from "./shown.ts";

const skill = { kind: "control", name: "Skill", skill: "code-quality-rules" } as const;

/** Evidence comes only from the host's own reports, and only for tool uses whose PreToolUse event was seen. */
export const trackProof = definePolicy({
  id: "track-proof",
  on: ["PreToolUse", "PostToolUse", "UserPromptSubmit", "UserPromptExpansion", "SubagentStop"],
  needs: ["session", "settings", "places", "targets", "host", "reviewedFiles"],
  needsIf: {
    reviewedFiles: ({ event, settings }) =>
      event.name === "SubagentStop" && isReviewer(event.agent?.type ?? "", settings),
  },
  why: text(
    "A skill, a review or an approval counts because it happened, not because somebody says so.",
    "スキル・レビュー・承認は、そう言われたからではなく、実際に起きたから数える。",
  ),

  applies: (event, operation) =>
    event.name !== "PreToolUse" ||
    (event.tool.kind === "control" ? event.tool.prompts !== undefined : (operation?.effects.length ?? 0) > 0),

  check({ event, operation, facts }) {
    switch (event.name) {
      case "PreToolUse":
        return event.tool.kind === "control" || asksFor(facts.settings, ({ freshness }) => freshness === "change")
          ? remember(...attempted(event, operation, facts))
          : pass;
      case "PostToolUse":
        return showsNothing(event, facts.settings) ? pass : remember(...shownBy(event, facts));
      case "UserPromptSubmit":
        return event.notification || saysNothing(event, facts.settings) ? pass : spoken(event, facts);
      case "UserPromptExpansion":
        return remember(...skillShown(event.command, undefined));
      case "SubagentStop":
        return event.agent && isReviewer(event.agent.type, facts.settings) ? remember(...reviewed(event, facts)) : pass;
    }
  },

  examples: [
    { expect: "pass", when: using(skill, "PostToolUse"), given: { session: withOpen("Skill") } },
    { expect: "pass", when: { name: "UserPromptSubmit", prompt: "approve release" } },
    { expect: "pass", when: { name: "UserPromptExpansion", command: "code-quality-rules" } },
  ],
});

/** Most tool uses provide no evidence that a rule needs; this is decided without loading more code. */
function showsNothing({ tool, agent, answers }: HookEvent<"PostToolUse">, settings: Settings): boolean {
  if (tool.kind === "control") return tool.skill === undefined && answers === undefined;
  if (agent && isReviewer(agent.type, settings)) return false;
  return !("path" in tool) || !asksFor(settings, ({ evidence }) => evidence === "read");
}

function saysNothing({ prompt }: HookEvent<"UserPromptSubmit">, settings: Settings): boolean {
  return !/approve|\u627f\u8a8d/i.test(prompt) && !asksFor(settings, ({ freshness }) => freshness === "turn");
}

function withOpen(tool: string) {
  const calls = { "call-1": { tool, at: 0, background: false } };
  return boundSession({ calls });
}
