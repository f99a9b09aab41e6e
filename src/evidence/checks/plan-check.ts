/** `sekisho playbook check` on a shell line: it runs the commands of a plan and fails when one of them fails. */
import { within } from "../../lib/paths.ts";
import { proofOf } from "../../reading/shell/proof/proof.ts";
import { programOf } from "./spelling.ts";

export interface PlanCheck {
  /** The plan's name; absent for the one at work. */
  readonly name?: string;
  readonly step?: string;
}

/** A quick look, so that other lines are not read. */
export function maybePlanCheck(command: string): boolean {
  return command.includes("playbook") && /\bsekisho\b[^\n]*\bplaybook\b[^\n]*\bcheck\b/.test(command);
}

/** The one that must have passed if the line exits with 0. */
export function planCheckIn(
  command: string,
  place: { readonly cwd: string; readonly home: string; readonly root: string },
): PlanCheck | undefined {
  const { root } = place;
  for (const { words, open, cwd } of proofOf(command, place).conclusive) {
    const [name, verb, what, ...rest] = programOf(words, root);
    const isOurs = name === "sekisho" && verb === "playbook" && what === "check" && !open;
    if (isOurs && cwd !== undefined && within(cwd, root)) return planCheckOf(rest);
  }
  return undefined;
}

/** The words after `check`. Undefined if there is one that we do not know. */
export function planCheckOf(words: readonly string[]): PlanCheck | undefined {
  const plain = words.flatMap((word) => word.split(/^(--step)=/).filter((part) => part !== ""));
  const at = plain.indexOf("--step");
  const step = at < 0 ? undefined : plain[at + 1];
  const rest = plain.filter((word, index) => word !== "--json" && (at < 0 || (index !== at && index !== at + 1)));
  if (rest.length > 1 || rest.some((word) => word.startsWith("-")) || (at >= 0 && step === undefined)) return undefined;
  const [name] = rest;
  return { ...(name !== undefined && { name }), ...(step !== undefined && { step }) };
}
