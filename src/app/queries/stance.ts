/** The stance in force here, and what it leaves open. */
import { stanceInForce } from "../../kernel/stance.ts";
import { type StanceView, stanceView } from "../../views/stance.ts";
import { type Here, orFail } from "../project.ts";

export function stanceHere({ store, settings }: Here): StanceView {
  const inForce = stanceInForce(orFail(store.read()).stance, settings.settings);
  return stanceView(inForce, settings.settings.profile);
}
