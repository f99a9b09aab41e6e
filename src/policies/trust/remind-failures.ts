import { definePolicy, pass } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { newTrust, newTrustLedger } from "../../state/trust.ts";
import { using } from "../example.ts";
import { onFailures } from "./failures.ts";

/** An agent that keeps failing at the same kind of work needs another approach, not another try. */
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
    return onFailures({ domain: call.domain, session: event.session, call: event.call }, facts);
  },

  get examples() {
    const when = using({ kind: "bash", name: "Bash", command: "make", background: false }, "PostToolUseFailure");
    const calls = { "call-1": { tool: "Bash", at: 0, background: false, domain: "shell_exec" } };
    const session = boundSession({ calls });
    const failing = { ...newTrust(0.3, 0), consecutiveFailures: 2 };
    const trust = { ...newTrustLedger, domains: { shell_exec: failing } };
    return [
      { expect: "pass", when },
      { expect: "pass", when, given: { session, trust } },
    ] as const;
  },
});
