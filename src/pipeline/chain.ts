/**
 * Command chains of multi-agent-shogun: steps with `blocked_by`, `wave` and `needs_audit`, and variables. A chain becomes
 * the text of a pipeline, which a person can read and change.
 */
import { isId } from "./reading/kinds.ts";
import { type MapNode, type Node, textOf } from "./source.ts";

interface Link {
  readonly id: string;
  readonly description: string;
  readonly worker: string;
  /** Undefined: everything of earlier waves. */
  readonly blockedBy: readonly string[] | undefined;
  readonly wave: number;
  readonly needsAudit: boolean;
}

export interface ChainText {
  readonly name: string;
  readonly text: string;
  readonly steps: number;
  /** Gates that stand for `needs_audit`. */
  readonly audits: number;
}

/**
 * The chains as they are published are not valid YAML: their variables have a colon in values without quotes. Gives the
 * text with quotes around these, and the lines that have them now.
 */
export function quotedVariables(text: string): { readonly text: string; readonly lines: readonly number[] } {
  const changed: number[] = [];
  let isInside = false;
  const lines = text.split("\n").map((line, at) => {
    if (/^\S/.test(line) && !line.startsWith("#")) isInside = /^variables\s*:/.test(line);
    const [, head, value = ""] = isInside ? (/^(\s+\$?\w+:\s+)([^"'\s[{|>&*#].*?)\r?$/.exec(line) ?? []) : [];
    if (head === undefined || !value.includes(": ")) return line;
    changed.push(at + 1);
    return head + JSON.stringify(value);
  });
  return { text: lines.join("\n"), lines: changed };
}

/** Undefined if it is no chain. */
export function pipelineFromChain(root: Node | undefined): ChainText | undefined {
  const steps = listIn(root, "steps");
  const isChain = steps.some((step) =>
    ["blocked_by", "wave", "worker_type", "needs_audit"].some((key) => valueIn(step, key)),
  );
  const name = wordsIn(root, "name");
  const links = steps.flatMap((step) => linkFrom(step) ?? []);
  if (!isChain || !root || links.length !== steps.length || !isId(name)) return undefined;
  const ordered = [...links].sort((one, other) => one.wave - other.wave);
  const variables = mapIn(root, "variables")?.entries ?? [];
  const inputs = variables.map(({ key, value }) => [key.replace(/^\$/, ""), textOf(value)] as const);
  const text = [
    "# yaml-language-server: $schema=pipeline.schema.json",
    `name: ${name}`,
    "version: 1.0.0",
    `description: ${JSON.stringify(wordsIn(root, "description"))}`,
    ...(inputs.length > 0 ? ["inputs:", ...inputs.map(([key, about]) => `  ${key}: ${JSON.stringify(about)}`)] : []),
    "steps:",
    ...ordered.flatMap((link) => stepLines(link, ordered)),
    "",
  ];
  return { name, text: text.join("\n"), steps: links.length, audits: links.filter((link) => link.needsAudit).length };
}

function linkFrom(step: Node): Link | undefined {
  const id = wordsIn(step, "id");
  const blockedBy = valueIn(step, "blocked_by");
  const wave = Number(wordsIn(step, "wave") || "1");
  if (!isId(id)) return undefined;
  return {
    ...{ id, description: wordsIn(step, "description"), worker: wordsIn(step, "worker_type") },
    blockedBy:
      blockedBy && (blockedBy.is === "list" ? blockedBy.items.map(textOf) : [textOf(blockedBy)].filter(Boolean)),
    wave: Number.isFinite(wave) ? wave : 1,
    needsAudit: wordsIn(step, "needs_audit") === "true",
  };
}

function stepLines(link: Link, all: readonly Link[]): readonly string[] {
  const { id, description, worker, needsAudit } = link;
  const needs = needsOf(link, all).map((one) =>
    all.find((other) => other.id === one)?.needsAudit ? auditOf(one) : one,
  );
  return [
    `  - id: ${id}`,
    ...(worker === "" ? [] : [`    # worker_type: ${worker.replace(/\s+/g, " ")}`]),
    `    description: ${JSON.stringify(description || id)}`,
    `    depends_on: [${needs.join(", ")}]`,
    ...(needsAudit
      ? [
          `  - id: ${auditOf(id)}`,
          "    type: gate",
          `    description: ${JSON.stringify(`Somebody else looks at the result of ${id}.`)}`,
          "    checks: [audit]",
          `    depends_on: [${id}]`,
          `    compensation: {action: do it again with what the audit says, revert_to: ${id}}`,
        ]
      : []),
  ];
}

/** A step that waits for nothing by name still waits for the waves before its own. */
function needsOf({ blockedBy = [], wave }: Link, all: readonly Link[]): readonly string[] {
  return blockedBy.length > 0 ? blockedBy : all.filter((one) => one.wave < wave).map(({ id }) => id);
}

function auditOf(id: string): string {
  return `${id}_audit`.slice(-64);
}

function mapIn(node: Node | undefined, key: string): MapNode | undefined {
  const value = valueIn(node, key);
  return value?.is === "map" ? value : undefined;
}

function listIn(node: Node | undefined, key: string): readonly Node[] {
  const value = valueIn(node, key);
  return value?.is === "list" ? value.items : [];
}

function valueIn(node: Node | undefined, key: string): Node | undefined {
  return node?.is === "map" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
}

function wordsIn(node: Node | undefined, key: string): string {
  const value = valueIn(node, key);
  return value?.is === "value" ? textOf(value).trim() : "";
}
