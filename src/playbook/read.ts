/** Reads a plan from Markdown. Every dialect is read alike: headings and ids make the steps, boxes the subtasks. */
import { dialectOf } from "./dialect.ts";
import { bare, type FieldKey } from "./fields.ts";
import { boxWords, stepNamed, stepOfId } from "./naming.ts";
import { type Box, type FieldItem, type Heading, type Item, outlineOf } from "./outline.ts";
import { isOfStep, listed, type Part, subtaskOf, valuesIn } from "./parts.ts";
import type { Fault, Playbook, Sentence, Step } from "./playbook.ts";
import { proseOf } from "./prose.ts";

/** Far more than a person reads; a longer file is not a plan. */
export const PLAYBOOK_CHARS_MAX = 512 * 1024;

export function readPlaybook(markdown: string): Playbook {
  const { items, conflicts } = outlineOf(markdown.slice(0, PLAYBOOK_CHARS_MAX));
  const dialect = dialectOf(items);
  const parts = partsOf(items);
  const [head = NO_PART] = parts;
  const { steps, unboxed, prose } = stepsOf(parts);
  const unclosed = items.flatMap((item) => (item.kind === "fence" && !item.isClosed ? [item.line] : []));
  const faults: Fault[] = [
    ...conflicts.map(({ line }) => ({ kind: "conflict", line }) as const),
    ...unclosed.map((line) => ({ kind: "fence", line }) as const),
    ...(steps.length === 0 ? [{ kind: "empty", line: 1 } as const] : []),
    ...(markdown.length > PLAYBOOK_CHARS_MAX ? [{ kind: "too-long", line: 1 } as const] : []),
  ];
  const blocks = items.flatMap((item) => (item.kind === "fence" && /^ya?ml$/.test(item.language) ? [item.body] : []));
  const rest = { ...(unboxed.length > 0 && { unboxed }), ...(prose.length > 0 && { prose }) };
  return { dialect, ...headOf(items, head), blocks, steps: withOwnIds(steps), ...rest, faults };
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

interface Draft {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  readonly isFinal: boolean;
  readonly fields: FieldItem[];
  readonly boxes: (Part & { readonly box: Box })[];
  readonly prose: string[];
}

function stepsOf(parts: readonly Part[]): {
  readonly steps: readonly Step[];
  readonly unboxed: NonNullable<Playbook["unboxed"]>;
  readonly prose: readonly string[];
} {
  const drafts = new Map<string, Draft>();
  const outside: string[] = [];
  for (const part of parts) {
    const place = part.box || named(part.path) ? placeOf(part, drafts.size) : undefined;
    if (!place) {
      outside.push(...proseOf(part, false));
      continue;
    }
    const current = drafts.get(place.key) ?? { ...place, fields: [], boxes: [], prose: [] };
    drafts.set(place.key, current);
    current.prose.push(...proseOf(part, true));
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
    prose: [...outside, ...all.filter((draft) => !isStep(draft)).flatMap(({ title, prose }) => [title, ...prose])],
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

function stepOf({ id, title, line, isFinal, fields, boxes, prose }: Draft): Step {
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
    ...(prose.length > 0 && { prose }),
    subtasks: boxes.map((part, at) => subtaskOf(part, `${id}.${at + 1}`)),
  };
}

/** Of two steps with one id, the second gets another: otherwise what is said of one would count for both. */
function withOwnIds(steps: readonly Step[]): readonly Step[] {
  const known = new Set<string>();
  return steps.map((step) => {
    let id = step.id;
    for (let count = 2; known.has(id); count++) id = `${step.id}-${count}`;
    known.add(id);
    return id === step.id ? step : { ...step, id, repeats: step.id };
  });
}
