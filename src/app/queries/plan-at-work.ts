/** The plan that is meant where a command names none. */
import { own } from "../../lib/keyed.ts";
import { type Here, orFail } from "../project.ts";

/** The one that a person approved last; undefined if there is none. */
export function planAtWork({ store }: Pick<Here, "store">, root: string): string | undefined {
  const path = own(orFail(store.read()).playbooks ?? {}, root)?.active;
  return path === undefined ? undefined : `${root}/${path}`;
}
