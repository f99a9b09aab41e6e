/** Reads a plan from Markdown. Every dialect is read alike: headings and ids make the steps, boxes the subtasks. */
import { dialectOf } from "./dialect.ts";
import { bare, type FieldKey, listOf } from "./fields.ts";
import { boxWords, stepNamed, stepOfId } from "./naming.ts";
import { type Box, type FieldItem, type Heading, type Item, outlineOf } from "./outline.ts";
import {
  type Fault,
  markOf,
  type Playbook,
  type Proof,
  type Sentence,
  type Step,
  type Subtask,
  VALIDATIONS,
} from "./playbook.ts";

/** Far more than a person reads; a longer file is not a plan. */
export const PLAYBOOK_CHARS_MAX = 512 * 1024;

export function readPlaybook(markdown: string): Playbook {
  const { items, conflicts } = outlineOf(markdown.slice(0, PLAYBOOK_CHARS_MAX));
  const dialect = dialectOf(items);
  const parts = partsOf(items);
  const [head = NO_PART] = parts;
  const { steps, unboxed } = stepsOf(parts);
  const unclosed = items.flatMap((item) => (item.kind === "fence" && !item.isClosed ? [item.line] : []));
  const faults: Fault[] = [
    ...conflicts.map(({ line }) => ({ kind: "conflict", line }) as const),
    ...unclosed.map((line) => ({ kind: "fence", line }) as const),
    ...(steps.length === 0 ? [{ kind: "empty", line: 1 } as const] : []),
    ...(markdown.length > PLAYBOOK_CHARS_MAX ? [{ kind: "too-long", line: 1 } as const] : []),
  ];
  const blocks = items.flatMap((item) => (item.kind === "fence" && /^ya?ml$/.test(item.language) ? [item.body] : []));
  return { dialect, ...headOf(items, head), blocks, steps, ...(unboxed.length > 0 && { unboxed }), faults };
}

/** What stands between two boxes or headings, with the headings above it. */
interface Part {
  readonly path: readonly Heading[];
  readonly box?: Box;
  readonly items: Item[];
}

const NO_PART: Part = { path: [], items: [] };

function partsOf(items: readonly Item[]): readonly Part[] {
  const parts: Part[] = [{ path: [], items: [] }];
  for (const item of items) {
    const path = parts.at(-1)?.path ?? [];
    if (item.kind === "heading")
      parts.push({ path: [...path.filter(({ level }) => level < item.level), item], items: [] });
    else if (item.kind === "box") parts.push({ path, box: item, items: [] });
    else parts.at(-1)?.items.push(item);
  }
  return parts;
}

function headOf(items: readonly Item[], first: Part): Pick<Playbook, "title" | "context" | "done"> & Partial<Playbook> {
  const title = items.find((item): item is Heading => item.kind === "heading" && item.level === 1);
  const begin = items.findIndex(
    (item) => item.kind === "box" || (item.kind === "heading" && stepNamed(item.words) && item.level > 1),
  );
  const head = begin < 0 ? first.items : items.slice(0, begin);
  const { id, branch, what, why, ...rest } = valuesIn(head, [
    "id",
    "branch",
    "what",
    "why",
    "who",
    "when",
    "where",
    "how",
  ]);
  const given = { id, branch, what, why };
  return {
    title: title?.words ?? "",
    lines: linesOf(title, head),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    context: rest,
    done: sentencesUnder(head, "done"),
  };
}

function linesOf(title: Heading | undefined, head: readonly Item[]): NonNullable<Playbook["lines"]> {
  const keys = ["what", "why", "done"] as const;
  const lines = keys.flatMap((key) => {
    const field = head.find((item) => item.kind === "field" && item.key === key);
    return field ? [[key, field.line] as const] : [];
  });
  return { ...(title && { title: title.line }), ...Object.fromEntries(lines) };
}

/** The entries of the list after a field or heading, and the field's own value. */
function sentencesUnder(items: readonly Item[], key: FieldKey): readonly Sentence[] {
  const found: Sentence[] = [];
  let isUnder = false;
  for (const item of items) {
    if (item.kind === "field" || item.kind === "heading") {
      isUnder = item.kind === "field" ? item.key === key : /^(?:done[ _]when|完了条件)$/i.test(item.words);
      if (isUnder && item.kind === "field" && item.value !== "")
        found.push({ words: bare(item.value), line: item.line });
    } else if (isUnder && item.kind === "prose" && item.listed)
      found.push({ words: bare(item.words), line: item.line });
  }
  return found;
}

function valuesIn(items: readonly Item[], keys: readonly FieldKey[]): Partial<Record<FieldKey, string>> {
  const found: Partial<Record<FieldKey, string>> = {};
  for (const item of items) {
    if (item.kind === "field" && item.value !== "" && keys.includes(item.key)) found[item.key] ??= bare(item.value);
  }
  return found;
}

interface Draft {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  readonly isFinal: boolean;
  readonly fields: FieldItem[];
  readonly boxes: (Part & { readonly box: Box })[];
}

