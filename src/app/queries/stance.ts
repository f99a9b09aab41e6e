/** The stance in force here, and what it leaves open. */
import { stanceInForce } from "../../kernel/stance.ts";
import { isTightening } from "../../state/stance.ts";
import { isFault } from "../../store/store.ts";
import { type StanceView, stanceView } from "../../views/stance.ts";
import { type Here, orFail } from "../project.ts";

export function stanceHere({ store, settings }: Here): StanceView {
  const inForce = stanceInForce(orFail(store.read()).stance, settings.settings);
  return stanceView(inForce, settings.settings.profile);
}

/** Whether a stance only closes something. A journal that cannot be read leaves the question open; setting it will tell. */
export function isTighteningHere({ store }: Here, word: string): boolean {
  const state = store.read();
  return isFault(state) || isTightening(word, state.stance);
}
