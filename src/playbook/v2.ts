/** Playbooks of version 2: `plan.json` with the steps, `progress.json` with what is claimed about them. */
import { answersIn, type Json, list, pick, record, words } from "./documents.ts";
import { type Playbook, type Proof, type Step, type Subtask, VALIDATIONS, type Validation } from "./playbook.ts";

/** Undefined if the document is no plan of this kind. Line numbers are unknown in JSON, so all are 1. */
export function readV2(plan: unknown, progress?: unknown): Playbook | undefined {
  const { meta, goal, context, phases } = record(plan);
  if (!Array.isArray(phases)) return undefined;
  const { id, branch } = record(meta);
  const { summary, done_when: done } = record(goal);
  const w = answersIn(context);
  const claimed = record(progress);
  const steps = phases.map((phase, at) => stepOf(record(phase), at, claimed));
  return {
    dialect: "v2",
    title: words(id) ?? words(summary) ?? "",
    ...pick({ id: words(id), what: words(summary) ?? w.what, why: w.why, branch: words(branch) }),
    context: pick({ who: w.who, when: w.when, where: w.where, how: w.how }),
    done: list(done).map((one) => ({ words: words(one) ?? words(record(one)["criterion"]) ?? "", line: 1 })),
    steps: [...steps, ...endsOf(goal)],
    blocks: [],
    faults: steps.length === 0 ? [{ kind: "empty", line: 1 }] : [],
  };
}

/** The goal's own criteria with commands, which must hold at the end. */
function endsOf(goal: unknown): readonly Step[] {
  const triples = list(record(goal)["done_when"])
    .map(record)
    .filter(({ command }) => words(command) !== undefined);
  if (triples.length === 0) return [];
  const subtasks = triples.map((triple, at) => ({
    id: `goal.${at + 1}`,
    named: false,
    line: 1,
    mark: "open" as const,
    criterion: words(triple["criterion"]) ?? "",
    proofs: proofOf(triple),
    depends: [],
  }));
  return [{ id: "goal", title: "", line: 1, depends: [], scope: [], subtasks }];
}

function stepOf(phase: Json, at: number, progress: Json): Step {
  const id = words(phase["id"]) ?? `s${at + 1}`;
  const status = words(record(record(progress["phases"])[id])["status"]) ?? words(phase["status"]);
  return {
    id,
    title: words(phase["name"]) ?? "",
    line: 1,
    ...pick({ goal: words(phase["goal"]) ?? words(phase["description"]), executor: words(phase["executor"]), status }),
    ...(typeof phase["max_iterations"] === "number" && { iterations: phase["max_iterations"] }),
    depends: list(phase["depends_on"]).flatMap((one) => words(one) ?? []),
    scope: [],
    subtasks: list(phase["subtasks"]).map((one, index) => subtaskOf(record(one), `${id}.${index + 1}`, progress)),
  };
}

function subtaskOf(given: Json, otherwise: string, progress: Json): Subtask {
  const id = words(given["id"]) ?? otherwise;
  const claimed = record(record(progress["subtasks"])[id]);
  const isDone = /^(?:done|completed?)$/.test(words(claimed["status"]) ?? words(given["status"]) ?? "");
  const validations = validationsIn(record(claimed["validations"]));
  const plans = Object.values(record(given["validation_plan"])).flatMap((one) => proofOf(record(one)));
  return {
    id,
    named: given["id"] !== undefined,
    line: 1,
    mark: isDone ? "done" : "open",
    criterion: words(given["criterion"]) ?? words(given["name"]) ?? "",
    proofs: [...proofOf(given), ...plans],
    depends: list(given["depends_on"]).flatMap((one) => words(one) ?? []),
    ...pick({ executor: words(given["executor"]), validated: words(claimed["validated_at"]) }),
    ...(validations && { validations }),
  };
}

/** `PASS – evidence`, as the Markdown form has it. */
function validationsIn(given: Json): Partial<Record<Validation, string>> | undefined {
  const found = VALIDATIONS.flatMap((name) => {
    const { status, evidence } = record(given[name]);
    const seen = [evidence, ...list(evidence)].flatMap((one) => words(one) ?? []);
    const word = words(status) ?? words(given[name]);
    return word === undefined ? [] : [[name, seen.length > 0 ? `${word} – ${seen.join("; ")}` : word] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function proofOf({ command, test_command: older, expected }: Json): readonly Proof[] {
  const run = words(command) ?? words(older);
  const result = words(expected);
  return run === undefined ? [] : [{ run, line: 1, ...(result !== undefined && { expected: result }) }];
}
