/** What the agent of a pass is told. The task is quoted as it stands: it goes to the agent as one argument, and to no shell. */
import type { Step } from "../../pipeline/definition.ts";
import type { Pass } from "./piece.ts";

export const VERDICT = {
  type: "object",
  properties: { verdict: { enum: ["go", "conditional", "no-go"] }, reasons: { type: "string" } },
  required: ["verdict", "reasons"],
} as const;

export function promptOf({ move: { node }, given, plan, before, red }: Pass): string {
  const { step, item } = node;
  const lines = [
    `You work on the step “${node.key}” of the pipeline ${plan.pipeline.name}, without a person to ask.`,
    step.prompt ?? step.description,
    item && `Only this part: ${item.name} (${item.batch}).`,
    given.task && `The task:\n${given.task}`,
    ...Object.entries(given.inputs).map(([name, value]) => `${name}: ${value}`),
    step.skills.length > 0 && `Use the skills: ${step.skills.map(({ skill }) => skill).join(", ")}.`,
    listed("Work by these principles", step.principles),
    listed("It produces", step.outputs),
    listed("Change only files that match", step.scope),
    phase(step, red),
    step.type === "gate" && judging(step, plan.pipeline.baseDod),
    before && `The last try failed: ${before}${step.fallback ? `\nIf nothing else helps: ${step.fallback}` : ""}`,
    step.type === "work" && "Do only this step. When you have finished, its checks are run by somebody else.",
  ];
  return lines.filter((line) => typeof line === "string" && line !== "").join("\n\n");
}

function phase({ tddPhase, test }: Step, red: string | undefined): string | undefined {
  if (tddPhase === "red") {
    const name = test === null ? "" : ` Name it “${test}”.`;
    return `Write a test that shows the fault and fails by its own assertion.${name} Don't fix the fault yet.`;
  }
  if (tddPhase !== "green") return undefined;
  return `Fix the fault so that the test${red === undefined ? "" : ` “${red}”`} passes. Don't change the test.`;
}

function judging({ checks }: Step, dod: Pass["plan"]["pipeline"]["baseDod"]): string {
  const named = checks.flatMap((check) => (check.by === "agent" ? [check.name] : []));
  const items = checks.some((check) => check.by === "dod" && check.items === "ai")
    ? dod.filter(({ type }) => type === "ai")
    : [];
  const all = [...named, ...items.map(({ description }) => description)];
  return `${listed("Judge these points, and change nothing", all)}\nAnswer with your verdict: go, conditional or no-go, and the reasons.`;
}

function listed(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${title}:\n${items.map((item) => `- ${item}`).join("\n")}`;
}
