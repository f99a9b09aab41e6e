/** Whether a run can pay for its next pass, and what that pass may cost at most. */
import { own } from "../../lib/keyed.ts";
import type { Run } from "../../state/runs/run.ts";
import { isAgents, type Node } from "./nodes.ts";

export interface Allowance {
  /** Null: no limit. */
  readonly usd: number | null;
  readonly ms: number | null;
}

/** Words: the run can't pay for it. A pass is priced by the last one of its step. */
export function allowanceFor(node: Node, nodes: readonly Node[], run: Run, width: number): Allowance | string {
  const { limits, spent } = run;
  const { timeoutSeconds, budget } = node.step;
  if (limits.ms !== undefined && spent.ms >= limits.ms) return `its time is up: ${words(spent.ms / 60_000)} min`;
  const ms = least([left(limits.ms, spent.ms), inMs(timeoutSeconds), inMs(budget.maxRuntimeSeconds)]);
  if (!isAgents(node)) return { usd: null, ms };
  const { agents, tokens } = spent;
  if (limits.agents !== undefined && agents >= limits.agents)
    return `${agents} agent${agents === 1 ? " was" : "s were"} started, and that is all it may start`;
  if (limits.tokens !== undefined && tokens >= limits.tokens) return `${tokens} tokens are used`;
  const share = shareOf(node, nodes, run, width);
  return typeof share === "string" ? share : { usd: least([share, budget.maxUsd]), ms };
}

function shareOf(node: Node, nodes: readonly Node[], run: Run, width: number): number | null | string {
  const { limits, spent, steps } = run;
  const promised = Object.values(steps).reduce((sum, { begun }) => sum + (begun?.ceiling ?? 0), 0);
  const rest = left(limits.usd, spent.usd + spent.assumed + promised);
  if (rest === null) return null;
  const price = own(steps, node.key)?.price ?? 0;
  if (rest > 0 && price <= rest) return Math.max(price, rest / sharers(node, nodes, run, width));
  const used = `$${words(spent.usd)} of $${words(limits.usd ?? 0)} are used`;
  const assumed = spent.assumed > 0 ? `, up to $${words(spent.assumed)} more by passes of unknown cost` : "";
  return `${used}${assumed}${rest > 0 ? `, and the last pass of ${node.key} cost $${words(price)}` : ""}`;
}

/** What is left is shared by those that may run at the same time. */
function sharers({ group }: Node, nodes: readonly Node[], { steps }: Run, width: number): number {
  if (group === null) return 1;
  const [open, running] = [false, true].map(
    (isBegun) =>
      nodes.filter((node) => {
        const step = own(steps, node.key);
        return node.group === group && step?.status !== "done" && (step?.begun !== undefined) === isBegun;
      }).length,
  ) as [number, number];
  return Math.max(1, Math.min(open, width - running));
}

function left(limit: number | undefined, used: number): number | null {
  return limit === undefined ? null : Math.max(0, limit - used);
}

function inMs(value: number | null): number | null {
  return value === null ? null : value * 1000;
}

function least(values: readonly (number | null)[]): number | null {
  const limits = values.flatMap((value) => (value === null ? [] : [value]));
  return limits.length === 0 ? null : Math.min(...limits);
}

function words(value: number): string {
  return String(Number(value.toFixed(4)));
}
