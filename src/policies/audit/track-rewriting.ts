import { bindingOf } from "../../kernel/binding.ts";
import { toolMark } from "../../kernel/marks.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { inline, text } from "../../lib/text.ts";
import { newSession } from "../../state/session/session.ts";
import { using } from "../example.ts";
import { forPerson } from "./gap-words.ts";

const ls = { kind: "bash", name: "Bash", command: "ls", background: false } as const;

/** Another hook can replace a tool's input after we have judged it. The host reports the new one when the tool ends. */
export const trackRewriting = definePolicy({
  id: "track-rewriting",
  on: ["PostToolUse", "PostToolUseFailure"],
  needs: ["session", "caller"],
  why: text("What was judged must be what ran.", "判定したものと実行されたものは、同じでなければならない。"),

  check({ event, facts }) {
    const judged = own(facts.session.calls, event.call);
    if (judged?.mark === undefined || bindingOf(facts.session, facts.caller) === "unbound") return pass;
    if (!judged.twice && toolMark(event.tool, event.input) === judged.mark) return pass;
    const call = inline(`${event.tool.name} ${event.call}`, 60).replace(/[^ -~]/g, "?");
    const gap = { kind: "rewritten", count: 1, calls: [call] } as const;
    return { ...remember({ record: "session", do: "gap", gaps: [gap] }), notices: [forPerson(gap)] };
  },

  get examples() {
    const calls = { "call-1": { tool: "Bash", at: 0, background: false, mark: "of another command" } };
    const session = { ...newSession(0), client: { pid: 7, started: "1" }, calls };
    return [
      { expect: "pass", when: using(ls, "PostToolUse") },
      { expect: "pass", when: using(ls, "PostToolUse"), given: { session } },
    ] as const;
  },
});
