/** The standing of modes and tasks in short, used to repeat the note only after a change. */
import { askedOr, type Facts, NO_TASKS } from "../../kernel/facts.ts";
import { modesInForce } from "../../state/session/modes.ts";
import { planLine } from "../playbook/plan-line.ts";

export function standingOf({
  modesTakenUp,
  now,
  hostTasks,
  plan,
}: Pick<Facts, "modesTakenUp" | "now" | "hostTasks" | "plan">): string {
  const modes = modesInForce(modesTakenUp, now).map(
    ({ name, count, max, paused }) => `${name} ${count}/${max}${paused === undefined ? "" : " paused"}`,
  );
  const line = planLine(plan)?.en;
  return [...modes, `tasks ${askedOr(hostTasks, NO_TASKS).open}`, ...(line === undefined ? [] : [line])].join(", ");
}
