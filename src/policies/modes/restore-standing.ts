/** How modes and tasks stand, in short: a conversation that has been told so is told again only of something else. */
import type { Facts } from "../../kernel/facts.ts";
import { modesInForce } from "../../state/modes.ts";

export function standingOf({
  modesTakenUp,
  now,
  hostTasks,
}: Pick<Facts, "modesTakenUp" | "now" | "hostTasks">): string {
  const modes = modesInForce(modesTakenUp, now).map(
    ({ name, count, max, paused }) => `${name} ${count}/${max}${paused === undefined ? "" : " paused"}`,
  );
  return [...modes, `tasks ${hostTasks.open}`].join(", ");
}
