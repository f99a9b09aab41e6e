/** Explains why the end of a turn was allowed although a policy would have refused it. */
import { own } from "../lib/keyed.ts";
import type { VerdictRecord } from "../state/record.ts";

/** By the arbiter's reason codes; unknown codes are shown as they are. */
const WORDS: Readonly<Record<string, string>> = {
  bound: "it had refused as often as it may",
  ceiling: "the turn had been refused as often as one turn may be",
  idle: "it was told to continue several times and used no tool",
  background: "something in the background will wake the agent",
  question: "a question to the person is open",
  cancelled: "the person had just cancelled",
  compacted: "the conversation had just been made shorter",
};

export function releaseWords(why: string): string {
  return own(WORDS, why) ?? why;
}

/** Detail text of such an audit entry; empty when nothing was released. */
export function letGo({ decision, released = [] }: VerdictRecord): string {
  const [first] = released;
  if (decision !== "pass" || !first) return "";
  const who = [...new Set(released.map(({ policy }) => policy))].join(", ");
  return `let go, although ${who} would have refused: ${releaseWords(first.why)}`;
}
