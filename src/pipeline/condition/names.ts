/** The names that a condition may use, and the values each can have. Values of the work itself are not among them: what
 * a model writes is never compared with a literal. */
import type { Pipeline } from "../definition.ts";
import type { Expression } from "./expression.ts";

/** How a step stands when it is over. */
export const STATUSES = ["passed", "failed", "skipped"] as const;

/** Undefined: there is no such name. Null: its values are open. */
export function valuesOf(path: readonly string[], pipeline: Pick<Pipeline, "tiers" | "steps" | "inputs">) {
  const [root = "", name = "", field = "", ...more] = path;
  if (root === "tier" && path.length === 1) return pipeline.tiers.map((tier) => tier.name);
  if ((root === "files" || root === "lines") && path.length === 1) return null;
  if (root === "inputs" && path.length === 2) {
    const input = pipeline.inputs.find((one) => one.name === name);
    return input && (input.options.length > 0 ? input.options : null);
  }
  const isStep = root === "steps" && more.length === 0 && pipeline.steps.some(({ id }) => id === name);
  if (!isStep) return undefined;
  if (field === "status") return STATUSES;
  return field === "attempts" || field === "exit_code" ? null : undefined;
}

/** Everything a condition can name. */
export function namesFor({ inputs, steps }: Pick<Pipeline, "inputs" | "steps">): readonly string[] {
  const ofStep = steps.slice(0, 1).map(({ id }) => `steps.${id}.status`);
  return ["tier", "files", "lines", ...inputs.map(({ name }) => `inputs.${name}`), ...ofStep];
}

/** Every name in it, with the literals it is compared with. */
export function namesIn(
  expression: Expression,
): readonly { readonly path: readonly string[]; readonly literals: readonly string[] }[] {
  switch (expression.is) {
    case "value":
      return [];
    case "name":
      return [{ path: expression.path, literals: [] }];
    case "not":
      return namesIn(expression.of);
    case "compare": {
      const { left, right } = expression;
      const literals = [left, right].flatMap((one) =>
        one.is === "value" && typeof one.value === "string" ? one.value : [],
      );
      return [...namesIn(left), ...namesIn(right)].map(({ path }) => ({ path, literals }));
    }
    default:
      return [...namesIn(expression.left), ...namesIn(expression.right)];
  }
}
