/** A verdict with its whole trace: the one that is named, or the newest. */
import { policies } from "../../policies/index.ts";
import { type ExplainView, explainView, lastEntry } from "../../views/explain.ts";
import type { Here } from "../project.ts";
import { entriesOf, entryNamed, withWholeInput } from "./entries.ts";

/** Undefined: nothing has been decided here yet. */
export function explanationOf(
  place: Here,
  id: string | undefined,
  { isWhole }: { readonly isWhole: boolean },
): ExplainView | undefined {
  const entries = entriesOf(place);
  const entry = id === undefined ? lastEntry(entries) : entryNamed(entries, id);
  const found = entry && isWhole ? withWholeInput(place, entry) : entry;
  return found && explainView(found, policies, place.language);
}
