/** The progress of a mode: its plan, the check results, and whether it repeats the same error. */

import type { CheckStanding } from "../evidence/verification.ts";
import type { Mode } from "../state/session/modes.ts";
import type { Plan } from "./facts.ts";

const DAY_MS = 24 * 3600 * 1000;

/** `missing`: the mode was bound to a plan that no longer exists or has no boxes. Undefined: there is no plan. */
export function planOf(mode: Mode, plans: readonly Plan[]): Plan | "missing" | undefined {
  if (mode.plan !== undefined) return plans.find(({ path }) => path === mode.plan) ?? "missing";
  return plans.find((plan) => mayHold(plan, mode));
}

/**
 * A plan that changed since the mode began, or an open one that the task names or that the agent wrote within the last
 * day.
 */
function mayHold({ told, own, modified, done, total }: Plan, { since }: Mode): boolean {
  const isChanged = modified >= since;
  return isChanged || (done < total && (told || (own && modified >= since - DAY_MS)));
}

/** The plan was neither named nor changed since the mode began, so it may be about something else. */
export function isGuess({ told, modified }: Plan, { plan, since }: Mode): boolean {
  return plan === undefined && !told && modified < since;
}

/** `test:true,lint:null`: passed, failed, or null for no result. Undefined when there is no result at all. */
export function signatureOf(standings: readonly CheckStanding[]): string | undefined {
  const results = standings.map(({ check, standing }) => `${check}:${RESULT[standing] ?? "null"}`);
  return results.some((result) => !result.endsWith(":null")) ? results.join(",") : undefined;
}

const RESULT: Readonly<Partial<Record<CheckStanding["standing"], string>>> = { passed: "true", failed: "false" };

/** For building modes: failing checks are a stall only if no box was ticked in between either. */
export function stallOf(plan: Plan | "missing" | undefined, standings: readonly CheckStanding[]): string | undefined {
  const failed = standings.filter(({ standing }) => standing === "failed").map(({ check }) => check);
  if (failed.length === 0) return undefined;
  const boxes = typeof plan === "object" ? ` at ${plan.done}/${plan.total}` : "";
  return `failed${boxes}: ${failed.join(" ")}`;
}

const TIMES = 3;

/** The component that failed at all of the last three refusals; undefined if there is none. */
export function sameError(errors: readonly string[] = []): string | undefined {
  const last = errors.slice(-TIMES);
  const [first = ""] = last;
  if (last.length < TIMES || first === "") return undefined;
  const failing = componentsOf(first).filter((one) => FAILING.test(one));
  const common = failing.filter((one) => last.every((entry) => componentsOf(entry).some((other) => meet(one, other))));
  if (common.length > 0) return common.join(",");
  const isWell = componentsOf(first).every((one) => /^\w+:true$/.test(one));
  return !isWell && last.every((entry) => entry === first) ? first : undefined;
}

/** The command that failed in the same way three times since it last succeeded. */
export function repeatedFailure(failures: readonly string[] = []): string | undefined {
  return failures.find((one) => failures.filter((other) => other === one).length >= TIMES);
}

const FAILING = /^\w+:(?:false|fail|error|null)/i;

function componentsOf(entry: string): readonly string[] {
  return entry.split(",").map((part) => part.trim());
}

function meet(one: string, other: string): boolean {
  return FAILING.test(other) && one.split(":")[0] === other.split(":")[0];
}
