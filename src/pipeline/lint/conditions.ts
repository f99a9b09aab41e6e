/** Whether a condition speaks of things that a run knows, and could be true. */
import { inline } from "../../lib/text.ts";
import { namesFor, namesIn, valuesOf } from "../condition/names.ts";
import type { Pipeline } from "../definition.ts";
import type { Complaint } from "../problem.ts";

export function inConditions(pipeline: Pipeline): readonly Complaint[] {
  return pipeline.steps.flatMap(({ id, when }) => {
    if (when?.kind !== "expression") return [];
    return namesIn(when.expression).flatMap(({ path, literals }): readonly Complaint[] => {
      const values = valuesOf(path, pipeline);
      const at = `steps.${id}.when`;
      const word = inline(path.join("."), 60);
      if (values === undefined)
        return [{ rule: "unknown-in-condition", path: at, word, more: namesFor(pipeline).join(", ") }];
      const outside = literals.find((one) => values !== null && !values.includes(one));
      return outside === undefined || values === null
        ? []
        : [{ rule: "compares-outside", path: at, word: inline(outside, 60), more: values.join(", ") }];
    });
  });
}
