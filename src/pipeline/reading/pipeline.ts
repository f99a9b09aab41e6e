/** From a file to a pipeline, with everything that is wrong with it and the lines of its parts. */

import { markOf } from "../../lib/sha256.ts";
import { inline } from "../../lib/text.ts";
import { MODELS } from "../../state/models.ts";
import { DEFAULT_TIER, type DodItem, type Global, type Input, type Pipeline, type Tier } from "../definition.ts";
import { lint } from "../lint/lint.ts";
import { type Complaint, type Lines, lineAt, type Problem } from "../problem.ts";
import { type ProblemRule, RULES } from "../rules/rules.ts";
import type { Node } from "../source.ts";
import { isId } from "./kinds.ts";
import { budgetFrom, stepFrom } from "./step.ts";
import { type PipelineRead, pipeline as table } from "./table.ts";

export interface ReadPipeline {
  /** Undefined for a file that is no pipeline at all. Usable only if there is no error. */
  readonly pipeline: Pipeline | undefined;
  /** By line. */
  readonly problems: readonly Problem[];
  readonly lines: Lines;
}

export function readPipeline(node: Node, file: string, faults: readonly Problem[] = []): ReadPipeline {
  const problems: Problem[] = [...faults];
  const lines = new Map<string, number>();
  const place = {
    path: "",
    report: (problem: Problem) => problems.push(problem),
    mark: (path: string, line: number) => lines.set(path, line),
  };
  const read = table.read(node, place);
  if (!read) return { pipeline: undefined, problems: inOrder(problems), lines };
  const complaints: Complaint[] = [];
  const pipeline = pipelineFrom(read, file, (one) => complaints.push(one));
  complaints.push(...lint(pipeline));
  // What is missing from a file that could be read in part only may stand in the other part.
  if (!faults.some(({ rule }) => CUTS.has(rule)))
    problems.push(...complaints.map((one) => ({ ...one, line: lineAt(lines, one.path) })));
  return { pipeline, problems: inOrder(problems), lines };
}

/** After these the rest of the file may not have been read as it is meant. */
const CUTS: ReadonlySet<ProblemRule> = new Set(["yaml", "tab", "too-deep", "too-much"]);

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ rule }) => RULES[rule].severity === "error");
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((one, other) => one.line - other.line);
}

type Complain = (complaint: Complaint) => void;

function pipelineFrom(read: PipelineRead, file: string, complain: Complain): Pipeline {
  const name = read.name ?? "";
  if (name === "") complain({ rule: "no-name", path: "name" });
  else if (!isId(name.replace(/ /g, "_"))) complain({ rule: "bad-name", path: "name", word: inline(name, 60) });
  if (read.version !== undefined && !/^\d+\.\d+\.\d+(?:[-+][\w.-]+)?$/.test(read.version))
    complain({ rule: "bad-version", path: "version", word: inline(read.version, 40) });
  const steps = (read.steps ?? []).map(([id, step]) => stepFrom(id, step, complain));
  const whole = {
    ...{ name, version: read.version ?? "0.0.0", description: read.description ?? "" },
    tiers: tiersOf(read, complain),
    steps,
    inputs: (read.inputs ?? []).map((one) => inputFrom(one, complain)),
    baseDod: dodOf(read, complain),
    global: globalOf(read.global),
    budget: budgetFrom(read.budget),
    maxModel: read.max_model ?? read.global?.max_model ?? null,
  };
  return { ...whole, file, digest: markOf(JSON.stringify(whole)) };
}

/** Without tiers, all steps are one. */
function tiersOf({ tiers, steps = [] }: PipelineRead, complain: Complain): readonly Tier[] {
  if (!tiers) return [{ name: DEFAULT_TIER, steps: steps.map(([id]) => id) }];
  const own = new Map(tiers.flatMap(([name, of]) => (typeof of === "string" ? [] : [[name, of] as const])));
  return tiers.map(([name, of]): Tier => {
    const path = `tiers.${name}`;
    if (!isId(name)) complain({ rule: "bad-id", path, word: inline(name, 60) });
    if (typeof of !== "string") return { name, steps: of };
    const same = own.get(of);
    if (!same) complain({ rule: "tier-of-tier", path, word: name, more: inline(of, 60) });
    return { name, steps: same ?? [] };
  });
}

function inputFrom([name, read]: NonNullable<PipelineRead["inputs"]>[number], complain: Complain): Input {
  const { description = "", type = "string", required = false, enum: options = [] } = read;
  const path = `inputs.${name}`;
  if (!isId(name)) complain({ rule: "bad-id", path, word: inline(name, 60) });
  const given = read.default === undefined ? null : inputValue(read.default, type);
  const isPossible = given !== undefined && (options.length === 0 || given === null || options.includes(String(given)));
  if (!isPossible)
    complain({ rule: "bad-default", path, word: inline(read.default ?? "", 40), more: options.join(", ") || type });
  return { name, description, type, required, default: given ?? null, options };
}

/** Undefined: the words are no such value. */
export function inputValue(words: string, type: Input["type"]): string | number | boolean | undefined {
  if (type === "string") return words;
  if (type === "boolean") return words === "true" || words === "false" ? words === "true" : undefined;
  return words.trim() !== "" && Number.isFinite(Number(words)) ? Number(words) : undefined;
}

function dodOf({ base_dod = [] }: PipelineRead, complain: Complain): readonly DodItem[] {
  const seen = new Set<string>();
  return base_dod.map((read, at) => {
    const { id = `DoD-${at + 1}`, level = "feature", description = "", type = "human", observation = "" } = read;
    if (seen.has(id)) complain({ rule: "dod-twice", path: "base_dod", word: inline(id, 60) });
    seen.add(id);
    return { id, level, description, type, observation, checks: read.checks ?? [], steps: read.steps ?? [] };
  });
}

const RETRIES_MAX = 10;
const FAILURES_MAX = 3;

function globalOf(read: PipelineRead["global"] = {}): Global {
  const { model_fallback: fallback = {} } = read;
  return {
    evidenceCaching: read.evidence_caching ?? true,
    evidenceCachePath: read.evidence_cache_path ?? null,
    pipelineLogPath: read.pipeline_log_path ?? null,
    contextJsonSsot: read.context_json_ssot ?? false,
    maxTotalRetries: read.max_total_retries ?? RETRIES_MAX,
    modelFallback: {
      enabled: fallback.enabled ?? true,
      order: fallback.order ?? MODELS,
      maxFailuresBeforeEscalation: fallback.max_failures_before_escalation ?? FAILURES_MAX,
    },
  };
}
