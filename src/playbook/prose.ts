/** The words of a plan that are neither box nor field nor mark. A person has read them too, so an approval covers them. */
import type { FieldKey } from "./fields.ts";
import { stepNamed } from "./naming.ts";
import type { FieldItem, Heading, Item } from "./outline.ts";
import { isOfStep, type Part } from "./parts.ts";

/** What is said about progress: it may change while the work goes on. */
const CLAIMS: ReadonlySet<FieldKey> = new Set([
  "status",
  "validations",
  "technical",
  "consistency",
  "completeness",
  "validated",
]);

/** Blanks and line breaks do not count, so that a formatter changes nothing. The fields of a step are bound as such. */
export function proseOf({ path, box, items }: Part, isStep: boolean): readonly string[] {
  if (path.some(isForNotes)) return [];
  const heading = box ? undefined : path.at(-1)?.words;
  const words = items.flatMap((item, at) => {
    if (item.kind === "fence") return isStep && isCommand(items[at - 1]) ? [] : [item.language, item.body];
    if (item.kind !== "field") return "words" in item ? [item.words] : [];
    return CLAIMS.has(item.key) || (isStep && isRead(item, box)) ? [] : [item.key, item.value];
  });
  const all = [heading ?? "", ...words].join(" ").replace(/\s+/g, " ").trim();
  return all === "" ? [] : [all];
}

const OF_STEP: ReadonlySet<FieldKey> = new Set(["what", "depends", "executor", "iterations", "stance", "scope"]);
const OF_BOX: ReadonlySet<FieldKey> = new Set(["criterion", "depends", "executor", "run", "expected"]);

/** It has a meaning where it stands, and is bound by that. A scope below a box has none: it is only words. */
function isRead(item: FieldItem, box: Part["box"]): boolean {
  return (isOfStep(item, box) ? OF_STEP : OF_BOX).has(item.key);
}

/** A `Run:` without a value takes the code block below it. */
function isCommand(item: Item | undefined): boolean {
  return item?.kind === "field" && item.key === "run" && item.value === "";
}

/** Notes are written while the work goes on. Nobody approves them, and nothing reads them. */
function isForNotes({ level, words }: Heading): boolean {
  return level > 1 && stepNamed(words) === undefined && NOTES.test(words.trim());
}

const NOTES =
  /^(?:(?:work(?:ing)?|decision|progress) )?(?:notes?|log)$|^(?:progress|メモ|作業メモ|作業記録|進捗|経過)$/i;
