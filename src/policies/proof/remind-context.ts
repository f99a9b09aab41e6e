import { TAKEN_UP } from "../../kernel/handover.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { defaultSettings } from "../../state/settings.ts";
import { type Restored, restoreNotes } from "../modes/restore-notes.ts";
import { listingOf } from "./context-listing.ts";
import { guide } from "./guide.ts";
import { fitted, sizeOf } from "./note-budget.ts";

/** Whoever begins is told how work goes here, and which files keep its thread: their names and dates, never their words. */
export const remindContext = definePolicy({
  id: "remind-context",
  on: ["SessionStart"],
  // The last ones are what a session that is taken up is told beside this: one budget for both.
  needs: [
    "settings",
    "session",
    "contextFiles",
    "now",
    "modesTakenUp",
    "hostTasks",
    "checkedTrees",
    "plans",
    "handover",
  ],
  why: text(
    "An agent that knows what the gates want does not have to find out by refusals.",
    "関所が何を求めるかを知っていれば、拒否されて初めて学ぶ必要がない。",
  ),

  check({ event, facts }) {
    const { context } = facts.settings;
    const opening = context.guide ? openingOf(event.source, facts.session.shown.includes(SHOWN)) : "nothing";
    if (opening === "nothing") return pass;
    const listing = listingOf(facts.contextFiles, facts.session.activity);
    const chars = context.budget_chars - restoredChars(event.source, facts, context.budget_chars);
    if (opening === "files") return { ...pass, notes: fitted([], listing, chars) };
    return {
      ...remember({ record: "session", do: "show", notice: SHOWN }),
      notes: fitted(guide(), listing, chars),
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "compact" },
      given: {
        settings: { ...defaultSettings, context: { ...defaultSettings.context, guide: true } },
        contextFiles: [{ name: ".claude/context/progress.md", entries: 3, modified: "2026-11-16T09:00Z" }],
      },
    },
  ],
});

const SHOWN = "guide";

function restoredChars(source: string, facts: Restored, chars: number): number {
  return TAKEN_UP.includes(source) ? sizeOf(restoreNotes(facts, chars)) : 0;
}

/** A conversation that is taken up again has the guide in it; one that was emptied has not. Nobody is told twice. */
function openingOf(source: string, isShown: boolean): "all" | "files" | "nothing" {
  if (source === "resume" || source === "fork") return "files";
  return isShown && source !== "compact" && source !== "clear" ? "nothing" : "all";
}
