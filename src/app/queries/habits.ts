/** What the person has said yes to here, and what passes without a question for it. */
import { type HabitsView, habitsView } from "../../views/habits.ts";
import { type Here, orFail } from "../project.ts";

export function habitsHere({ store }: Here): HabitsView {
  return habitsView(orFail(store.read()), Date.now());
}
