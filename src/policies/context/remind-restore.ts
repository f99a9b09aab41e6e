import { askedOr } from "../../kernel/facts.ts";
import { TAKEN_UP } from "../../kernel/handover.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { restoreNotes } from "./restore-notes.ts";
import { standingOf } from "./restore-standing.ts";

/** Tells a continued conversation where it was: the current state from the journal, the rest from the handover. */
export const remindRestore = definePolicy({
  id: "remind-restore",
  on: ["SessionStart"],
  needs: ["session", "settings", "now", "modesTakenUp", "hostTasks", "checkedTrees", "plans", "handover", "plan"],
  needsIf: {
    plans: ({ modes }) => modes.persistent !== undefined,
    plan: ({ settings }) => settings.plan.required !== "off",
  },
  why: text(
    "Whoever has forgotten what was under way begins again, or stops too early.",
    "途中だったことを忘れると、やり直したり、早く終わりすぎたりする。",
  ),

  // A new conversation has nothing to continue.
  applies: ({ source }) => TAKEN_UP.includes(source),

  check({ facts }) {
    const notes = restoreNotes(facts, facts.settings.context.budget_chars);
    if (notes.length === 0) return pass;
    const handover = askedOr(facts.handover, null);
    const at = handover && { at: handover.at };
    return { ...remember({ record: "session", do: "restore", ...at, as: standingOf(facts) }), notes };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "compact" },
      given: { modesTakenUp: { turbo: { since: 0, by: "prompt", task: "tidy up", count: 1, max: 30 } } },
    },
  ],
});
