/** A condition as a tree. It can only compare: there is nothing in it that runs. */

export type Expression =
  | { readonly is: "value"; readonly value: string | number | boolean | null }
  /** `tier`, `files`, `inputs.platform`, `steps.plan.status`. */
  | { readonly is: "name"; readonly path: readonly string[] }
  | { readonly is: "not"; readonly of: Expression }
  | { readonly is: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly is: "compare";
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    };

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">"] as const;
export type Comparison = (typeof COMPARISONS)[number];
