import { bindingOf } from "../../kernel/binding.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { askedOr } from "../../kernel/facts.ts";
import { isPersons } from "../../kernel/persons-prompt.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import type { Session } from "../../state/session/session.ts";
import { marksOf } from "../access/tampering/registration.ts";

const STARTS: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit"]);

/** Binds a session to the host's process and remembers its hooks, so that neither can be swapped later. */
export const trackSession = definePolicy({
  id: "track-session",
  on: ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"],
  needs: ["session", "caller", "castaway", "insideAgent", "hostSettings", "scheduled"],
  needsIf: {
    scheduled: ({ event }) => event.name === "UserPromptSubmit",
    insideAgent: ({ event, session }) => !event.attended && STARTS.has(event.name) && begins(event, session),
  },
  floor: true,
  why: text(
    "Only the client's own process may speak for a session.",
    "セッションを代弁できるのはクライアント自身のプロセスだけ。",
  ),

  check({ event, facts }) {
    if (event.name === "SessionEnd") return remember({ record: "session", do: "end" });
    if (event.name === "Stop") return pass;
    if (event.name === "UserPromptSubmit" && !begins(event, facts.session)) {
      const byPerson = isPersons(event, facts.session, askedOr(facts.scheduled, []));
      return byPerson ? remember({ record: "session", do: "prompt" }) : pass;
    }
    if (bindingOf(facts.session, facts.caller) === "unbound") return pass;
    const marks = facts.hostSettings.map(({ path, now }) => [path, marksOf(now)] as const);
    const registration = Object.fromEntries(marks.filter(([, of]) => of.some((mark) => !/^[?](?!hook )/.test(mark))));
    const alone = facts.castaway && { castaway: true as const };
    // An agent that starts a session of its own could otherwise answer its own questions.
    const nobody = !event.attended &&
      !facts.castaway &&
      !askedOr(facts.insideAgent, true) && { headless: true as const };
    const told = event.transcript?.startsWith("/") && { transcript: event.transcript };
    return remember({
      record: "session",
      do: "begin",
      client: facts.caller.process,
      registration,
      ...alone,
      ...nobody,
      ...told,
    });
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    { expect: "pass", when: { name: "UserPromptSubmit", prompt: "go on" } },
    { expect: "pass", when: { name: "SessionEnd", reason: "other" } },
  ],
});

function begins({ name }: HookEvent, { client }: Session): boolean {
  return name === "SessionStart" || client === undefined;
}
