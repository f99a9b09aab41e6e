/** A verdict with its whole trace: the one that is named, or the newest. */
import { policies } from "../../policies/index.ts";
import { type ExplainView, explainView, lastEntry } from "../../views/explain.ts";
import type { Here } from "../project.ts";
import { entriesOf, entryNamed } from "./entries.ts";

/** Undefined: nothing has been decided here yet. */
export function explanationOf(place: Here, id: string | undefined): ExplainView | undefined {
  const entries = entriesOf(place);
  const found = id === undefined ? lastEntry(entries) : entryNamed(entries, id);
  return found && explainView(found, policies, place.language);
}
