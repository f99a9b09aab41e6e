import { askedOr, type InboxFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import { madeId } from "../../state/inbox/made-id.ts";
import type { MessageRecord } from "../../state/inbox/records.ts";
import { standingOf } from "../../state/roles/names.ts";
import { exampleInbox } from "./example-inbox.ts";
import { type TurnEnd, turnEndIn } from "./turn-end-words.ts";

/** Tells the supervisor when a turn ends with words of completion or failure. A hint: the task's own state is the evidence. */
export const runReport = definePolicy({
  id: "run-report",
  only: "roles",
  on: ["Stop"],
  needs: ["session", "settings", "inbox"],
  needsIf: {
    inbox: ({ settings, session }) =>
      settings.inbox.observe && settings.roles.preset !== "off" && session.actor !== undefined,
  },
  why: text(
    "A supervisor that hears at once of the end of a task need not ask for it.",
    "タスクの終わりがすぐ伝われば、上位者が尋ねる必要はありません。",
  ),

  applies: ({ lastMessage }) => lastMessage !== "",

  check({ event, facts: { settings, inbox } }) {
    const found = settings.inbox.observe ? askedOr(inbox, null) : null;
    if (!found) return pass;
    const { supervisor, isExempt } = standingOf(found.actor, settings.roles);
    const end = supervisor === "" || isExempt ? undefined : turnEndIn(event.lastMessage);
    if (end === undefined) return pass;
    const record: MessageRecord = {
      ...{ kind: "message", to: supervisor, from: found.actor, type: end, note: true, session: event.session },
      // The same words of the same session are reported once.
      id: madeId(`${event.session} ${end} ${event.lastMessage}`),
      subject: subjectOf(end, found),
      body: inline(event.lastMessage.slice(-LOOKED_AT), BODY_CHARS),
    };
    return { ...pass, jobs: [{ job: "mail", records: [record] }] };
  },

  get examples(): readonly Example[] {
    const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "Task completed." } as const;
    return [
      { expect: "pass", when: stop },
      { expect: "pass", when: stop, given: exampleInbox() },
    ];
  },
});

const LOOKED_AT = 2000;
const BODY_CHARS = 200;

function subjectOf(end: TurnEnd, { actor, working }: InboxFound): string {
  const [task] = working;
  if (end === "error_report") return `${actor} says that it broke off${task === undefined ? "" : ` ${task}`}`;
  if (task === undefined) return `${actor} says that it has finished`;
  return `${actor} says that it has finished, but ${task} is not done yet`;
}
