/** From the fields of a step to a step: defaults filled in, the different notations made one. */
import type { Budget, GateCheck, Retry, SkillUse, Step } from "../definition.ts";
import { gateCheck } from "../gate-checks.ts";
import type { Complaint } from "../problem.ts";
import { conditionOf, gateOf } from "./decisions.ts";
import type { PipelineRead, StepRead } from "./table.ts";

type Complain = (complaint: Complaint) => void;

export function stepFrom(id: string, read: StepRead, complain: Complain): Step {
  const type = read.type ?? "work";
  const checks = (read.checks ?? []).map(gateCheck);
  const requiresUser = read.requires_user ?? isAskedOf(read, checks);
  return {
    ...{ id, type, requiresUser, checks },
    ...toldIn(read),
    ...limitsIn(read),
    tdd: read.tdd ?? read.tdd_phase !== undefined,
    ...orNull({ tddPhase: read.tdd_phase, test: read.test, fallback: read.fallback, dependsOn: read.depends_on }),
    ...{ batches: batchesOf(read), atomic: read.atomic ?? false, optional: read.optional ?? false },
    when: conditionOf(id, read, complain),
    gate: type === "gate" ? gateOf(id, read, { checks, requiresUser }, complain) : null,
    retry: retryOf(read),
    compensation: read.compensation
      ? { action: read.compensation.action ?? "", revertTo: read.compensation.revert_to ?? null }
      : null,
  };
}

type OrNull<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> | null };

/** Values that were left out are null, so that a definition always has the same fields. */
function orNull<T extends object>(values: T): OrNull<T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? null])) as OrNull<T>;
}

/** What the agent of the step is told, and what the step hands on. */
function toldIn(read: StepRead) {
  const { scope = [], principles = [], description = "", args = [], inputs = [], outputs = [], commands = [] } = read;
  return {
    ...{ description, args, inputs, outputs, commands, skills: skillsOf(read) },
    ...orNull({ prompt: read.prompt }),
    // A scope in words can hold nobody back, but the agent can keep to it.
    principles: [...principles, ...scope.filter((one) => !isGlob(one))],
    scope: scope.filter(isGlob),
  };
}

function limitsIn(read: StepRead) {
  const timeoutSeconds = read.timeout ?? read.timeout_minutes;
  return {
    ...orNull({ model: read.model, maxModel: read.max_model, allowedTools: read.allowed_tools }),
    ...orNull({ maxTurns: read.max_turns, timeoutSeconds }),
    budget: budgetFrom(read.budget),
  };
}

export function budgetFrom(read: PipelineRead["budget"] = {}): Budget {
  const { max_usd: maxUsd, max_tokens: maxTokens, max_agents: maxAgents, max_runtime: maxRuntimeSeconds } = read;
  return orNull({ maxUsd, maxTokens, maxAgents, maxRuntimeSeconds });
}

/** `gate: human` and a check of human items ask a person, whether or not `requires_user` says so too. */
function isAskedOf({ type, gate }: StepRead, checks: readonly GateCheck[]): boolean {
  const isHuman = checks.some((check) => check.by === "dod" && check.items === "human");
  return type === "gate" && (isHuman || gate?.type?.toLowerCase() === "human");
}

function skillsOf({ skill, skills = [] }: StepRead): readonly SkillUse[] {
  const named = skills.flatMap((one): readonly SkillUse[] =>
    one.skill === undefined ? [] : [{ skill: one.skill, model: "model" in one ? (one.model ?? null) : null }],
  );
  return skill === undefined ? named : [{ skill, model: null }, ...named];
}

/** Paths and patterns; prose has spaces, or letters that no glob of a project has. */
function isGlob(words: string): boolean {
  return /^[\w@.{},*?![\]()/+-]+$/.test(words) && /[./*]/.test(words);
}

function batchesOf({ batch_order = [], items = [] }: StepRead): Step["batches"] {
  const batches = batch_order.map((one, at) => ({
    name: one.name ?? String(at + 1),
    parallel: one.parallel ?? false,
    items: one.items ?? [],
  }));
  return items.length > 0 ? [...batches, { name: "items", parallel: false, items }] : batches;
}

function retryOf({ retry = {} }: StepRead): Retry {
  return {
    max: retry.max ?? 0,
    isWritten: retry.max !== undefined,
    fallback: retry.fallback ?? null,
    autoFix: retry.auto_fix ?? false,
    autoFixCommand: retry.auto_fix_command ?? null,
    intervalSeconds: retry.interval_seconds ?? retry.delay_ms ?? 0,
    onError: retry.on_error ?? "all",
  };
}