function stepsOf(parts: readonly Part[]): {
  readonly steps: readonly Step[];
  readonly unboxed: NonNullable<Playbook["unboxed"]>;
} {
  const drafts = new Map<string, Draft>();
  let current: Draft | undefined;
  for (const part of parts) {
    const place = part.box || named(part.path) ? placeOf(part, drafts.size) : undefined;
    if (!place) {
      current = undefined;
      continue;
    }
    current = drafts.get(place.key) ?? { ...place, fields: [], boxes: [] };
    drafts.set(place.key, current);
    const { box } = part;
    if (box) current.boxes.push({ ...part, box });
    current.fields.push(
      ...part.items.filter((item): item is FieldItem => item.kind === "field" && isOfStep(item, box)),
    );
  }
  const isStep = ({ boxes, fields }: Draft): boolean => boxes.length > 0 || fields.length > 0;
  // A heading above other steps only groups them.
  const grouping = new Set(parts.flatMap(({ box, path }) => (box ? path.map(({ line }) => line) : [])));
  const all = [...drafts.values()];
  return {
    steps: all.filter(isStep).map(stepOf),
    unboxed: all.filter((draft) => !isStep(draft) && !grouping.has(draft.line)).map(({ id, line }) => ({ id, line })),
  };
}

/** The innermost heading with an id. */
function named(path: readonly Heading[]): Heading | undefined {
  return path.findLast(({ level, words }) => level > 1 && stepNamed(words) !== undefined);
}

/** The step that a part belongs to: that of its heading, else that of its own id, else its section. */
function placeOf(
  { path, box }: Part,
  count: number,
): Pick<Draft, "id" | "title" | "line" | "isFinal"> & { readonly key: string } {
  const heading = named(path);
  const last = path.at(-1);
  const isFinal = path.some(({ words }) => /^final[ _]tasks?$/i.test(words));
  const line = heading?.line ?? last?.line ?? box?.line ?? 1;
  if (heading) {
    const { id = "", title = "" } = stepNamed(heading.words) ?? {};
    return { key: `heading ${heading.line}`, id, title, line, isFinal };
  }
  const { id, criterion = "" } = box ? boxWords(box.words) : {};
  const step = id !== undefined && /^\d/.test(id) ? (stepOfId(id) ?? id) : undefined;
  if (step !== undefined) return { key: `id ${step}`, id: step, title: criterion, line, isFinal };
  const title = last?.words ?? "";
  return { key: `section ${last?.line ?? 0}`, id: isFinal ? "final" : `s${count + 1}`, title, line, isFinal };
}

/** A command belongs to the box above it, even without indentation; other fields only if they are indented. */
function isOfStep({ key, indent }: FieldItem, box: Box | undefined): boolean {
  return box === undefined || (indent <= box.indent && key !== "run" && key !== "expected");
}

function stepOf({ id, title, line, isFinal, fields, boxes }: Draft): Step {
  const {
    what: goal,
    executor,
    stance,
    status,
    iterations,
  } = valuesIn(fields, ["what", "executor", "stance", "status", "iterations"]);
  const count = Number.parseInt(iterations ?? "", 10);
  return {
    id,
    title,
    line,
    depends: listed(fields, "depends"),
    scope: listed(fields, "scope"),
    ...(goal !== undefined && { goal }),
    ...(executor !== undefined && { executor }),
    ...(stance !== undefined && { stance: stance.toLowerCase() }),
    ...(status !== undefined && { status: status.toLowerCase() }),
    ...(count > 0 && { iterations: count }),
    ...(isFinal && { isFinal }),
    subtasks: boxes.map((part, at) => subtaskOf(part, `${id}.${at + 1}`)),
  };
}

function listed(fields: readonly FieldItem[], key: FieldKey): readonly string[] {
  return fields.flatMap((field) => (field.key === key ? listOf(field.value) : []));
}

function subtaskOf({ box, items }: Part & { readonly box: Box }, otherwise: string): Subtask {
  const { id, criterion, depends, parallel, optional } = boxWords(box.words);
  const own = items.filter((item): item is FieldItem => item.kind === "field" && !isOfStep(item, box));
  const { executor, validated, criterion: said } = valuesIn(own, ["executor", "validated", "criterion"]);
  const validations = validationsIn(own);
  return {
    id: id ?? otherwise,
    named: id !== undefined,
    line: box.line,
    mark: markOf(box.mark),
    criterion: criterion || (said ?? ""),
    proofs: proofsIn(items),
    depends: [...depends, ...listed(own, "depends")],
    ...(executor !== undefined && { executor }),
    ...(parallel && { parallel }),
    ...(optional && { optional }),
    ...(validations && { validations }),
    ...(validated !== undefined && { validated }),
  };
}

/** Each on its line, or all in one line in braces. */
function validationsIn(fields: readonly FieldItem[]): Subtask["validations"] | undefined {
  const inBraces = fields.find(({ key, value }) => key === "validations" && value.startsWith("{"))?.value ?? "";
  const found = VALIDATIONS.flatMap((name) => {
    const [, quoted, plain] = new RegExp(`\\b${name}:\\s*(?:"([^"]*)"|([^,}]*))`).exec(inBraces) ?? [];
    const value = fields.find(({ key }) => key === name)?.value ?? quoted ?? plain;
    return value === undefined ? [] : [[name, bare(value.trim())] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** Each command with the expected result that follows it. */
function proofsIn(items: readonly Item[]): readonly Proof[] {
  const marks = items.flatMap((item, at) => (item.kind === "field" && item.key === "run" ? [at] : []));
  return marks.flatMap((from, index) => {
    const [item, ...rest] = items.slice(from, marks[index + 1]);
    const run = runOf(item, rest[0]);
    const expected = rest.find((one): one is FieldItem => one.kind === "field" && one.key === "expected");
    if (item === undefined || run === "") return [];
    return [{ run, line: item.line, ...(expected && { expected: bare(expected.value), expectedLine: expected.line }) }];
  });
}

/** A `Run:` without a value takes the code block below it. */
function runOf(item: Item | undefined, next: Item | undefined): string {
  if (item?.kind !== "field") return "";
  return item.value === "" && next?.kind === "fence" ? next.body.trim() : bare(item.value);
}
