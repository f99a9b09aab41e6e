/** Starts a run, and tells it to stop or to go on. */
import { randomBytes } from "node:crypto";
import { mask } from "../../lib/secrets.ts";
import type { Pipeline } from "../../pipeline/definition.ts";
import { tierOf } from "../../pipeline/plan.ts";
import type { Limits, StartRecord } from "../../state/runs/records.ts";
import type { Run } from "../../state/runs/run.ts";
import { keepBlob } from "../../store/blobs/blobs.ts";
import { keepAction } from "../actions/action.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { runNamed } from "./book.ts";
import { gitAt, isClean, keepFiles } from "./results.ts";
import type { Given } from "./site.ts";

export interface Wish extends Given {
  readonly tier: string;
  readonly root: string;
  readonly maxUsd?: number | undefined;
  /** Uncommitted changes are kept as a commit of the run first. Without it a work tree with any is refused. */
  readonly snapshot: boolean;
}

/** Always a new run: what was given to another one is never taken for this one. */
export function startRun({ store, places }: Here, pipeline: Pipeline, wish: Wish): string {
  const { tier, root, task, inputs, maxUsd } = wish;
  const found = tierOf(pipeline, tier);
  if (!found)
    throw new Problem(
      `${pipeline.name} has no tier ${tier}. It has ${pipeline.tiers.map(({ name }) => name).join(", ")}.`,
    );
  const base = gitAt(root, ["rev-parse", "HEAD"]);
  const isDirty = !isClean(root);
  if (isDirty && !wish.snapshot) {
    throw new Problem(
      "There are uncommitted changes. Commit them, or give --snapshot to keep them as a commit of the run first.",
    );
  }
  const run = randomBytes(4).toString("hex");
  const snapshot = isDirty
    ? keepFiles({ root, directory: places.journal }, `refs/sekisho/runs/${run}/start`, "before the run")
    : undefined;
  const kept = (value: unknown) => orFail(keepBlob(places.journal, JSON.stringify(mask(value)), { isMasked: true }));
  const record: StartRecord = {
    ...({ kind: "run", do: "start", how: "headless" } as const),
    ...{ run, pipeline: pipeline.name, tier: found.name, digest: pipeline.digest },
    ...{ definition: kept(pipeline), given: kept({ task, inputs: inputsOf(pipeline, inputs) }), root, base },
    ...(snapshot !== undefined && { snapshot }),
    limits: limitsOf(pipeline, maxUsd),
  };
  orFail(store.append(record, Date.now(), { durable: true, needs: ["runs"] }));
  return run;
}

/** With the defaults of what was not given. */
function inputsOf({ inputs, name: of }: Pipeline, given: Given["inputs"]): Given["inputs"] {
  const unknown = Object.keys(given).find((name) => inputs.every((one) => one.name !== name));
  if (unknown !== undefined) {
    throw new Problem(`${of} has no input ${unknown}. It has: ${inputs.map(({ name }) => name).join(", ") || "none"}.`);
  }
  const values = inputs.flatMap(({ name, required, default: usual, options }) => {
    const value = given[name] ?? (usual === null ? undefined : String(usual));
    if (value === undefined && required) throw new Problem(`${of} needs --input ${name}=VALUE.`);
    if (value !== undefined && options.length > 0 && !options.includes(value)) {
      throw new Problem(`--input ${name} is one of ${options.join(", ")}.`);
    }
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

function limitsOf({ budget }: Pipeline, given: number | undefined): Limits {
  const { maxUsd, maxTokens: tokens, maxAgents: agents, maxRuntimeSeconds: seconds } = budget;
  const usd = Math.min(maxUsd ?? Number.POSITIVE_INFINITY, given ?? Number.POSITIVE_INFINITY);
  return {
    ...(Number.isFinite(usd) && { usd }),
    ...(tokens !== null && { tokens }),
    ...(agents !== null && { agents }),
    ...(seconds !== null && { ms: seconds * 1000 }),
  };
}

/** Its runner sees it within a second, ends its agents and stops. */
export function cancelRun({ store }: Here, given: string, by: string): Run {
  const run = runNamed({ store }, given);
  if (run.ended) throw new Problem(`Run ${run.id} has ended: ${run.ended.verdict}.`);
  orFail(store.append({ kind: "run", do: "cancel", run: run.id, by }, Date.now(), { durable: true, needs: ["runs"] }));
  return runNamed({ store }, run.id);
}

/** A person's answer to what the run waits for. */
export function answerRun(
  { store }: Here,
  given: string,
  { is, why }: { readonly is: "approve" | "reject"; readonly why?: string | undefined },
  person: Person,
): { readonly run: string; readonly step: string; readonly is: "approve" | "reject" } {
  const run = runNamed({ store }, given);
  const asked = askedIn(run);
  if (run.ended || !asked)
    throw new Problem(`Run ${run.id} waits for nobody. \`sekisho pipeline status ${run.id}\` shows it.`);
  const change = {
    record: "run",
    do: is,
    run: run.id,
    ...asked,
    ...(why !== undefined && { why: why.slice(0, 200) }),
  } as const;
  keepAction(
    store,
    { action: "pipeline", detail: `${is} ${run.id} ${asked.step}`, changes: [change] },
    Date.now(),
    person,
  );
  return { run: run.id, step: asked.step, is };
}

function askedIn({ hold, steps }: Run): { readonly step: string; readonly attempt: number } | undefined {
  if (hold) return { step: hold.step, attempt: hold.attempt };
  const [found] = Object.entries(steps).filter(([, { status }]) => status === "asked");
  return found && { step: found[0], attempt: found[1].attempt };
}
