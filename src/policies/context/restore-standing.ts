/** The standing of modes and tasks in short, used to repeat the note only after a change. */
import { askedOr, type Facts, NO_TASKS } from "../../kernel/facts.ts";
import { modesInForce } from "../../state/session/modes.ts";

export function standingOf({
  modesTakenUp,
  now,
  hostTasks,
}: Pick<Facts, "modesTakenUp" | "now" | "hostTasks">): string {
  const modes = modesInForce(modesTakenUp, now).map(
    ({ name, count, max, paused }) => `${name} ${count}/${max}${paused === undefined ? "" : " paused"}`,
  );
  return [...modes, `tasks ${askedOr(hostTasks, NO_TASKS).open}`].join(", ");
}
