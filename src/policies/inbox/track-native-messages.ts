import { bindingOf } from "../../kernel/binding.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { using } from "../example.ts";
import { arrivals, sending } from "./native-records.ts";

const SENT = { to: "bob", body: "The port is 3000.", isTaken: true, reach: "session", answer: "" } as const;

/** Records both ends of the messages that agents send with a tool of the host, so that a lost one is noticed. */
export const trackNativeMessages = definePolicy({
  id: "track-native-messages",
  on: ["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"],
  needs: ["session", "caller", "settings", "peers", "transcript"],
  needsIf: { peers: ({ event }) => event.name === "PostToolUse" },
  why: text(
    "The host says that a message was sent, and nobody says whether it arrived.",
    "ホストは送信したことだけを伝え、届いたかどうかは誰も伝えません。",
  ),
  applies(event) {
    if (event.name === "PostToolUse") return event.sent !== undefined;
    return event.name !== "UserPromptSubmit" || event.heard !== undefined || event.notice !== undefined;
  },

  check({ event, facts }) {
    // An event that does not come from the host may name any message.
    if (bindingOf(facts.session, facts.caller) === "unbound") return pass;
    if (event.name === "PostToolUse") return event.sent ? sending(event, event.sent, facts) : pass;
    if (event.name === "UserPromptSubmit") return arrivals(event, event.heard ? [event.heard] : [], event.notice);
    // A teammate's message has no event of its own.
    const prompts = facts.transcript?.prompts?.filter(({ heard }) => heard?.reach === "team") ?? [];
    return prompts.length === 0
      ? pass
      : arrivals(
          event,
          prompts.flatMap(({ heard }) => heard ?? []),
        );
  },

  get examples(): readonly Example[] {
    const sent = using({ kind: "control", name: "SendMessage" }, "PostToolUse");
    return [
      { expect: "pass", when: { ...sent, sent: SENT } },
      { expect: "pass", when: { ...sent, sent: { ...SENT, isTaken: false } } },
      { expect: "pass", when: { name: "UserPromptSubmit", prompt: "go on" } },
      { expect: "pass", when: { name: "Stop", backgroundTasks: 0, lastMessage: "" } },
    ];
  },
});
