import type { HookEvent } from "../../kernel/event.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { modesInForce } from "../../state/session/modes.ts";
import { newSession } from "../../state/session/session.ts";
import { exampleMode, using } from "../example.ts";

/**
 * Pauses the modes when a turn is interrupted by the person or by a service error: until the person speaks again, no
 * mode refuses a Stop.
 */
export const trackInterruptions = definePolicy({
  id: "track-interruptions",
  on: ["StopFailure", "PostToolUseFailure"],
  needs: ["session", "now"],
  why: text(
    "Whoever broke the work off decides when it goes on; and an agent without a model cannot work at all.",
    "作業を中断した人が再開を決める。モデルが応答しないときは続けようがない。",
  ),

  // Ending a subagent does not end the turn, and an agent can end its subagents itself.
  applies: (event) => event.agent === undefined && (event.name === "StopFailure" || event.interrupted),

  check({ event, facts }) {
    const running = modesInForce(facts.session.modes, facts.now).filter(({ paused }) => paused === undefined);
    if (running.length === 0) return pass;
    const why = whyOf(event);
    const names = running.map(({ name }) => name).join(", ");
    return { ...remember({ record: "mode", do: "pause", why }), notices: [notice(names, why)] };
  },

  examples: [
    { expect: "pass", when: { name: "StopFailure", error: "rate_limit" } },
    {
      expect: "pass",
      when: { name: "StopFailure", error: "rate_limit" },
      given: { session: { ...newSession(0), modes: { persistent: exampleMode } } },
    },
    {
      expect: "pass",
      when: {
        ...using({ kind: "bash", name: "Bash", command: "make", background: false }, "PostToolUseFailure"),
        interrupted: true,
      },
      given: { session: { ...newSession(0), modes: { persistent: exampleMode } } },
    },
  ],
});

const WHY_CHARS_MAX = 40;

function whyOf(event: HookEvent<"StopFailure" | "PostToolUseFailure">): string {
  return event.name === "StopFailure" ? inline(event.error, WHY_CHARS_MAX) || "error" : "interrupted";
}

function notice(names: string, why: string): Text {
  return text(
    `Paused: ${names} (${why}). Nothing holds the agent until your next prompt; then it goes on. Type \`cancel\` to end it for good.`,
    `一時停止: ${names} (${why})。次の指示まではエージェントを引き止めず、指示があれば再開します。終えるには「キャンセル」と入力。`,
  );
}
