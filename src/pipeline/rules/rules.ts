/** Everything that can be wrong with a pipeline. */
import { FORM } from "./form.ts";
import { MEANING } from "./meaning.ts";

export const RULES = { ...FORM, ...MEANING };

export type ProblemRule = keyof typeof RULES;
