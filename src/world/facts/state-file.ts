/** The state file as it should be, where it is another or missing. */
import { type Facts, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { stateSections, stateText } from "../../playbook/state-file.ts";
import { isToWrite } from "../machine/state-file.ts";
import { rootOf } from "../machine/work-tree.ts";
import type { Looking } from "./looking.ts";
import { playbookAt } from "./playbooks.ts";

export function stateFile({
  event,
  places,
  settings,
  state,
}: Pick<Looking, "event" | "places" | "settings" | "state">): Facts["stateFile"] | Unknown {
  if (isUnknown(state)) return state;
  const root = rootOf(event.cwd, places.project);
  const { active } = own(state.playbooks ?? {}, root) ?? {};
  const playbook = active === undefined ? undefined : playbookAt(root, active);
  const text = stateText(stateSections({ root, state, settings, playbook }));
  return isToWrite(root, text) ? { root, text } : null;
}
