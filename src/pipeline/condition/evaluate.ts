/** What a condition comes to for a run. */
import type { Comparison, Expression } from "./expression.ts";

export type Value = string | number | boolean | null;

/** A value that a run does not have: comparisons with it are false, except `!=`. */
export type Values = (path: readonly string[]) => Value | undefined;

export function holds(expression: Expression, values: Values): boolean {
  return Boolean(worth(expression, values));
}

function worth(expression: Expression, values: Values): Value | undefined {
  switch (expression.is) {
    case "value":
      return expression.value;
    case "name":
      return values(expression.path);
    case "not":
      return !holds(expression.of, values);
    case "and":
      return holds(expression.left, values) && holds(expression.right, values);
    case "or":
      return holds(expression.left, values) || holds(expression.right, values);
    case "compare":
      return compared(expression.operator, worth(expression.left, values), worth(expression.right, values));
  }
}

function compared(operator: Comparison, left: Value | undefined, right: Value | undefined): boolean {
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (typeof left !== "number" || typeof right !== "number") return false;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}
