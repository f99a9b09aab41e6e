/** Everything that is wrong with what a definition means. */
import type { Pipeline } from "../definition.ts";
import type { Complaint } from "../problem.ts";
import { inConditions } from "./conditions.ts";
import { inModels } from "./models.ts";
import { inOrder } from "./order.ts";
import { inSteps } from "./steps.ts";

export function lint(pipeline: Pipeline): readonly Complaint[] {
  return [...inOrder(pipeline), ...inSteps(pipeline), ...inModels(pipeline), ...inConditions(pipeline)];
}
