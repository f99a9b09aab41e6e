/** A tier as a picture: for Markdown, or for a terminal. */
import { inline } from "../lib/text.ts";
import type { Plan, PlannedStep } from "../pipeline/plan.ts";

export const GRAPH_FORMATS = ["ascii", "mermaid"] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

export function graphOf(plan: Plan, format: GraphFormat): string {
  return format === "mermaid" ? mermaid(plan) : ascii(plan);
}

/** Solid lines: what comes next. Dotted lines: where a failure leads back to. */
function mermaid({ steps }: Plan): string {
  const ids = new Map(steps.map(({ step }, at) => [step.id, `s${at + 1}`]));
  const at = (id: string): string => ids.get(id) ?? "";
  const nodes = steps.map(({ step }) => `  ${at(step.id)}${shape(step)}`);
  const lines = steps.flatMap(({ step, after }) => after.map((one) => `  ${at(one)} --> ${at(step.id)}`));
  const back = steps.flatMap(({ step }) => {
    const to = step.compensation?.revertTo ?? step.id;
    return to === step.id || !ids.has(to) ? [] : [`  ${at(step.id)} -. back .-> ${at(to)}`];
  });
  return ["flowchart TD", ...nodes, ...lines, ...back].join("\n");
}

function shape({ id, type, gate }: PlannedStep["step"]): string {
  // Ids hold letters, digits, `_` and `-` only, so they need no escaping between quotes.
  if (type === "gate") return `{{"${id}${gate?.type === "human" ? " (person)" : ""}"}}`;
  return type === "automatic" ? `[["${id}"]]` : `["${id}"]`;
}

const MARK = { work: "*", automatic: "$", gate: "?" } as const;

/** One step a line, in its order; what differs from "after the one above" stands behind it. */
function ascii({ pipeline, tier, steps }: Plan): string {
  const size = Math.max(0, ...steps.map(({ step }) => step.id.length));
  const rows = steps.flatMap((planned, at) => {
    const { step } = planned;
    const said = [...orderOf(planned, steps[at - 1]?.step.id), ...notesOf(planned)].join(", ");
    const line = `  ${MARK[step.type]} ${step.id.padEnd(said === "" ? 0 : size)}${said === "" ? "" : `  ${said}`}`;
    return at === 0 ? [line] : ["  |", line];
  });
  const title = `${inline(pipeline.name)} ${tier}`;
  return [title, ...rows, "", "  * work   $ commands   ? gate"].join("\n");
}

function orderOf({ after }: PlannedStep, above: string | undefined): readonly string[] {
  const isPlain = above === undefined ? after.length === 0 : after.length === 1 && after[0] === above;
  if (isPlain) return [];
  return [after.length === 0 ? "at once" : `after ${after.join(" + ")}`];
}

function notesOf({ step }: PlannedStep): readonly string[] {
  const { gate, tddPhase, compensation, optional, when, id, retry } = step;
  const back = compensation?.revertTo ?? id;
  return [
    ...(gate?.type === "human" ? ["a person"] : []),
    ...(tddPhase === null ? [] : [tddPhase]),
    ...(retry.max > 0 ? [`${retry.max + 1} tries`] : []),
    ...(back === id ? [] : [`back to ${back}`]),
    ...(optional ? ["optional"] : []),
    ...(when === null ? [] : ["if"]),
  ];
}
