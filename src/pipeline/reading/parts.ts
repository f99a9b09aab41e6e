/** The small objects inside a pipeline and its steps: their fields, under all names. */
import { CHECKS } from "../../state/check-names.ts";
import { MODELS } from "../../state/models.ts";
import { VERIFIERS } from "../definition.ts";
import { field, object, short } from "./fields.ts";
import { amount, flag, id, list, oneOf, prose, seconds, times, whole, words } from "./kinds.ts";

export const model = oneOf(MODELS, "unknown-model");

const count = whole(0);

export const budget = object({
  max_usd: field(amount, "The most that may be spent, in US dollars.", "maxBudgetUsd", "cost_limit"),
  max_tokens: field(whole(1, "no-budget"), "The most tokens, in and out."),
  max_agents: field(whole(1, "no-budget"), "The most agents that may be started."),
  max_runtime: field(seconds, "The longest it may take: `90`, `15m`, `1h 30m`.", "max_runtime_seconds"),
});

const retryFields = object({
  max: field(
    whole(0, "negative-retry"),
    "Further tries; the first one is not counted.",
    "max_attempts",
    "limit",
    "max_retries",
  ),
  fallback: field(prose, "What follows when no try is left, in words."),
  auto_fix: field(flag, "Repair what a program can repair before the next try."),
  auto_fix_command: field(words, "The program for it. Without one, the project's own way."),
  interval_seconds: field(seconds, "The wait between two tries.", "interval", "delay"),
  delay_ms: field(times(0.001), "The same in milliseconds."),
  on_error: field(oneOf(["transient", "all"]), "`transient`: repeat only what may pass by itself."),
});

/** `retry: 3` is `retry: {max: 3}`. */
export const retry = short(retryFields, whole(0, "negative-retry"), (max) => ({ max }));

export const compensation = object({
  action: field(prose, "What to do before it is tried again, in words."),
  revert_to: field(id, "The step that the run goes back to."),
});

/** The type may be any word: other runners have names of their own. */
export const gate = short(
  object({
    type: field(words, "Who decides: `machine` (evidence), `ai` (an agent's verdict) or `human`."),
    fail_action: field(prose, "What follows when it does not pass, in words.", "on_reject", "on_fail"),
    options: field(list(words), "The answers that a person may give.", "verdicts"),
  }),
  words,
  (type) => ({ type }),
);

export const skillUse = short(
  object({ skill: field(words, "The name of the skill.", "name"), model: field(model, "The model that works by it.") }),
  words,
  (skill) => ({ skill }),
);

export const batch = object({
  name: field(words, "What the items have in common."),
  parallel: field(flag, "The items may be worked on at the same time."),
  items: field(list(prose), "Pieces of work."),
});

export const dodItem = object({
  id: field(words, "A name for it: `DoD-01`."),
  level: field(words, "`feature`, `project` or any other word."),
  description: field(prose, "What must be true."),
  type: field(oneOf(VERIFIERS), "Who decides: `machine`, `ai` or `human`."),
  observation: field(prose, "How it is seen."),
  checks: field(list(oneOf(CHECKS, "unknown-check")), "Checks of the project that prove it.", "check"),
  steps: field(list(id), "Steps that must have passed.", "step"),
});

export const modelFallback = object({
  enabled: field(flag, "Go to the next model after failures."),
  order: field(list(model), "The models, lowest first."),
  max_failures_before_escalation: field(whole(1), "This many failures with one model lead to the next."),
});

export const global = object({
  evidence_caching: field(flag, "Proof that still stands need not be made again."),
  evidence_cache_path: field(words, "Where another runner keeps its evidence. Sekisho's own is in its journal."),
  pipeline_log_path: field(words, "A directory for the logs of runs."),
  context_json_ssot: field(flag, "CONTEXT.json of the original holds the state of the work."),
  max_total_retries: field(count, "Retries of all steps together; one more ends the run."),
  model_fallback: field(modelFallback, "When a higher model is used."),
  max_model: field(model, "No step uses a higher model."),
});

export const input = short(
  object({
    description: field(prose, "What it is for."),
    type: field(oneOf(["string", "number", "boolean"]), "The kind of value."),
    required: field(flag, "A run cannot begin without it."),
    default: field(words, "The value if none is given."),
    enum: field(list(words), "The values it may have.", "options"),
  }),
  prose,
  (description) => ({ description }),
);
