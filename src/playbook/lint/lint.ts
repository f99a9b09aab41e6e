/** Everything that is wrong with a plan, in the order of its lines. */
import { type Playbook, type Proof, type Step, type Subtask, subtasksOf } from "../playbook.ts";
import { commandFaults } from "./command.ts";
import { criterionFaults, isHollow } from "./criterion.ts";
import type { Finding, RuleName } from "./rules.ts";

/** `strict`: also what the playbook framework itself demands of its plans. */
export interface LintOptions {
  readonly strict: boolean;
}

const TOKENS_MAX = 2500;
/** Our own kinds of plan. Others have their own idea of a task, so their words are left alone. */
const HELD_TO_WORDS: ReadonlySet<string> = new Set(["sekisho", "v16", "v2"]);

export function lint(playbook: Playbook, characters: number, { strict }: LintOptions): readonly Finding[] {
  const { faults, steps, dialect } = playbook;
  const isOurs = HELD_TO_WORDS.has(dialect);
  const findings = [
    ...faults.map(({ kind, line }) => at(kind, line)),
    ...(isOurs ? missing(playbook, strict) : []),
    ...duplicates(steps),
    ...dependencies(steps),
    ...steps.flatMap((step) => inStep(step, isOurs, strict)),
    ...(tokensOf(characters) > TOKENS_MAX ? [at("too-many-tokens", 1)] : []),
  ];
  return findings.sort((one, other) => one.line - other.line);
}

/** Four characters are about one token. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / 4);
}

const at = (rule: RuleName, line: number, id = "", words?: string, word?: string): Finding => ({
  rule,
  line,
  id,
  ...(words !== undefined && { words }),
  ...(word !== undefined && { word }),
});

function missing(playbook: Playbook, strict: boolean): readonly Finding[] {
  const { what, why, done, context, steps, lines = {}, unboxed = [] } = playbook;
  const has = (name: string): boolean => steps.some(({ id }) => id === name);
  const answers = ["who", "when", "where", "how"] as const;
  return [
    ...placeholders(playbook),
    ...(isHollow(what ?? "") ? [at("no-what", lines.what ?? 1, "", what)] : []),
    ...(isHollow(why ?? "") ? [at("no-why", lines.why ?? 1, "", why)] : []),
    ...(done.every(({ words }) => isHollow(words)) ? [at("no-done", lines.done ?? 1, "", done[0]?.words)] : []),
    ...unboxed.map(({ line, id }) => at("no-boxes", line, id)),
    ...(strict && answers.some((answer) => isHollow(context[answer] ?? "")) ? [at("no-answers", 1)] : []),
    ...(strict && !has("p_final") ? [at("no-final", 1)] : []),
    ...(strict && lacksSelfUpdate(playbook) ? [at("no-self-update", 1)] : []),
  ];
}

/** Three steps or more change so much that a step must bring the documents up to date. */
export function lacksSelfUpdate({ steps }: Pick<Playbook, "steps">): boolean {
  const plain = steps.filter(({ id, isFinal }) => !isFinal && !/^p_/.test(id));
  return plain.length >= 3 && !steps.some(({ id }) => id === "p_self_update");
}

/** A title may be missing, but a template's words in its place were forgotten. */
function placeholders({ title, steps, lines = {} }: Playbook): readonly Finding[] {
  const titles = [{ title, line: lines.title ?? 1, id: "" }, ...steps];
  return titles.flatMap(({ title: words, line, id }) =>
    words !== "" && isHollow(words) ? [at("placeholder", line, id, words)] : [],
  );
}

function duplicates(steps: readonly Step[]): readonly Finding[] {
  const seen = new Set<string>();
  const named = steps.flatMap((step) => {
    const id = step.repeats ?? step.id;
    return [{ id, line: step.line }, ...step.subtasks.filter((one) => one.named && one.id !== id)];
  });
  return named.flatMap(({ id, line }) => {
    const isAgain = seen.has(id);
    seen.add(id);
    return isAgain ? [at("duplicate-id", line, id)] : [];
  });
}

function dependencies(steps: readonly Step[]): readonly Finding[] {
  const known = new Set(steps.flatMap((step) => [step.id, ...step.subtasks.map(({ id }) => id)]));
  const all = [...steps, ...subtasksOf({ steps })];
  const unknown = all.flatMap(({ id, line, depends }) =>
    depends.flatMap((name) => (known.has(name) ? [] : [at("unknown-dependency", line, id, name)])),
  );
  // Which of two steps with one id is meant cannot be told, and the duplicate is reported anyway.
  const repeated = new Set(steps.flatMap(({ repeats }) => repeats ?? []));
  const clear = steps.filter(({ id, repeats }) => repeats === undefined && !repeated.has(id));
  return [...unknown, ...clear.flatMap((step) => (isOnCircle(step, clear) ? [at("cycle", step.line, step.id)] : []))];
}

function isOnCircle(step: Step, steps: readonly Step[]): boolean {
  const reached = new Set<string>();
  let edge = step.depends;
  while (edge.length > 0) {
    const next = edge.filter((id) => !reached.has(id));
    for (const id of next) reached.add(id);
    edge = next.flatMap((id) => steps.find((one) => one.id === id)?.depends ?? []);
  }
  return reached.has(step.id);
}

function inStep(step: Step, isOurs: boolean, strict: boolean): readonly Finding[] {
  const { id, line, subtasks, isFinal } = step;
  if (subtasks.length === 0) return isOurs ? [at("no-boxes", line, id)] : [];
  return subtasks.flatMap((subtask) => [
    ...(subtask.mark === "unknown" ? [at("unknown-marker", subtask.line, subtask.id)] : []),
    ...(isOurs && !isFinal ? inCriterion(subtask, step, strict) : []),
    ...subtask.proofs.flatMap((proof) =>
      commandFaults(proof)
        .filter((rule) => isOurs || rule !== "unknown-expected")
        .map((rule) => inProof(rule, proof, subtask.id)),
    ),
  ]);
}

function inProof(rule: RuleName, { line, run, expected, expectedLine }: Proof, id: string): Finding {
  return rule === "unknown-expected" ? at(rule, expectedLine ?? line, id, expected) : at(rule, line, id, run);
}

function inCriterion(subtask: Subtask, step: Step, strict: boolean): readonly Finding[] {
  const { id, line, criterion, validations } = subtask;
  const found = criterionFaults(subtask, step).map(({ rule, word }) => at(rule, line, id, criterion, word));
  return strict && Object.keys(validations ?? {}).length < 3 ? [...found, at("no-validations", line, id)] : found;
}
