/** Carries a run out: asks what is next, does it, records it, and asks again, until it ends or waits for a person. */
import { randomUUID } from "node:crypto";
import { own } from "../../lib/keyed.ts";
import type { Pipeline } from "../../pipeline/definition.ts";
import { type Plan, planOf } from "../../pipeline/plan.ts";
import type { Move } from "../../pipeline/run/move.ts";
import { next } from "../../pipeline/run/next.ts";
import { asksPerson, type Node } from "../../pipeline/run/nodes.ts";
import type { Run } from "../../state/runs/run.ts";
import { type BlobName, keepBlob, readBlob } from "../../store/blobs/blobs.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { aroundOf } from "./around.ts";
import { type Book, reason, takeRun } from "./book.ts";
import { commandsAt } from "./commands.ts";
import { type Guard, startGuard } from "./guard.ts";
import { endLeftovers } from "./leftover.ts";
import { type PassEnd, runPass } from "./pass.ts";
import { type Begin, logOf } from "./piece.ts";
import { keepFiles, refOf, treeOf } from "./results.ts";
import { type Given, type Site, siteOf } from "./site.ts";
import { recordOf } from "./told.ts";

/** Hears of every move when it is made, and of every pass when it has ended. */
export interface RunProgress {
  moves(move: Move, run: Run): void;
  ends(move: Begin, end: PassEnd): void;
}

interface Carrying extends Site {
  readonly book: Book;
  readonly passes: Map<string, Working>;
  readonly progress: RunProgress;
}

interface Working {
  readonly move: Begin;
  readonly guard: Guard;
  readonly ended: Promise<void>;
}

export async function carryOut(here: Here, id: string, progress: RunProgress, stop: AbortSignal): Promise<Run> {
  const book = takeRun(here, id);
  const plan = planFor(here, book.run);
  const given = JSON.parse(textOf(here, book.run.given)) as Given;
  const carrying: Carrying = { ...siteOf(here, book.run, plan, given), book, passes: new Map(), progress };
  try {
    await endLeftovers(book.run);
    while (!stop.aborted && (await goOn(carrying, stop)));
    await pausedIn(carrying);
  } finally {
    for (const { guard } of carrying.passes.values()) await guard.end();
  }
  if (!book.run.ended) book.write({ do: "rest" });
  return book.run;
}

function planFor(here: Here, { definition, tier, digest, id }: Run): Plan {
  const pipeline = JSON.parse(textOf(here, definition)) as Pipeline;
  const plan = pipeline.digest === digest ? planOf(pipeline, tier) : undefined;
  if (!plan) throw new Problem(`The definition of run ${id} is not what it began with, so it can't go on.`);
  return plan;
}

function textOf({ places }: Here, name: BlobName): string {
  const text = readBlob(places.journal, name);
  if (text === undefined)
    throw new Problem("A text of the run is missing or damaged in the journal, so it can't go on.");
  return text;
}

/** False when it has ended or waits for a person. */
async function goOn(carrying: Carrying, stop: AbortSignal): Promise<boolean> {
  const { book, plan, given, progress } = carrying;
  const move = next(plan, book.run, aroundOf(book, given), Date.now());
  if (!move) return false;
  progress.moves(move, book.run);
  if (move.do === "wait") return false;
  if (move.do === "await") await somethingEnds(carrying, stop);
  else if (move.do === "later") await pause(Math.min(move.at - Date.now(), LOOK_MS), stop);
  else if (move.do === "begin") begin(carrying, move);
  else if (move.do === "fix") await fix(carrying, move);
  else book.write(recordOf(move, book.run));
  return true;
}

/** Others write too: a person cancels or answers. */
const LOOK_MS = 1000;

async function somethingEnds({ passes, book }: Carrying, stop: AbortSignal): Promise<void> {
  await Promise.race([...[...passes.values()].map(({ ended }) => ended), pause(LOOK_MS, stop)]);
  book.look();
  if (book.run.cancelled) await Promise.all([...passes.values()].map(({ guard }) => guard.end()));
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms));
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (stop.aborted) done();
    else stop.addEventListener("abort", done, { once: true });
  });
}

