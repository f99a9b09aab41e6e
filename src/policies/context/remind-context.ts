import { askedOr } from "../../kernel/facts.ts";
import { TAKEN_UP } from "../../kernel/handover.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { listingOf } from "./context-listing.ts";
import { guide } from "./guide.ts";
import { fitted, sizeOf } from "./note-budget.ts";
import { type Restored, restoreNotes } from "./restore-notes.ts";

/** A session starts with the working guide and the list of context files (names and dates, not their contents). */
export const remindContext = definePolicy({
  id: "remind-context",
  on: ["SessionStart"],
  // The facts after `contextFiles` are for the notes that restore a session, which share the budget with these.
  needs: [
    "settings",
    "session",
    "contextFiles",
    "host",
    "now",
    "modesTakenUp",
    "hostTasks",
    "checkedTrees",
    "plans",
    "handover",
    "plan",
  ],
  needsIf: {
    contextFiles: ({ settings }) => settings.context.guide,
    plans: ({ modes }) => modes.persistent !== undefined,
    plan: ({ settings }) => settings.plan.required !== "off",
    handover: ({ event }) => event.name === "SessionStart" && TAKEN_UP.includes(event.source),
  },
  why: text(
    "An agent that knows what the gates want does not have to find out by refusals.",
    "関所が何を求めるかを知っていれば、拒否されて初めて学ぶ必要がない。",
  ),

  check({ event, facts }) {
    const { context } = facts.settings;
    const opening = context.guide ? openingOf(event.source, facts.session.shown.includes(SHOWN)) : "nothing";
    if (opening === "nothing") return pass;
    const listing = listingOf(askedOr(facts.contextFiles, []), facts.session.activity);
    const chars = context.budget_chars - restoredChars(event.source, facts, context.budget_chars);
    if (opening === "files") return { ...pass, notes: fitted([], listing, chars) };
    return {
      ...remember({ record: "session", do: "show", notice: SHOWN }),
      notes: fitted(guide(facts.host), listing, chars),
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "compact" },
      given: {
        settings: { ...defaultSettings, context: { ...defaultSettings.context, guide: true } },
        contextFiles: [{ name: "context/progress.md", entries: 3, modified: "2026-11-16T09:00Z" }],
      },
    },
  ],
});

const SHOWN = "guide";

function restoredChars(source: string, facts: Restored, chars: number): number {
  return TAKEN_UP.includes(source) ? sizeOf(restoreNotes(facts, chars)) : 0;
}

/** A resumed conversation still contains the guide; after compaction or clear it must be shown again. */
function openingOf(source: string, isShown: boolean): "all" | "files" | "nothing" {
  if (source === "resume" || source === "fork") return "files";
  return isShown && source !== "compact" && source !== "clear" ? "nothing" : "all";
}
