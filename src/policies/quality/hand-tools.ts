/** Tools by which words get into a file; whatever else writes there is taken for what makes it. */
import { names } from "../../kernel/name-table.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";

const HANDS = names(
  "echo printf cat sed gsed perl awk gawk mawk ruby tee sponge dd truncate patch head tail tr cut grep rg sd yq :",
);

/** With all that flows into it. */
export function isByHand(invocation: Invocation, others = ""): boolean {
  const chain = [invocation, ...(invocation.stdin?.from ?? [])];
  return chain.every(({ name = "" }) => HANDS.has(name) || (others !== "" && others.split(" ").includes(name)));
}
