/** The state file as it should be, where it is another or missing. */
import { join } from "node:path";
import { readPlain } from "../../disk/plain-file.ts";
import { type Facts, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { STATE_FILE, STATE_MARK, stateSections, stateText } from "../../playbook/state-file.ts";
import { rootOf } from "../machine/work-tree.ts";
import type { Looking } from "./looking.ts";
import { playbookAt } from "./playbooks.ts";

const BYTES_MAX = 256 * 1024;

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
  const file = readPlain(join(root, STATE_FILE), BYTES_MAX);
  if (!file) return { root, text };
  // Somebody's own file of that name is left alone.
  if ("problem" in file || !file.bytes.toString("utf8").startsWith(STATE_MARK)) return null;
  return file.bytes.toString("utf8") === text ? null : { root, text };
}
