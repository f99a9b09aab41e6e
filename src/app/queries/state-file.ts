/** Where the work of this tree stands, as `state.md` shows it. */
import { own } from "../../lib/keyed.ts";
import { type StateSections, stateSections, stateText } from "../../playbook/state-file.ts";
import { playbookAt } from "../../world/facts/playbooks.ts";
import { type Here, orFail } from "../project.ts";
import { workRoot } from "./playbooks.ts";

export interface StateHere {
  readonly root: string;
  readonly sections: StateSections;
  readonly text: string;
}

export function stateHere(place: Here): StateHere {
  const root = workRoot(place);
  const state = orFail(place.store.read());
  const { active } = own(state.playbooks ?? {}, root) ?? {};
  const playbook = active === undefined ? undefined : playbookAt(root, active);
  const sections = stateSections({ root, state, settings: place.settings.settings, playbook });
  return { root, sections, text: stateText(sections) };
}
