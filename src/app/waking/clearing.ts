/** Messages that ask to clear an agent's conversation. They count only with `inbox.clear: on`. */
import { type Letters, lettersOf } from "../../state/letters/part.ts";
import { type RoleSettings, standingOf } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";

const CLEAR = "clear_command";

/** From a person or the supervisor, to an agent that supervises nobody: the others hold the thread of the whole work. */
export function clearOrder(
  actor: string,
  letters: Letters,
  roles: RoleSettings,
  names: readonly string[],
): number | undefined {
  const { supervisor, isExempt } = standingOf(actor, roles);
  if (isExempt || names.some((name) => standingOf(name, roles).supervisor === actor)) return undefined;
  return lettersOf(letters, actor).find(
    ({ type, from, readAt, n }) =>
      type === CLEAR &&
      n > 0 &&
      readAt === undefined &&
      (from === PERSON || (supervisor !== "" && from === supervisor)),
  )?.n;
}
