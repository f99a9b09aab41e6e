import { isPersons } from "../../kernel/persons-prompt.ts";
import { definePolicy, type Example, pass, type Ruling, remember } from "../../kernel/policy.ts";
import { type Text, text } from "../../kernel/text.ts";
import { modesInForce } from "../../state/modes.ts";
import { newSession } from "../../state/session.ts";
import { exampleMode } from "../example.ts";
import { cancelled, taken, UNSURE } from "./mode-notes.ts";
import { started } from "./mode-starting.ts";
import { wishIn } from "./mode-wishes.ts";

/** Modes begin and end by the person's own words, typed into the conversation: never by the agent's, and not by its shell. */
export const trackModes = definePolicy({
  id: "track-modes",
  on: ["UserPromptSubmit", "UserPromptExpansion", "SessionStart"],
  needs: ["session", "settings", "now", "skills", "orphans", "waitingModes", "scheduled"],
  why: text(
    "Work that goes on for hours begins and ends when the person says so, and nobody else.",
    "何時間も続く作業を始めるのも終えるのも、利用者本人の言葉だけ。",
  ),

  check({ event, facts }) {
    // What it goes on with is told with everything else that a conversation is given back.
    if (event.name === "SessionStart")
      return remember(...facts.orphans.map((from) => ({ record: "mode", do: "adopt", from }) as const));
    const wish = wishIn(event, facts.settings);
    if (!isPersons(event, facts.session, facts.scheduled)) return wish.cancel ? { ...pass, notices: [UNSURE] } : pass;
    const active = modesInForce(facts.session.modes, facts.now).map(({ name }) => name);
    const waiting = modesInForce(facts.waitingModes, facts.now).map(({ name }) => name);
    // A command that the client knows comes twice, as it was typed and when it is opened: one answer is enough.
    const isAnswered = wish.explicit && event.name === "UserPromptSubmit";
    if (wish.cancel) return cancelled([...active, ...waiting], facts, isAnswered);
    const claimed = waiting.length === 0 ? pass : taken(facts.waitingModes, facts.now, { record: "mode", do: "claim" });
    // One that the agent has started for itself does not stand in the way of the person's.
    const held = active.filter((name) => facts.session.modes?.[name]?.by !== "agent");
    return joined(claimed, started(wish, [...held, ...waiting], facts));
  },

  get examples(): readonly Example[] {
    const session = { ...newSession(0), client: { pid: 7, started: "1" }, modes: { persistent: exampleMode } };
    return [
      {
        expect: "pass",
        when: { name: "UserPromptSubmit", prompt: "Implement the login page and don't stop until it is done" },
      },
      { expect: "pass", when: { name: "UserPromptSubmit", prompt: "add a cancel button" }, given: { session } },
      {
        expect: "pass",
        when: { name: "UserPromptExpansion", command: "sekisho:cancel", args: "" },
        given: { session },
      },
      { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    ];
  },
});

function joined(...rulings: readonly Ruling[]): Ruling {
  const notes = rulings.flatMap((ruling): readonly Text[] => ruling.notes ?? []);
  const notices = rulings.flatMap((ruling): readonly Text[] => ruling.notices ?? []);
  return {
    ...remember(...rulings.flatMap(({ changes = [] }) => changes)),
    ...(notes.length > 0 && { notes }),
    ...(notices.length > 0 && { notices }),
  };
}
