/** Tiers, dependencies and ways back: whether the steps can run in the order that is written. */
import { nearestNames } from "../../lib/did-you-mean.ts";
import { inline } from "../../lib/text.ts";
import type { Pipeline, Step, Tier } from "../definition.ts";
import type { Complaint } from "../problem.ts";

export function inOrder(pipeline: Pipeline): readonly Complaint[] {
  const { steps, tiers } = pipeline;
  if (steps.length === 0) return [{ rule: "no-steps", path: "steps" }];
  const ids = steps.map(({ id }) => id);
  return [
    ...tiers.flatMap((tier) => inTier(tier, ids)),
    ...steps.flatMap((step) => references(step, ids)),
    ...neverRun(pipeline),
    ...cycles(steps),
    ...steps.flatMap((step) => tiers.flatMap((tier) => placeIn(step, tier, ids))).filter(isFirst),
    ...tiers.flatMap((tier) => greens(tier, steps)),
  ];
}

function unknownStep(id: string, path: string, ids: readonly string[]): Complaint {
  const near = nearestNames(id, ids);
  return { rule: "unknown-step", path, word: inline(id, 60), more: near.length > 0 ? ` (${near.join(" / ")})` : "" };
}

function inTier({ name, steps }: Tier, ids: readonly string[]): readonly Complaint[] {
  const path = `tiers.${name}`;
  if (steps.length === 0) return [{ rule: "empty-tier", path, word: name }];
  return steps.flatMap((id, at): readonly Complaint[] => {
    if (!ids.includes(id)) return [unknownStep(id, `${path}.${at}`, ids)];
    const isTwice = steps.indexOf(id) !== at;
    return isTwice ? [{ rule: "listed-twice", path: `${path}.${at}`, word: id, more: name }] : [];
  });
}

function references({ id, dependsOn, compensation }: Step, ids: readonly string[]): readonly Complaint[] {
  const revertTo = compensation?.revertTo ?? null;
  const missing = (dependsOn ?? []).flatMap((one, at) =>
    ids.includes(one) ? [] : [unknownStep(one, `steps.${id}.depends_on.${at}`, ids)],
  );
  const isLost = revertTo !== null && !ids.includes(revertTo);
  return isLost ? [...missing, unknownStep(revertTo, `steps.${id}.compensation.revert_to`, ids)] : missing;
}

function neverRun({ steps, tiers }: Pipeline): readonly Complaint[] {
  const used = new Set(tiers.flatMap((tier) => tier.steps));
  return steps.flatMap(({ id }): readonly Complaint[] =>
    used.has(id) ? [] : [{ rule: "never-run", path: `steps.${id}`, word: id }],
  );
}

/** Each circle once, at its first step in the file. */
function cycles(steps: readonly Step[]): readonly Complaint[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const [done, found]: [Set<string>, Complaint[]] = [new Set(), []];
  for (const { id } of steps) {
    const circle = circleFrom(id, byId, done);
    if (circle) found.push({ rule: "cycle", path: `steps.${id}.depends_on`, word: [...circle, circle[0]].join(" → ") });
  }
  return found;
}

/** Depth first without recursion, because a file may hold a chain of thousands. */
function circleFrom(start: string, byId: ReadonlyMap<string, Step>, done: Set<string>): readonly string[] | undefined {
  const way: { readonly id: string; at: number }[] = done.has(start) ? [] : [{ id: start, at: 0 }];
  const onWay = new Set([start]);
  for (let last = way.at(-1); last; last = way.at(-1)) {
    const next = byId.get(last.id)?.dependsOn?.[last.at++];
    if (next === undefined) {
      done.add(last.id);
      onWay.delete(last.id);
      way.pop();
    } else if (onWay.has(next)) {
      for (const { id } of way) done.add(id);
      return way.slice(way.findIndex(({ id }) => id === next)).map(({ id }) => id);
    } else if (!done.has(next) && byId.has(next)) {
      way.push({ id: next, at: 0 });
      onWay.add(next);
    }
  }
  return undefined;
}

/** What a step refers to must not lie ahead of it, in any tier that has it. */
function placeIn(
  { id, dependsOn, compensation }: Step,
  { name, steps }: Tier,
  ids: readonly string[],
): readonly Complaint[] {
  const at = steps.indexOf(id);
  if (at < 0) return [];
  const later = (dependsOn ?? []).filter((one) => one !== id && steps.indexOf(one) > at);
  const ahead = later.map(
    (more): Complaint => ({ rule: "out-of-order", path: `steps.${id}.depends_on`, word: id, more }),
  );
  const revertTo = compensation?.revertTo ?? id;
  const path = `steps.${id}.compensation.revert_to`;
  const target = steps.indexOf(revertTo);
  if (target > at) return [...ahead, { rule: "revert-forward", path, word: id, more: revertTo }];
  return target < 0 && ids.includes(revertTo)
    ? [...ahead, { rule: "revert-elsewhere", path, word: id, more: `${revertTo} (${name})` }]
    : ahead;
}

/** Several tiers give the same complaint. */
function isFirst(one: Complaint, at: number, all: readonly Complaint[]): boolean {
  return all.findIndex((other) => other.rule === one.rule && other.path === one.path && other.more === one.more) === at;
}

/** A fix may not begin before a test was seen failing. */
function greens({ name, steps: ids }: Tier, steps: readonly Step[]): readonly Complaint[] {
  const phases = ids.map((id) => steps.find((step) => step.id === id)?.tddPhase);
  return ids.flatMap((id, at): readonly Complaint[] => {
    const isEarly = phases[at] === "green" && !phases.slice(0, at).includes("red");
    return isEarly ? [{ rule: "fix-before-red", path: `steps.${id}.tdd_phase`, word: id, more: name }] : [];
  });
}
