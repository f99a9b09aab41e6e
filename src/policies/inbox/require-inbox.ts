import { askedOr, type InboxFound } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import { madeId } from "../../state/inbox/made-id.ts";
import type { MailRecord, MessageRecord } from "../../state/inbox/records.ts";
import { standingOf } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import { digestOf, readingFix, type Waiting, waitingFor } from "./digest.ts";
import { exampleInbox, withMessages } from "./example-inbox.ts";
import { queueRecords } from "./queue-records.ts";

/** Messages and assigned tasks are read before a turn ends; what is ignored too often goes to the supervisor. */
export const requireInbox = definePolicy({
  id: "require-inbox",
  only: "roles",
  on: ["Stop"],
  needs: ["session", "settings", "now", "inbox"],
  needsIf: { inbox: ({ settings, session }) => settings.roles.preset !== "off" && session.actor !== undefined },
  bound: 20,
  level: "messages",
  why: text(
    "Another agent waits for an answer, and this turn is the last moment to see its message.",
    "他のエージェントが返事を待っていて、このターンを終えるとメッセージに気づけません。",
  ),

  check({ event, facts: { settings, now, inbox } }) {
    const found = askedOr(inbox, null);
    if (!found) return pass;
    const { isExempt, supervisor } = standingOf(found.actor, settings.roles);
    const waiting = waitingFor(found, now, settings.inbox.deliveries);
    const recorded = queueRecords(found, event.session);
    if (isExempt) return { ...pass, ...(recorded.length > 0 && { jobs: [{ job: "mail", records: recorded }] }) };
    const records = [...recorded, ...escalation(found, waiting, supervisor, event.session)];
    if (waiting.count === 0)
      return { ...pass, ...notices(waiting, found), ...(records.length > 0 && { jobs: [{ job: "mail", records }] }) };
    const delivered: MailRecord = {
      ...{ kind: "mail", do: "deliver", box: found.actor, session: event.session },
      upto: found.box.next - 1 + (found.queue?.fresh.length ?? 0),
      ...(settings.inbox.notifications === "once" && { notes: true as const }),
    };
    return {
      ...deny({ what: digestOf(found.actor, waiting), fix: readingFix(waiting) }),
      jobs: [{ job: "deliver", records: [...records, delivered] }],
    };
  },

  get examples(): readonly Example[] {
    const when = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    return [
      { expect: "pass", when },
      { expect: "pass", when, given: exampleInbox() },
      { expect: "deny", when, given: exampleInbox(withMessages("a", "b")) },
    ];
  },
});

/** A person is told: they may be the only one who can make the agent read, or fix a file. */
function notices({ spent }: Waiting, { queue }: InboxFound): Pick<Ruling, "notices"> {
  const count = `${spent.count} message${spent.count === 1 ? "" : "s"}`;
  const ignored = text(
    `This agent ended its turn without reading ${count}. Its supervisor was told.`,
    `このエージェントは ${spent.count} 件のメッセージを読まずにターンを終えました。上位者に伝えました。`,
  );
  const broken = (queue?.broken ?? []).map((file) =>
    text(
      `${inline(file, 60)} can't be read as YAML, so its entries don't count. Look at the file.`,
      `${inline(file, 60)} を YAML として読めないため、その項目は数えていません。ファイルを確認してください。`,
    ),
  );
  const all = [...(spent.count > 0 ? [ignored] : []), ...broken];
  return all.length > 0 ? { notices: all } : {};
}

function escalation(
  { actor, box }: InboxFound,
  { spent }: Waiting,
  supervisor: string,
  session: string,
): readonly (MailRecord | MessageRecord)[] {
  if (spent.count === 0) return [];
  const { upto } = spent;
  const lines = spent.lines.map((line) => `- ${line}`);
  const more = spent.count > lines.length ? [`and ${spent.count - lines.length} more`] : [];
  const count = `${spent.count} message${spent.count === 1 ? "" : "s"}`;
  return [
    { kind: "mail", do: "escalate", box: actor, upto, session },
    {
      ...{ kind: "message", id: madeId(`escalate ${actor} ${upto} ${box.next}`), session },
      ...{ to: supervisor === "" ? PERSON : supervisor, from: actor, type: "escalation", importance: "high" },
      subject: `${actor} has not read ${count}`,
      body: [`${actor} ended its turn and has not read:`, ...lines, ...more].join("\n"),
    },
  ];
}
