/** Says what it is time for in this project. */
import { knownStance, STANCES, type Stance } from "../../state/stance.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { type Doer, keepAction } from "./action.ts";

/** The stance applies from the next tool call on. */
export function takeStance({ store }: Pick<Here, "store">, stance: Stance, how: string, doer: Doer): void {
  const changes = [{ record: "stance", do: "set", stance }] as const;
  keepAction(store, { action: "stance", detail: `${stance}, ${how}`, changes }, Date.now(), doer);
}

/** An unknown stance is an error instead of the strictest one, because the person can correct it right away. */
export function stanceNamed(word: string): Stance {
  const stance = knownStance(word);
  if (!stance) throw new Problem(`There is no stance "${word}". They are: ${STANCES.join(", ")}.`);
  return stance;
}
