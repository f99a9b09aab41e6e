/** The verbs of `sekisho pipeline` that carry runs out, show and end them. */

import type { Person } from "../../app/person.ts";
import { Problem } from "../../app/problem.ts";
import { type Here, here } from "../../app/project.ts";
import { runHere, runsHere, viewOf } from "../../app/queries/pipelines/runs.ts";
import { carryOut, type RunProgress } from "../../app/running/runner.ts";
import { answerRun, cancelRun, startRun } from "../../app/running/start.ts";
import { inline } from "../../lib/text.ts";
import type { Plan } from "../../pipeline/plan.ts";
import type { RunView } from "../../views/pipeline-run.ts";
import { harmless } from "../inbox/print.ts";
import { paint, say, sayDone, sayJson, sayWords, table } from "../print.ts";

export interface Wish {
  readonly json: boolean;
  readonly task: string | undefined;
  readonly input: readonly string[] | undefined;
  readonly "max-usd": string | undefined;
  readonly snapshot: boolean;
}

export function runPlan(place: Here, root: string, plan: Plan, wish: Wish): Promise<number> {
  const { json, task = "", snapshot } = wish;
  const maxUsd = wish["max-usd"] === undefined ? undefined : Number(wish["max-usd"]);
  if (maxUsd !== undefined && !(maxUsd > 0)) throw new Problem("--max-usd takes a number above 0.");
  const inputs = Object.fromEntries((wish.input ?? []).map(pair));
  const id = startRun(place, plan.pipeline, { tier: plan.tier, root, task, inputs, maxUsd, snapshot });
  tell(`Run ${id}: ${plan.pipeline.name}, tier ${plan.tier}`);
  return goOn(place, id, json);
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new Problem("--input takes NAME=VALUE.");
  return [text.slice(0, at), text.slice(at + 1)];
}

export function resume([id = ""]: readonly string[], { json }: Wish): Promise<number> {
  const place = here();
  return goOn(place, runHere(place, id).run_id, json);
}

/** Asked to stop, it ends its agents, keeps their work and says how to go on. */
async function goOn(place: Here, id: string, json: boolean): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, onSignal);
  const view = viewOf(await carryOut(place, id, PROGRESS, stop.signal));
  if (json) sayJson(view);
  else print(view);
  return view.status === "passed" ? 0 : 2;
}

const PROGRESS: RunProgress = {
  moves(move, { spent }) {
    if (move.do === "begin") {
      const { node, attempt, model } = move;
      const cost = spent.usd > 0 ? `  $${spent.usd.toFixed(2)} so far` : "";
      tell(`▶ ${node.key}, try ${attempt}${model ? ` (${model})` : ""}${cost}`);
    } else if (move.do === "escalate") tell(`↑ ${move.node.key}: ${move.from} failed, next is ${move.to}`);
    else if (move.do === "compensate") tell(`↩ ${move.node.key} goes back to ${move.to}`);
    else if (move.do === "fix") tell(`✎ ${move.node.key}: trying its fix command`);
  },
  ends({ node }, end) {
    const seconds = `${(end.used.ms / 1000).toFixed(1)} s`;
    tell(end.is === "done" ? `✔ ${node.key}  ${seconds}` : `✘ ${node.key}  ${seconds}  ${inline(end.why, 160)}`);
  },
};

/** Standard output is for the result. */
function tell(line: string): void {
  process.stderr.write(`${harmless(line)}\n`);
}

export function status([id]: readonly string[], { json }: Wish): number {
  const place = here();
  if (id !== undefined) {
    const view = runHere(place, id);
    if (json) sayJson(view);
    else print(view);
    return 0;
  }
  const all = runsHere(place);
  if (json) sayJson({ runs: all });
  else if (all.length === 0) say("No pipeline has been run here.");
  else say(table([["RUN", "PIPELINE", "TIER", "STATUS", "STEP"].map(paint.dim), ...all.map(row)]));
  return 0;
}

function row({ run_id: id, pipeline, tier, status: is, current_step: step }: RunView): readonly string[] {
  return [id, inline(pipeline, 40), tier, is, inline(step ?? "-", 60)];
}

export function cancel([id = ""]: readonly string[], { json }: Wish): number {
  const run = cancelRun(here(), id, "a command");
  if (json) sayJson(viewOf(run));
  else sayDone(`Run ${run.id} is cancelled. Its results are at refs/sekisho/runs/${run.id}/.`);
  return 0;
}

export function answer(is: "approve" | "reject") {
  return ([id = "", ...why]: readonly string[], { json }: Wish, person: Person): number => {
    const reason = why.join(" ");
    const answered = answerRun(here(), id, { is, why: reason === "" ? undefined : reason }, person);
    if (json) sayJson(answered);
    else {
      const { run, step } = answered;
      sayDone(
        `${is === "approve" ? "Approved" : "Rejected"}: ${inline(step)}. Go on: \`sekisho pipeline resume ${run}\``,
      );
    }
    return 0;
  };
}

function print(view: RunView): void {
  const { run_id: id, pipeline, tier, status: is, why, steps, cost, retries, seconds, agents } = view;
  say(`${paint.bold(`Run ${id}`)}  ${inline(pipeline, 60)}, tier ${tier}: ${is}`);
  if (why !== null) sayWords(why);
  say();
  const head = ["STEP", "STATUS", "TRIES", "MODEL", "TIME", "COMMIT"].map(paint.dim);
  say(
    table([
      head,
      ...steps.map((one) => [
        ...[inline(one.step, 60), one.status, String(one.attempts), one.model ?? "-", `${one.seconds} s`],
        one.commit?.slice(0, 8) ?? "-",
      ]),
    ]),
  );
  const unknown = cost.unknown_passes > 0 ? `, ${cost.unknown_passes} of unknown cost` : "";
  say();
  say(
    `${agents} agent pass${agents === 1 ? "" : "es"}, $${cost.usd.toFixed(2)}${unknown}; retries: ${retries}; ${seconds} s.`,
  );
  const next = NEXT[is];
  if (next) sayWords(next.replaceAll("ID", id));
  sayWords(`Results of each step: \`git log refs/sekisho/runs/${id}/STEP/TRY\``);
}

const NEXT: Readonly<Partial<Record<RunView["status"], string>>> = {
  waiting:
    "Answer with `sekisho pipeline approve ID` or `sekisho pipeline reject ID`, then `sekisho pipeline resume ID`.",
  paused: "Go on with `sekisho pipeline resume ID`, or end it with `sekisho pipeline cancel ID`.",
};
