/** How far a mode has come: the plan it is held to, how the checks stand, and whether it goes round in circles. */
import type { Mode } from "../state/modes.ts";
import type { Plan } from "./facts.ts";
import type { CheckStanding } from "./verification.ts";

const DAY_MS = 24 * 3600 * 1000;

/** `missing`: it was held to one, and that is gone or has no boxes any more. Undefined: there is none. */
export function planOf(mode: Mode, plans: readonly Plan[]): Plan | "missing" | undefined {
  if (mode.plan !== undefined) return plans.find(({ path }) => path === mode.plan) ?? "missing";
  return plans.find((plan) => mayHold(plan, mode));
}

/** One that the task names; or one of the agent's own, of the last day. What was done before is no plan for this. */
function mayHold({ told, own, modified, done, total }: Plan, { since }: Mode): boolean {
  const isChanged = modified >= since;
  return isChanged || (done < total && (told || (own && modified >= since - DAY_MS)));
}

/** Nobody named it, and nobody has touched it since: it may well be about something else. */
export function isGuess({ told, modified }: Plan, { plan, since }: Mode): boolean {
  return plan === undefined && !told && modified < since;
}

/** `test:true,lint:null`: passed or failed, and null where there is no answer. Undefined where there is none at all. */
export function signatureOf(standings: readonly CheckStanding[]): string | undefined {
  const results = standings.map(({ check, standing }) => `${check}:${RESULT[standing] ?? "null"}`);
  return results.some((result) => !result.endsWith(":null")) ? results.join(",") : undefined;
}

const RESULT: Readonly<Partial<Record<CheckStanding["standing"], string>>> = { passed: "true", failed: "false" };

/** Of a mode that builds: that checks fail on the way is no circle, unless no box was ticked meanwhile either. */
export function stallOf(plan: Plan | "missing" | undefined, standings: readonly CheckStanding[]): string | undefined {
  const failed = standings.filter(({ standing }) => standing === "failed").map(({ check }) => check);
  if (failed.length === 0) return undefined;
  const boxes = typeof plan === "object" ? ` at ${plan.done}/${plan.total}` : "";
  return `failed${boxes}: ${failed.join(" ")}`;
}

const TIMES = 3;

/** What has failed at the last three refusals; undefined where that is not the same. */
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

/** Whichever word says so. */
const FAILING = /^\w+:(?:false|fail|error|null)/i;

function componentsOf(entry: string): readonly string[] {
  return entry.split(",").map((part) => part.trim());
}

function meet(one: string, other: string): boolean {
  return FAILING.test(other) && one.split(":")[0] === other.split(":")[0];
}
