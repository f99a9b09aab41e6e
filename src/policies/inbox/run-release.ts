import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import { madeId } from "../../state/inbox/made-id.ts";
import type { MessageRecord, TaskRecord } from "../../state/inbox/records.ts";
import { exampleInbox } from "./example-inbox.ts";

/** A task whose session has ended waits for its agent again, and whoever added it is told. */
export const runRelease = definePolicy({
  id: "run-release",
  only: "roles",
  on: ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"],
  needs: ["session", "settings", "inbox"],
  needsIf: {
    inbox: ({ settings, session, event }) =>
      settings.roles.preset !== "off" && (session.actor !== undefined || event.name === "SessionStart"),
  },
  why: text(
    "A task that looks as if somebody worked on it waits forever when its session has ended.",
    "セッションが終わったタスクは、作業中に見えたまま放置されます。",
  ),

  check({ event, facts: { inbox } }) {
    const freed = askedOr(inbox, null)?.freed ?? [];
    if (freed.length === 0) return pass;
    const records = freed.flatMap(({ id, attempt, title, by, holder }): readonly (TaskRecord | MessageRecord)[] => {
      const release = { kind: "task", do: "release", id, attempt, why: "its session ended" } as const;
      const told: MessageRecord = {
        ...{ kind: "message", id: madeId(`release ${id} ${attempt}`), to: by, from: holder, type: "error_report" },
        ...{ subject: inline(`${id} is free again: the session of ${holder} ended. ${title}`), thread: id },
        session: event.session,
      };
      return by === holder ? [release] : [release, told];
    });
    return { ...pass, jobs: [{ job: "mail", records }] };
  },

  get examples(): readonly Example[] {
    return [
      { expect: "pass", when: { name: "Stop", backgroundTasks: 0, lastMessage: "" } },
      {
        expect: "pass",
        when: { name: "UserPromptSubmit", prompt: "go on" },
        given: exampleInbox({
          actor: "lead",
          freed: [{ id: "t1", attempt: 1, title: "x", by: "lead", holder: "worker1" }],
        }),
      },
    ];
  },
});
