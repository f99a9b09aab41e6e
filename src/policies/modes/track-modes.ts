import { asksForSkills } from "../../evidence/default-rules.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { askedOr, type Facts } from "../../kernel/facts.ts";
import { isPersons } from "../../kernel/persons-prompt.ts";
import { definePolicy, type Example, type Known, pass, type Ruling, remember } from "../../kernel/policy.ts";
import { keywordsIn } from "../../language/keywords/keywords.ts";
import { modesMentioned } from "../../language/keywords/mentions.ts";
import { type Text, text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { type ModeName, modesInForce, unled } from "../../state/session/modes.ts";
import { exampleMode } from "../example.ts";
import { cancelled, notStarted, onAlready, stillOn, taken, UNSURE } from "./mode-notes.ts";
import { started } from "./mode-starting.ts";
import { type Wish, wishIn } from "./mode-wishes.ts";

/** Modes start and end only when the person types it in the conversation, never through the agent or its shell. */
export const trackModes = definePolicy({
  id: "track-modes",
  on: ["UserPromptSubmit", "UserPromptExpansion", "SessionStart"],
  needs: ["session", "settings", "now", "skills", "orphans", "waitingModes", "modesTakenUp", "scheduled"],
  needsIf: { skills: namesSkills, scheduled: ({ event }) => event.name !== "SessionStart" },
  why: text(
    "Work that goes on for hours begins and ends when the person says so, and nobody else.",
    "何時間も続く作業を始めるのも終えるのも、利用者本人の言葉だけ。",
  ),

  check({ event, facts }) {
    if (event.name === "SessionStart") return goneOn(event.source, facts);
    const wish = wishIn(event, facts.settings);
    if (!isPersons(event, facts.session, askedOr(facts.scheduled, [])))
      return wish.cancel ? { ...pass, notices: [UNSURE] } : pass;
    const inForce = modesInForce(facts.session.modes, facts.now);
    const toCome = modesInForce(facts.waitingModes, facts.now);
    const waiting = toCome.map(({ name }) => name);
    // A slash command arrives twice, as typed and as expanded; it is answered once.
    const isAnswered = wish.explicit && event.name === "UserPromptSubmit";
    const known = { ...facts, skills: askedOr(facts.skills, []) };
    if (wish.cancel) return cancelled(names(...unled(inForce), ...unled(toCome)), known, isAnswered);
    const claimed = waiting.length === 0 ? pass : taken(facts.waitingModes, facts.now, { record: "mode", do: "claim" });
    // A mode that the agent started for itself does not block the person's own start of that mode.
    const held = inForce.filter(({ by }) => by !== "agent");
    const again = event.name === "UserPromptSubmit" ? held.filter(({ name }) => wish.modes.includes(name)) : [];
    const repeated = again.length === 0 ? pass : { ...pass, notices: [onAlready(unled(again))] };
    return joined(claimed, repeated, started(wish, [...names(...held), ...waiting], known), hinted(event, wish, facts));
  },

  get examples(): readonly Example[] {
    const session = boundSession({ modes: { persistent: exampleMode } });
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

/** A mode's name that was not understood as an order: the person is told once how to order it. */
function hinted(
  event: HookEvent<"UserPromptSubmit" | "UserPromptExpansion">,
  wish: Wish,
  { session, settings, now }: Pick<Facts, "session" | "settings" | "now">,
): Ruling {
  if (event.name !== "UserPromptSubmit" || wish.explicit || wish.modes.length > 0 || !settings.modes.keywords)
    return pass;
  const on = names(...modesInForce(session.modes, now));
  const isNew = (mode: ModeName): boolean => !on.includes(mode) && !session.shown.includes(hintName(mode));
  const modes = modesMentioned(event.prompt).filter(isNew);
  if (modes.length === 0) return pass;
  return {
    ...remember(...modes.map((mode) => ({ record: "session", do: "show", notice: hintName(mode) }) as const)),
    notices: modes.map(notStarted),
  };
}

function hintName(mode: ModeName): string {
  return `hint ${mode}`;
}

/** At a prompt the skills are named with a keyword; elsewhere only where the rules of the project ask for a skill. */
function namesSkills({ event, settings }: Pick<Known, "event" | "settings">): boolean {
  if (event.name !== "UserPromptSubmit") return asksForSkills(settings);
  return settings.modes.keywords && keywordsIn(event.prompt, settings.modes.words).length > 0;
}

/** The agent is told in the notes that restore the conversation; this notice is for the person. */
function goneOn(
  source: string,
  { orphans, modesTakenUp, now }: Pick<Facts, "orphans" | "modesTakenUp" | "now">,
): Ruling {
  const adopted = remember(...orphans.map((from) => ({ record: "mode", do: "adopt", from }) as const));
  const modes = source === "resume" ? unled(modesInForce(modesTakenUp, now)) : [];
  return modes.length === 0 ? adopted : { ...adopted, notices: [stillOn(modes)] };
}

function names(...modes: readonly { readonly name: ModeName }[]): readonly ModeName[] {
  return modes.map(({ name }) => name);
}

function joined(...rulings: readonly Ruling[]): Ruling {
  const notes = rulings.flatMap((ruling): readonly Text[] => ruling.notes ?? []);
  const notices = rulings.flatMap((ruling): readonly Text[] => ruling.notices ?? []);
  return {
    ...remember(...rulings.flatMap(({ changes = [] }) => changes)),
    ...(notes.length > 0 && { notes }),
    ...(notices.length > 0 && { notices }),
  };
}
