/** What stands below one heading or box of a plan: its fields, and what a box says of itself. */
import { bare, type FieldKey, listOf } from "./fields.ts";
import { boxWords } from "./naming.ts";
import type { Box, FieldItem, Heading, Item } from "./outline.ts";
import { markOf, type Proof, type Subtask, VALIDATIONS } from "./playbook.ts";

/** What stands between two boxes or headings, with the headings above it. */
export interface Part {
  readonly path: readonly Heading[];
  readonly box?: Box;
  readonly items: Item[];
}

export function valuesIn(items: readonly Item[], keys: readonly FieldKey[]): Partial<Record<FieldKey, string>> {
  const found: Partial<Record<FieldKey, string>> = {};
  for (const item of items) {
    if (item.kind === "field" && item.value !== "" && keys.includes(item.key)) found[item.key] ??= bare(item.value);
  }
  return found;
}

/** A command belongs to the box above it, even without indentation; other fields only if they are indented. */
export function isOfStep({ key, indent }: FieldItem, box: Box | undefined): boolean {
  return box === undefined || (indent <= box.indent && key !== "run" && key !== "expected");
}

export function listed(fields: readonly FieldItem[], key: FieldKey): readonly string[] {
  return fields.flatMap((field) => (field.key === key ? listOf(field.value) : []));
}

export function subtaskOf({ box, items }: Part & { readonly box: Box }, otherwise: string): Subtask {
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
