/**
 * Every field of a pipeline and of a step. The reader, the messages and the JSON Schema for editors are made from this
 * table, so a new field is a row here.
 */
import { STEP_TYPES, TDD_PHASES } from "../definition.ts";
import { checkName, dod, steps, tiers, truth } from "./collections.ts";
import { field, object } from "./fields.ts";
import { either, flag, id, keyed, list, mapped, oneOf, prose, seconds, times, whole, words } from "./kinds.ts";
import { batch, budget, compensation, gate, global, input, model, retry, skillUse } from "./parts.ts";

/** Words of other formats, and what stands for them here. */
const CHAIN = "`sekisho pipeline import`";
const FOREIGN_IN_STEP = {
  ...{ bash: "`run`", script: "`run`", command: "`commands` / `prompt`", uses: "`skill` / `run`" },
  ...{ blocked_by: "`depends_on`", wave: "`depends_on`", trigger_rule: "`when`", next: "`depends_on`" },
  ...{ worker_type: CHAIN, needs_audit: CHAIN },
  ...{ output_format: "`outputs`", with: "`args` / `inputs`", env: "`inputs`", loop: "`retry`" },
  ...{ fan_out: "`batch_order`", approval: "`type: gate`, `requires_user: true`" },
};

export const step = object(
  {
    type: field(oneOf(STEP_TYPES), "`work` (an agent, the default), `automatic` (its commands) or `gate`."),
    description: field(prose, "What is to be done, for people and agents.", "name", "title"),
    prompt: field(words, "What the agent is told, in place of the description."),
    skill: field(words, "The skill it is done by."),
    skills: field(list(skillUse), "Several skills, each with its model."),
    model: field(model, "The model that begins."),
    max_model: field(model, "No higher model is used."),
    allowed_tools: field(list(words), "The tools that the agent may use.", "tools"),
    max_turns: field(whole(1), "The most turns of the agent."),
    requires_user: field(flag, "Only a person can say that it passed."),
    args: field(list(prose), "Arguments for the skill."),
    inputs: field(list(prose), "What it needs."),
    outputs: field(list(prose), "What it leaves behind."),
    checks: field(list(checkName), "What a gate looks at: `lint_analyze`, `test`, `build`, or any other name."),
    commands: field(list(words), "Shell lines, run one after the other until one fails.", "run"),
    principles: field(list(prose), "Rules for the work, told to the agent."),
    tdd: field(truth, "Tests come first."),
    tdd_phase: field(oneOf(TDD_PHASES), "`red`: the test must be seen failing. `green`: then passing."),
    test: field(words, "The name of that test."),
    scope: field(list(prose), "Globs of the files it may change."),
    batch_order: field(list(batch), "Groups of pieces of work, in order.", "batches"),
    items: field(list(prose), "Pieces of work, one after the other."),
    atomic: field(flag, "If one piece fails, all count as failed."),
    conditional: field(truthOrWords(), "It runs only under a condition."),
    when: field(words, "A condition: `tier == 'L'`, `steps.plan.status == 'passed'`.", "if"),
    trigger_condition: field(prose, "A condition in words, which an agent or a person judges."),
    optional: field(flag, "Its failure does not fail the run.", "continue_on_error", "continue-on-error"),
    fallback: field(prose, "What to do when nothing else helps, in words."),
    gate: field(gate, "Who decides, and what follows when it does not pass."),
    retry: field(retry, "How often it is tried again, or just the number."),
    compensation: field(compensation, "What happens when it has failed for good."),
    depends_on: field(list(id), "Steps that must have passed. Without it: the step before it.", "needs"),
    timeout: field(seconds, "The longest one try may take: `90`, `15m`.", "timeout_seconds"),
    timeout_minutes: field(times(60), "The same in minutes.", "timeout-minutes"),
    budget: field(budget, "The limits of this step."),
  },
  FOREIGN_IN_STEP,
);

function named(names: readonly string[]): readonly (readonly [string, InputRead])[] {
  return names.map((name) => [name, {}]);
}

function truthOrWords() {
  const asWords = mapped(words, (said) => (said === "true" ? true : said === "false" ? false : said));
  return either("value", asWords, prose);
}

type InputRead = NonNullable<ReturnType<typeof input.read>>;
export type StepRead = NonNullable<ReturnType<typeof step.read>>;

const FOREIGN = {
  ...{ nodes: "`steps: [{id, depends_on}]`", jobs: "`steps`", hats: "`steps`", stages: "`tiers`" },
  ...{
    event_loop: "`budget` / `retry`",
    interactive: "`requires_user`",
    provider: "`model`",
    model: "`steps.*.model`",
  },
  ...{ variables: "`inputs`", pattern_type: CHAIN },
};

export const pipeline = object(
  {
    name: field(words, "`NEW_FEATURE` or `new-feature`: both find it."),
    version: field(words, "`1.0.0`"),
    description: field(prose, "What it is for."),
    inputs: field(
      either("map", keyed(input), mapped(list(words), named)),
      "Values that whoever starts a run may give.",
    ),
    tiers: field(tiers, "For each size of work the steps in their order."),
    steps: field(steps(step), "The steps: by id, or a list in which each has an `id`."),
    base_dod: field(dod, "What must be true at the end.", "dod"),
    global: field(global, "What holds for all steps."),
    budget: field(budget, "The limits of a whole run."),
    max_model: field(model, "No step uses a higher model."),
  },
  FOREIGN,
);

export type PipelineRead = NonNullable<ReturnType<typeof pipeline.read>>;
