/** Why the end of a turn was let go although somebody would have refused it, in words. */
import { own } from "../state/keyed.ts";
import type { VerdictRecord } from "../state/record.ts";

/** By the words of the arbiter; a newer one's are told as they are. */
const WORDS: Readonly<Record<string, string>> = {
  bound: "it had refused as often as it may",
  ceiling: "the turn had been refused as often as one turn may be",
  idle: "it was sent on several times and used no tool",
  background: "something in the background will wake the agent",
  question: "a question to the person is open",
  cancelled: "the person had just cancelled",
  compacted: "the conversation had just been made shorter",
};

export function releaseWords(why: string): string {
  return own(WORDS, why) ?? why;
}

/** The detail of such an entry of the trail; empty where it was none. */
export function letGo({ decision, released = [] }: VerdictRecord): string {
  const [first] = released;
  if (decision !== "pass" || !first) return "";
  const who = [...new Set(released.map(({ policy }) => policy))].join(", ");
  return `let go, although ${who} would have refused: ${releaseWords(first.why)}`;
}
