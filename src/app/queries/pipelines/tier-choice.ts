/** The tier that a person asked for, or the one that fits the change. */
import { didYouMean } from "../../../lib/did-you-mean.ts";
import { inline } from "../../../lib/text.ts";
import type { Pipeline } from "../../../pipeline/definition.ts";
import { type Plan, planOf } from "../../../pipeline/plan.ts";
import { proposeTier } from "../../../pipeline/tier.ts";
import { tierOf } from "../../../playbook/ladder.ts";
import { isProblem, Problem } from "../../problem.ts";
import type { Here } from "../../project.ts";
import { changeSize } from "../change-size.ts";

export interface Wish {
  readonly tier?: string | undefined;
  /** How many files the work is expected to change. */
  readonly files?: number | undefined;
}

export interface Choice {
  readonly plan: Plan;
  /** `asked` by a person; `only`: there is no other; `files`: by the number given; `change`: by what git shows. */
  readonly by: "asked" | "only" | "files" | "change";
}

export function chosenTier(here: Here, root: string, pipeline: Pipeline, wish: Wish): Choice {
  if (wish.tier !== undefined) return { plan: planFor(pipeline, wish.tier), by: "asked" };
  const [first, ...more] = pipeline.tiers;
  if (first && more.length === 0) return { plan: planFor(pipeline, first.name), by: "only" };
  const { plan } = here.settings.settings;
  const measured =
    wish.files === undefined
      ? changed(here, root)
      : { size: tierOf(wish.files, Number.POSITIVE_INFINITY, false, plan), files: wish.files };
  if (!measured)
    throw new Problem(`Nothing has changed yet, so nothing tells how large the work is. ${tiersWords(pipeline)}`);
  const { tier } = proposeTier(pipeline, measured, plan);
  return { plan: planFor(pipeline, tier), by: wish.files === undefined ? "change" : "files" };
}

function planFor(pipeline: Pipeline, tier: string): Plan {
  const plan = planOf(pipeline, tier);
  if (plan) return plan;
  const known = pipeline.tiers.map(({ name }) => name);
  throw new Problem(`There is no tier “${inline(tier)}”${didYouMean(tier, known)}. ${tiersWords(pipeline)}`);
}

function tiersWords({ name, tiers }: Pipeline): string {
  return `${inline(name)} has ${tiers.map((tier) => tier.name).join(", ")}: give \`--tier NAME\`, or \`--files NUMBER\`.`;
}

/** Undefined where git cannot tell, or nothing has changed yet. */
function changed(here: Here, root: string) {
  try {
    const { tier: size, files } = changeSize(here, root);
    return files.length === 0 ? undefined : { size, files: files.length };
  } catch (error) {
    if (isProblem(error)) return undefined;
    throw error;
  }
}
