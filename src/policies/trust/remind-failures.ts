import { ESCALATES_AT, personaOf } from "../../kernel/model-ladder.ts";
import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { weigh } from "../../kernel/weighing.ts";
import { newSession, own } from "../../state/session.ts";
import { newLedger, newTrust, trustAt } from "../../state/trust.ts";
import { using } from "../example.ts";

/** An agent that fails again and again at the same kind of work does not need another try but another look. */
export const remindFailures = definePolicy({
  id: "remind-failures",
  on: ["PostToolUseFailure"],
  needs: ["session", "trust", "settings", "now"],
  why: text(
    "Three failures in a row are rarely bad luck: the way is wrong, or the help is too weak.",
    "3 回続く失敗は偶然ではない。やり方が違うか、力が足りない。",
  ),

  applies: ({ interrupted, failed }) => !interrupted && failed !== false,

  check({ event, facts }) {
    const call = own(facts.session.calls, event.call);
    if (!call?.domain || (call.answers && event.exitCode === 1)) return pass;
    const { domain } = call;
    const known = trustAt(facts.trust, domain, facts.now, facts.settings.trust);
    const inARow = known.consecutiveFailures + 1;
    if (inARow % ESCALATES_AT !== 0) return pass;
    // As it will be with this failure counted.
    const trust = { domains: { [domain]: { ...known, consecutiveFailures: inARow } } };
    const { model } = weigh(domain, "medium", { ...facts, trust: { ...facts.trust, ...trust } });
    const helper = `${model} (${personaOf(model)})`;
    return {
      ...pass,
      notes: [
        text(
          `Sekisho: ${inARow} failures in a row in ${domain}. Do not repeat it: find the cause, take another way, or hand it to a subagent on ${helper}. If that fails too, ask the person.`,
          `関所: ${domain} で ${inARow} 回連続の失敗です。繰り返さず、原因を調べて別の方法を取るか、${helper} のサブエージェントに任せ、それでも駄目なら利用者に尋ねてください。`,
        ),
      ],
      notices: [
        text(
          `${inARow} failures in a row in ${domain}; recommended model: ${helper}.`,
          `${domain} で ${inARow} 回連続の失敗。推奨モデル: ${helper}。`,
        ),
      ],
    };
  },

  get examples() {
    const when = using({ kind: "bash", name: "Bash", command: "make", background: false }, "PostToolUseFailure");
    const calls = { "call-1": { tool: "Bash", at: 0, background: false, domain: "shell_exec" } };
    const session = { ...newSession(0), client: { pid: 7, started: "1" }, calls };
    const failing = { ...newTrust(0.3, 0), consecutiveFailures: 2 };
    const trust = { ...newLedger, domains: { shell_exec: failing } };
    return [
      { expect: "pass", when },
      { expect: "pass", when, given: { session, trust } },
    ] as const;
  },
});
