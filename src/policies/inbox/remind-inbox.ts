import { askedOr, type InboxFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { countWords, type Waiting, waitingFor } from "./digest.ts";
import { exampleInbox, withMessages } from "./example-inbox.ts";

/** One line about what waits, and about requests that nobody answered. */
export const remindInbox = definePolicy({
  id: "remind-inbox",
  only: "roles",
  on: ["SessionStart", "UserPromptSubmit"],
  needs: ["session", "settings", "now", "inbox"],
  needsIf: {
    inbox: ({ settings, session, event }) =>
      settings.roles.preset !== "off" && (session.actor !== undefined || event.name === "SessionStart"),
  },
  why: text(
    "An agent that knows of its messages early need not be held back at the end.",
    "メッセージを早く知れば、最後に引き止められずに済みます。",
  ),

  check({ event, facts: { settings, now, inbox } }) {
    const found = askedOr(inbox, null);
    if (!found) return pass;
    const waiting = waitingFor(found, now);
    const lost = lostRequests(found, now, settings.inbox.answer_minutes);
    const notes = [...(waiting.count > 0 ? [waitingLine(found.actor, waiting)] : []), ...lost.map(lostLine)];
    if (lost.length === 0) return notes.length === 0 ? pass : { ...pass, notes };
    const ids = lost.map(({ name }) => name);
    const told = { kind: "mail", do: "lost", box: found.actor, ids, session: event.session } as const;
    return { ...pass, notes, jobs: [{ job: "mail", records: [told] }] };
  },

  get examples(): readonly Example[] {
    const when = { name: "UserPromptSubmit", prompt: "go on" } as const;
    return [
      { expect: "pass", when },
      { expect: "pass", when, given: exampleInbox(withMessages("a")) },
    ];
  },
});

function waitingLine(actor: string, waiting: Waiting): Text {
  const { en, ja } = countWords(actor, waiting);
  const { messages, owed, tasks } = waiting;
  const commands = [
    ...(messages > owed ? ["`sekisho inbox read`"] : []),
    ...(owed > 0 ? ["`sekisho inbox list`"] : []),
    ...(tasks > 0 ? ["`sekisho task list`"] : []),
  ];
  return text(`${en}. See ${commands.join(" and ")}.`, `${ja}があります。${commands.join(" と ")} で確認できます。`);
}

interface Lost {
  readonly name: string;
  readonly to: string;
  readonly subject: string;
  readonly minutes: number;
}

const LOST_MAX = 3;

function lostRequests({ asked }: InboxFound, now: number, minutes: number): readonly Lost[] {
  return Object.entries(asked)
    .map(([name, { to, subject, at, lost }]) => ({ name, to, subject, lost, minutes: Math.floor((now - at) / 60_000) }))
    .filter((one) => !one.lost && one.minutes >= minutes)
    .slice(0, LOST_MAX);
}

function lostLine({ to, subject, minutes }: Lost): Text {
  const about = inline(subject, 60);
  return text(
    `${to} has not answered your request "${about}" for ${minutes} min.`,
    `依頼「${about}」に ${to} から ${minutes} 分間返事がありません。`,
  );
}
