/** Writes a plan in our own format. Reading it again gives the same plan. */
import type { Playbook, Step, Subtask } from "./playbook.ts";
import { VALIDATIONS } from "./playbook.ts";

const BOXES = { open: " ", done: "x", doing: "-", unknown: "?" } as const;

export function writePlaybook(playbook: Omit<Playbook, "dialect" | "blocks" | "faults">): string {
  const { title, id, what, why, context, branch, done, steps } = playbook;
  const head = [
    field("Id", id),
    field("What", what),
    field("Why", why),
    field("Who", context.who),
    field("When", context.when),
    field("Where", context.where),
    field("How", context.how),
    field("Branch", branch),
  ].flat();
  return [
    `# ${oneLine(title) || "Playbook"}`,
    "",
    ...head,
    ...(done.length > 0 ? ["Done when:", ...done.map(({ words }) => `- ${oneLine(words)}`)] : []),
    ...steps.flatMap(stepLines),
    "",
  ].join("\n");
}

function stepLines({
  id,
  title,
  isFinal,
  goal,
  depends,
  executor,
  iterations,
  stance,
  scope,
  subtasks,
}: Step): readonly string[] {
  return [
    "",
    headingOf(id, title, isFinal),
    "",
    ...field("Goal", goal),
    ...field("Depends on", depends.join(", ") || undefined),
    ...field("Executor", executor),
    ...field("Max iterations", iterations === undefined ? undefined : String(iterations)),
    ...field("Stance", stance),
    ...field("Scope", scope.join(", ") || undefined),
    ...subtasks.flatMap(subtaskLines),
  ];
}

/** A section without an id of its own is numbered by its place when it is read. */
function headingOf(id: string, title: string, isFinal = false): string {
  if (isFinal) return "## Final tasks";
  return /^s\d+$/.test(id) && title !== "" ? `## ${oneLine(title)}` : `## ${id} ${oneLine(title)}`.trimEnd();
}

function subtaskLines({
  id,
  mark,
  criterion,
  parallel,
  optional,
  depends,
  executor,
  proofs,
  validations,
}: Subtask): readonly string[] {
  const needs = depends.length > 0 ? ` (depends on ${depends.join(", ")})` : "";
  const label = parallel ? "[P] " : "";
  return [
    `- [${BOXES[mark]}]${optional ? "*" : ""} ${id} ${label}${oneLine(criterion)}${needs}`,
    ...proofs.flatMap(({ run, expected }) => [...runLines(run), ...field("  Expected", expected)]),
    ...field("  Executor", executor),
    ...VALIDATIONS.flatMap((name) => field(`  ${name}`, validations?.[name])),
  ];
}

/** A command of several lines stands in a code block. */
function runLines(run: string): readonly string[] {
  if (!run.includes("\n")) return [`  Run: ${run.includes("`") ? run : `\`${run}\``}`];
  return ["  Run:", "  ```sh", ...run.split("\n"), "  ```"];
}

function field(name: string, value: string | undefined): readonly string[] {
  return value === undefined || oneLine(value) === "" ? [] : [`${name}: ${oneLine(value)}`];
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim();
}
