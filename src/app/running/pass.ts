/** One pass of a step: its agent, then its commands and checks. What was observed decides, never what was said. */
import type { Step } from "../../pipeline/definition.ts";
import { redIn } from "../../pipeline/run/red.ts";
import type { Cause, Used } from "../../state/runs/records.ts";
import { runAgent } from "./agent.ts";
import { type Checks, checksAt } from "./checks.ts";
import type { Fault } from "./commands.ts";
import type { Pass } from "./piece.ts";

export interface Passed {
  readonly evidence: readonly string[];
  readonly used: Used;
  readonly red?: string;
  readonly verdict?: "go" | "conditional";
  /** What its agent said at the end. */
  readonly said?: string;
}

export type PassEnd = Passed &
  ({ readonly is: "done" } | { readonly is: "fail"; readonly cause: Cause; readonly why: string });

export async function runPass(pass: Pass): Promise<PassEnd> {
  const started = Date.now();
  const { node, model } = pass.move;
  const agent = model === null ? undefined : await runAgent(pass);
  const checks = checksAt(pass);
  const seen = agent?.fault ?? (await observed(pass, checks));
  const common = {
    evidence: checks.evidence,
    used: { ...agent?.used, ms: Date.now() - started },
    ...(agent?.said !== undefined && { said: agent.said }),
  };
  if (seen !== undefined && "cause" in seen) return { is: "fail", ...seen, ...common };
  const isRed = node.step.tddPhase === "red" && seen !== undefined;
  return { is: "done", ...common, ...(agent?.verdict && { verdict: agent.verdict }), ...(isRed && { red: seen.test }) };
}

async function observed(pass: Pass, checks: Checks): Promise<Fault | { readonly test: string } | undefined> {
  const { step } = pass.move.node;
  if (step.tddPhase !== null) return step.tddPhase === "red" ? seenRed(step, checks) : seenGreen(pass, checks);
  for (const command of step.commands) {
    const ran = await checks.run(command);
    if ("cause" in ran) return ran;
    if (ran.exit !== 0) return { cause: step.type === "gate" ? "gate" : "work", why: `${command}: ${ran.why}` };
  }
  return checks.ofGate();
}

async function seenRed(step: Step, checks: Checks): Promise<Fault | { readonly test: string }> {
  const ran = await checks.tests(step.commands);
  if ("cause" in ran) return ran;
  const seen = redIn(ran, step.test);
  return "test" in seen ? seen : { cause: "work", why: seen.problem };
}

async function seenGreen({ move, red }: Pass, checks: Checks): Promise<Fault | undefined> {
  const ran = await checks.tests(move.node.step.commands);
  if ("cause" in ran) return ran;
  if (ran.exit !== 0) return { cause: "work", why: `the tests still fail: ${ran.why}` };
  return red === undefined || checks.hasText(red) ? undefined : { cause: "work", why: `the test “${red}” is gone` };
}
