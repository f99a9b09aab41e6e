/** Tools that write text into a file by hand; any other program that writes is assumed to be the generator. */
import { names } from "../../lib/name-table.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";

const HANDS = names(
  "echo printf cat sed gsed perl awk gawk mawk ruby tee sponge dd truncate patch head tail tr cut grep rg sd yq :",
);

/** Includes every command that feeds its standard input. */
export function isByHand(invocation: Invocation, others = ""): boolean {
  const chain = [invocation, ...(invocation.stdin?.from ?? [])];
  return chain.every(({ name = "" }) => HANDS.has(name) || (others !== "" && others.split(" ").includes(name)));
}
