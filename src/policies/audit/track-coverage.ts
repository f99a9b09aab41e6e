import { bindingOf } from "../../kernel/binding.ts";
import { narrator } from "../../kernel/event.ts";
import { definePolicy, pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Coverage, Gap } from "../../state/session/coverage.ts";
import { coverageOf } from "../../state/session/session.ts";
import { type Comparison, compare } from "./coverage.ts";

/** Hooks can be disabled, replaced or answered by another process. The host's own transcript reveals all of these. */
export const trackCoverage = definePolicy({
  id: "track-coverage",
  on: ["Stop", "SubagentStop", "UserPromptSubmit"],
  needs: ["now", "session", "caller", "transcript", "lateTranscripts"],
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
      Object.entries(told).map(([actor, transcript]) => compare(coverage, actor, transcript, facts.now)),
    );
    const gaps = found.flatMap((comparison) => comparison.gaps ?? []);
    const untold = event.name === "UserPromptSubmit" ? untoldOf(coverage, gaps) : [];
    const changes: Ruling["changes"] = [
      ...found,
      ...(untold.length > 0
        ? [{ record: "session", do: "tell-gaps", upTo: coverage.gapCount + gaps.length } as const]
        : []),
    ];
    return { ...pass, notices: gaps.map(forPerson), notes: untold.map(forAgent), changes };
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

type Words = Pick<Gap, "kind" | "count" | "calls">;

/** A Stop cannot tell the agent anything without refusing, so the agent is told with the next prompt. */
function untoldOf({ gaps, gapCount, told }: Coverage, fresh: readonly Words[]): readonly Words[] {
  const missing = gapCount - told;
  return [...(missing > 0 ? gaps.slice(-missing) : []), ...fresh];
}

function forPerson(gap: Words): Text {
  const calls = callsOf(gap);
  return gap.kind === "bypass"
    ? text(
        `${gap.count} tool use(s) ran without passing the checkpoint: ${calls}. Its hooks were off, or something answered in its place. Look at what they did; \`sekisho status\` shows the hooks, \`sekisho init\` sets them up again.`,
        `${gap.count} 件の操作が関所を通らずに実行されました: ${calls}。フックが切れていたか、何かが代わりに答えました。内容を確かめてください。\`sekisho status\` でフックを確認、\`sekisho init\` で設定し直せます。`,
      )
    : text(
        `The checkpoint was asked about ${gap.count} tool use(s) that are not in the transcript: ${calls}. Somebody made them up, or the transcript was changed. Do not rely on what this session recorded; \`sekisho audit --kind gap\` shows them.`,
        `記録にない操作が ${gap.count} 件、関所に届いています: ${calls}。偽の通知か、会話記録の改変です。このセッションの記録を頼りにしないでください。\`sekisho audit --kind gap\` で確認できます。`,
      );
}

function forAgent(gap: Words): Text {
  const calls = callsOf(gap);
  return gap.kind === "bypass"
    ? text(
        `Sekisho: ${gap.count} of your tool uses (${calls}) ran without passing the checkpoint; what they showed does not count as evidence. Tell the person, and run again what must be proven.`,
        `関所: あなたの操作 ${gap.count} 件 (${calls}) は関所を通っておらず、証拠になりません。利用者に伝え、証明が要るものはやり直してください。`,
      )
    : text(
        `Sekisho: it was asked about ${gap.count} tool use(s) (${calls}) that you never made. Tell the person.`,
        `関所: あなたが行っていない操作 ${gap.count} 件 (${calls}) の通知がありました。利用者に伝えてください。`,
      );
}

function callsOf({ calls, count }: Words): string {
  return `${calls.join(", ")}${count > calls.length ? " …" : ""}`;
}
