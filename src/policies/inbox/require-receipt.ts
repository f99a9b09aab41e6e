import { askedOr, type ReceiptsFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { using } from "../example.ts";
import { toldOf } from "./lost-messages.ts";

/** Tells the sender, once, that a message which the host took has not arrived. */
export const requireReceipt = definePolicy({
  id: "require-receipt",
  on: ["PostToolUse", "UserPromptSubmit", "Stop"],
  needs: ["session", "settings", "receipts"],
  needsIf: { receipts: ({ session }) => session.sent !== undefined },
  bound: 20,
  level: "messages",
  why: text(
    "Whoever believes that a message arrived waits for an answer that never comes.",
    "届いたと思い込むと、来ない返事を待ち続けることになります。",
  ),

  check({ event, facts: { settings, receipts } }) {
    const { settled, lost } = askedOr(receipts, NONE);
    return settled.length + lost.length === 0 ? pass : toldOf(event, { settled, lost }, settings.roles);
  },

  get examples(): readonly Example[] {
    const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const message = { id: "m1", to: "bob", from: "alice", subject: "the port" };
    const given = {
      session: boundSession({ sent: ["m1"] }),
      receipts: { settled: [], lost: [{ ...message, why: "gone" as const }] },
    };
    return [
      { expect: "pass", when: stop },
      { expect: "deny", when: stop, given },
      { expect: "pass", when: using({ kind: "read", name: "Read" }, "PostToolUse"), given },
      { expect: "pass", when: stop, given: { ...given, receipts: { settled: ["m1"], lost: [] } } },
    ];
  },
});

const NONE: ReceiptsFound = { settled: [], lost: [] };
