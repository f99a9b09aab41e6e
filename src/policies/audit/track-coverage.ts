import { bindingOf } from "../../kernel/binding.ts";
import { narrator } from "../../kernel/event.ts";
import { definePolicy, pass, type Ruling } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import type { Coverage, NewGap } from "../../state/session/coverage.ts";
import { coverageOf } from "../../state/session/session.ts";
import { type Comparison, compare } from "./coverage.ts";
import { forAgent, forPerson } from "./gap-words.ts";

/** Hooks can be disabled, replaced or answered by another process. The host's own transcript reveals all of these. */
export const trackCoverage = definePolicy({
  id: "track-coverage",
  on: ["Stop", "SubagentStop", "UserPromptSubmit"],
  needs: ["now", "session", "caller", "transcript", "lateTranscripts", "witness"],
  why: text(
    "A checkpoint that was passed by must know it, and so must the person.",
    "素通りされた関所は、それに気づき、人に知らせなければならない。",
  ),

  check({ event, facts }) {
    // An event that does not come from the host may name any file, so nothing in it is recorded.
    if (bindingOf(facts.session, facts.caller) === "unbound") return pass;
    const coverage = coverageOf(facts.session);
    const told = { ...(facts.transcript && { [narrator(event)]: facts.transcript }), ...facts.lateTranscripts };
    const found = inOneRecord(
      Object.entries(told).map(([actor, transcript]) =>
        compare(coverage, actor, transcript, facts.now, facts.session.calls),
      ),
    );
    const gaps = found.flatMap((comparison) => comparison.gaps ?? []);
    const fresh = [...facts.witness.gaps, ...gaps];
    const untold = event.name === "UserPromptSubmit" ? untoldOf(coverage, fresh) : [];
    const changes: Ruling["changes"] = [
      ...found,
      ...(untold.length > 0
        ? [{ record: "session", do: "tell-gaps", upTo: coverage.gapCount + fresh.length } as const]
        : []),
    ];
    const again = untold.filter((gap) => isOfForgery(gap) && !fresh.includes(gap));
    return { ...pass, notices: [...again, ...gaps].map(forPerson), notes: untold.map(forAgent), changes };
  },

  examples: [
    { expect: "pass", when: { name: "Stop", transcript: "" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "go on", transcript: "/t.jsonl" },
      given: {
        transcript: {
          uses: [{ id: "toolu_1", tool: "Bash", at: 900 }],
          results: [{ id: "toolu_1", ran: true }],
          cursor: { offset: 500, mark: "x", whole: true },
          broken: false,
        },
      },
    },
  ],
});

/** A comparison that does not fit is not lost: its cursor stays, and the lines are read again at the next event. */
function inOneRecord(comparisons: readonly Comparison[]): readonly Comparison[] {
  let bytes = 0;
  return comparisons.filter((comparison, at) => {
    const size = JSON.stringify(comparison).length;
    if (at > 0 && bytes + size > CHANGES_BYTES_MAX) return false;
    bytes += size;
    return true;
  });
}

const CHANGES_BYTES_MAX = 1_400;

/** A Stop cannot tell the agent anything without refusing, so the agent is told with the next prompt. */
function untoldOf({ gaps, gapCount, told }: Coverage, fresh: readonly NewGap[]): readonly NewGap[] {
  const missing = gapCount - told;
  return [...(missing > 0 ? gaps.slice(-missing) : []), ...fresh];
}

/** A forged event is answered to whoever forged it, so the person hears of these again with the next prompt. */
function isOfForgery({ kind }: NewGap): boolean {
  return kind === "forged" || kind === "rewritten" || kind === "prompt";
}
