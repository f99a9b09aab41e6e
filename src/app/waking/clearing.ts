/** Messages that ask to clear an agent's conversation. They count only with `inbox.clear: on`. */
import { type Letter, type Letters, lettersOf } from "../../state/letters/part.ts";
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
    (letter) =>
      letter.type === CLEAR &&
      letter.n > 0 &&
      letter.readAt === undefined &&
      isOurs(letter) &&
      (letter.from === PERSON || (supervisor !== "" && letter.from === supervisor)),
  )?.n;
}

/** Whoever can write into a queue file can name any sender there. */
function isOurs({ file, origin, of }: Letter): boolean {
  return file === undefined && origin === undefined && of === undefined;
}
