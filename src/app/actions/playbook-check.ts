/** Runs the commands of a plan. Each is judged first, like a command of the agent: a plan opens no other way to a shell. */
import { expectedIn, isMet } from "../../playbook/expected.ts";
import { boxPart } from "../../playbook/identity.ts";
import { commandFaults } from "../../playbook/lint/command.ts";
import { RULES } from "../../playbook/lint/rules.ts";
import type { Proof, Step, Subtask } from "../../playbook/playbook.ts";
import { agentHere } from "../admission.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { judgeAt } from "../queries/judge.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";
import { digestNow } from "../queries/work.ts";
import { keepAction } from "./action.ts";
import { type Ran, type RunCommand, runnerOf } from "./playbook-run.ts";
import { noSuchStep } from "./playbook-work.ts";

export interface BoxResult {
  readonly id: string;
  readonly criterion: string;
  /** `refused`: a policy objects. `unsound`: its command proves nothing. `none`: it has no command. */
  readonly outcome: "passed" | "failed" | "refused" | "unsound" | "none";
  readonly detail: string;
  readonly ms: number;
  /** The box whose run of the same commands counts here too; null if they were run for this one. */
  readonly as: string | null;
}

export interface PlaybookChecked {
  readonly path: string;
  readonly results: readonly BoxResult[];
  readonly isGood: boolean;
  /** The files changed while the commands ran, so nothing was recorded. */
  readonly hasChanged: boolean;
}

/** Hears of each box when its commands begin and when they have run. */
export interface CheckProgress {
  begins(box: Subtask, place: { readonly at: number; readonly of: number }): void;
  ends(result: BoxResult): void;
}

/** All boxes, or those of one step. */
export async function checkPlaybook(
  place: Here,
  root: string,
  { path, playbook }: PlaybookFile,
  { step, progress }: { readonly step?: string | undefined; readonly progress?: CheckProgress },
  person: Person,
): Promise<PlaybookChecked> {
  const [broken] = playbook.faults;
  if (broken)
    throw new Problem(
      `${path}:${broken.line}: this is no plan that can be checked. \`sekisho playbook lint\` says why.`,
    );
  const boxes = stepsNamed(playbook.steps, step, place.language).flatMap(({ subtasks }) => subtasks);
  const before = filesOf(place, root);
  const judge = judgeAt(root, OF_PLANS);
  const run = runnerOf(boxes, root, () => filesOf(place, root));
  const results: BoxResult[] = [];
  for (const [at, box] of boxes.entries()) {
    progress?.begins(box, { at: at + 1, of: boxes.length });
    const result = await checkBox(box, run, judge, place);
    progress?.ends(result);
    results.push(result);
  }
  const files = filesOf(place, root);
  const hasChanged = files !== before;
  // An agent's run counts through its hooks, which see the command line and its exit code.
  if (!hasChanged && agentHere() === undefined) {
    const good = new Set(results.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
    const passed = boxes
      .filter(({ id }) => good.has(id))
      .slice(0, PASSED_MAX)
      .map(boxPart);
    const change = { record: "playbook", do: "check", root, path, files, passed } as const;
    const detail = `check ${path}: ${good.size} of ${boxes.length}`;
    keepAction(place.store, { action: "playbook", detail, changes: [change] }, Date.now(), person);
  }
  const isAny = results.some(({ outcome }) => outcome === "passed");
  const isAll = results.every(({ outcome }) => outcome === "passed" || outcome === "none");
  const isGood = !hasChanged && isAny && isAll;
  return { path, results, isGood, hasChanged };
}

/** What a plan asks for before a change is asked at the gate of the session, not of the commands that prove the plan. */
const OF_PLANS = ["require-playbook", "require-step", "require-plan-read", "require-fitting-plan"];
const PASSED_MAX = 200;

function stepsNamed(steps: readonly Step[], id: string | undefined, language: Here["language"]): readonly Step[] {
  if (id === undefined) return steps;
  const found = steps.filter((step) => step.id === id);
  if (found.length > 0) return found;
  throw new Problem(noSuchStep(id, steps)[language]);
}

function filesOf(place: Here, root: string): string {
  const digest = digestNow(place, root);
  return "files" in digest ? digest.files : "";
}

async function checkBox(
  box: Subtask,
  run: RunCommand,
  judge: ReturnType<typeof judgeAt>,
  { language }: Here,
): Promise<BoxResult> {
  const { id, criterion, proofs } = box;
  const started = Date.now();
  const ranFor: string[] = [];
  const result = (outcome: BoxResult["outcome"], detail: string): BoxResult => ({
    id,
    criterion,
    outcome,
    detail,
    ms: Date.now() - started,
    as: ranFor.every((other) => other !== id) ? (ranFor[0] ?? null) : null,
  });
  if (proofs.length === 0) return result("none", "");
  for (const proof of proofs) {
    const [fault] = commandFaults(proof);
    if (fault) return result("unsound", RULES[fault].says[language]);
    const { decision, objections } = judge(proof.run);
    if (decision !== "pass") return result("refused", objections[0]?.what ?? decision);
    const ran = await run(proof.run, id);
    ranFor.push(ran.box);
    const problem = failureOf(proof, ran);
    if (problem !== undefined) return result("failed", problem);
  }
  return result("passed", "");
}

/** Undefined if the command had the expected result. */
function failureOf({ expected }: Proof, { exit, signal, output }: Ran): string | undefined {
  if (exit === null) return `it was ended by ${signal}`;
  const wanted = expectedIn(expected) ?? { exit: 0 };
  if (isMet(wanted, { exit, output })) return undefined;
  const last = output.trimEnd().split("\n").slice(-3).join(" / ");
  return `exit code ${exit}, expected ${expected ?? "exit 0"}${last === "" ? "" : `: ${last}`}`;
}
