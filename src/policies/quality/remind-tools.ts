import { definePolicy, pass } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { type Text, text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { modesInForce } from "../../state/session/modes.ts";
import { exampleMode, PLACE, read } from "../example.ts";

interface Hint {
  /** All names of the same tool. */
  readonly tools: readonly string[];
  /** Number of uses without a hint. */
  readonly enough: number;
  readonly words: Text;
}

/** Outside a mode speed is not the goal, so many reads are fine. */
export const remindTools = definePolicy({
  id: "remind-tools",
  on: ["PreToolUse"],
  needs: ["session", "now"],
  why: text(
    "Many single reads or helpers are often one search, or one helper with a wider task.",
    "何度も読み、何度も任せるより、一度の検索か広い一任で足りることが多い。",
  ),
  applies: ({ tool }) => tool.kind === "read" || tool.kind === "agent",

  check({ event, facts: { session, now } }) {
    const { modes, tools, shown } = session;
    if (modesInForce(modes, now).length === 0) return pass;
    const hint = HINTS.find(({ tools: names }) => names.includes(event.tool.name));
    const notice = `tools:${hint?.tools[0]}`;
    const used = (hint?.tools ?? []).reduce((sum, name) => sum + (own(tools?.counts ?? {}, name) ?? 0), 0);
    if (!hint || used < hint.enough || shown.includes(notice)) return pass;
    return { ...pass, notes: [hint.words], changes: [{ record: "session", do: "show", notice }] };
  },

  get examples() {
    const tools = { total: 10, last: "Read", counts: { Read: 10 } };
    const session = boundSession({ tools });
    return [
      { expect: "pass", when: read(`${PLACE}/a.ts`), given: { session } },
      { expect: "pass", when: read(`${PLACE}/a.ts`), given: { session: { ...session, modes: { qa: exampleMode } } } },
    ] as const;
  },
});

const HINTS: readonly Hint[] = [
  {
    tools: ["Read"],
    enough: 10,
    words: text(
      "Sekisho: more than 10 files were read. Search (Grep, Glob) or send a helper to look, and read only what matters.",
      "関所: 読んだファイルが 10 を超えました。検索 (Grep, Glob) や調査役に任せ、要るものだけを読んでください。",
    ),
  },
  {
    tools: ["Agent", "Task"],
    enough: 5,
    words: text(
      "Sekisho: more than 5 helpers were started. Put what is left into fewer, wider tasks, or do it yourself.",
      "関所: 任せた作業が 5 を超えました。残りは広い作業にまとめるか、自分で行ってください。",
    ),
  },
];