/** The process is there before the record, and begins only after it: a killed runner leaves none that nobody knows. */
function begin(carrying: Carrying, move: Begin): void {
  const { book, passes, plan } = carrying;
  const { node, attempt, model, allowance } = move;
  const guard = startGuard();
  const session = randomUUID();
  const agent = model === null ? {} : { model, session };
  const ceiling = allowance.usd === null ? {} : { ceiling: allowance.usd };
  const step = own(book.run.steps, node.key);
  book.write({ do: "begin", step: node.key, attempt, n: node.n, process: guard.process, ...agent, ...ceiling });
  const red = node.red === null ? undefined : own(book.run.steps, node.red)?.red;
  const pass = { ...carrying, plan, move, session, guard, log: logOf(carrying, move), before: step?.last?.why, red };
  const ended = runPass(pass)
    .catch((error: unknown): PassEnd => brokenPass(error))
    .then(async (end) => {
      await guard.end();
      // Whoever cancelled or stopped the run has ended its processes, so what the pass says means nothing.
      if (passes.delete(node.key)) settle(carrying, move, end);
    });
  passes.set(node.key, { move, guard, ended });
}

function brokenPass(error: unknown): PassEnd {
  const why = error instanceof Error ? error.message : String(error);
  return { is: "fail", cause: "work", why, evidence: [], used: { ms: 0 } };
}

function settle(carrying: Carrying, move: Begin, end: PassEnd): void {
  const { book, here, progress } = carrying;
  const { node, attempt } = move;
  book.look();
  if (book.run.cancelled) {
    lose(carrying, move);
    return;
  }
  progress.ends(move, end);
  const of = { step: node.key, attempt };
  const evidence = end.evidence.slice(-EVIDENCE_MAX).map(reason);
  const { used, said = "", red, verdict } = end;
  const commit = keepFiles(carrying, refOf(book.run.id, node.key, attempt), `${node.key}, attempt ${attempt}`);
  const out = said === "" ? {} : { out: orFail(keepBlob(here.places.journal, said)) };
  if (end.is === "fail") {
    book.write({ do: "fail", ...of, cause: end.cause, why: reason(end.why), evidence, used, commit, ...out });
  } else if (asksPerson(node)) book.write({ do: "gate", ...of, n: node.n, evidence, used });
  else
    book.write({ do: "done", ...of, evidence, used, commit, ...out, ...(red && { red }), ...(verdict && { verdict }) });
}

/** A record has room for a few. */
const EVIDENCE_MAX = 4;

/** Its work is kept, and it is begun again when somebody resumes the run. */
function lose(carrying: Carrying, { node, attempt }: Begin): void {
  const { book } = carrying;
  const commit = keepFiles(carrying, refOf(book.run.id, node.key, attempt), `${node.key}, attempt ${attempt}, stopped`);
  book.write({ do: "lost", step: node.key, attempt, stopped: true, commit });
}

async function pausedIn(carrying: Carrying): Promise<void> {
  for (const [key, { guard, move }] of [...carrying.passes]) {
    carrying.passes.delete(key);
    await guard.end();
    lose(carrying, move);
  }
}

/** Runs beside its own log; a command that is not allowed has fixed nothing. */
async function fix(carrying: Carrying, { node, attempt }: Move & { readonly do: "fix" }): Promise<void> {
  const { book } = carrying;
  const started = Date.now();
  const line = node.step.retry.autoFixCommand;
  const ref = refOf(book.run.id, `${node.key}-fix`, attempt);
  const filesNow = (): string => treeOf(carrying.root, keepFiles(carrying, ref, `${node.key}, fix ${attempt}`));
  const before = filesNow();
  const guard = startGuard();
  const ran = line === null ? undefined : await commandsAt(fixing(carrying, node, attempt, guard)).run(line);
  await guard.end();
  const exit = ran && "exit" in ran ? ran.exit : null;
  const end = { exit, changed: filesNow() !== before, ms: Date.now() - started };
  book.write({ do: "fix", step: node.key, attempt, ...end });
}

function fixing(carrying: Carrying, node: Node, attempt: number, guard: Guard) {
  const { timeoutSeconds: seconds } = node.step;
  const ms = seconds === null ? null : seconds * 1000;
  return { ...carrying, guard, log: `${logOf(carrying, { node, attempt })}.fix`, ms };
}
