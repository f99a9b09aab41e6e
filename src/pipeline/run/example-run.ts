/** Carries out what `next` says with told outcomes, as a runner would, for tests of the reducer. */
import type { Approvals } from "../../state/runs/approvals.ts";
import { reduceApprovals } from "../../state/runs/approvals.ts";
import type { Cause, Limits, RunRecord, StartRecord } from "../../state/runs/records.ts";
import { begunRun, type Run, reduceRun } from "../../state/runs/run.ts";
import type { Plan } from "../plan.ts";
import type { Around, Move } from "./move.ts";
import { next } from "./next.ts";
import { asksPerson } from "./nodes.ts";

export type Outcome =
  | { readonly is: "done"; readonly usd?: number; readonly evidence?: readonly string[]; readonly red?: string }
  | { readonly is: "fail"; readonly usd?: number; readonly cause?: Cause }
  /** The runner dies; another one takes over. */
  | { readonly is: "dies" }
  /** The runner dies, and nobody takes over yet. */
  | { readonly is: "stopped" };

export interface Telling {
  readonly outcome: (move: Move & { readonly do: "begin" }, run: Run) => Outcome;
  /** A person's answer to a wait; undefined: nobody is there. */
  readonly answer?: (move: Move & { readonly do: "wait" }) => "approve" | "reject" | undefined;
  readonly limits?: Limits;
  readonly around?: Partial<Around>;
  readonly onMove?: (move: Move, run: Run, approvals: Approvals) => void;
  readonly fixChanges?: boolean;
  /** Somebody else writes that a gate of people has passed. */
  readonly forges?: () => boolean;
  /** Which of the running pieces ends first, by their number. */
  readonly order?: (count: number) => number;
}

export interface Played {
  readonly run: Run;
  readonly approvals: Approvals;
  /** What was decided, as `begin fix` or `compensate dod fix`. */
  readonly trail: readonly string[];
  readonly waits: (Move & { readonly do: "wait" }) | undefined;
}

const HASH = { sha256: "0".repeat(64), bytes: 1 };
export const PROCESS = { pid: 7, started: "1", boot: "b" };

export const exampleStart = (limits: Limits = {}): StartRecord => ({
  ...{
    kind: "run",
    do: "start",
    run: "r1",
    pipeline: "EXAMPLE",
    tier: "S",
    digest: "d",
    definition: HASH,
    given: HASH,
  },
  ...{ root: "/p", base: "c0ffee", limits, how: "headless" },
});

const MOVES_MAX = 5000;

export function play(plan: Plan, telling: Telling): Played {
  const stage = openStage(telling);
  stage.takeOver();
  for (let at = 0; at < MOVES_MAX; at++) {
    stage.forge();
    const { run, approvals } = stage;
    const around: Around = { maxModel: null, width: 3, leftOut: () => undefined, ...telling.around, approvals };
    const move = next(plan, run, around, stage.now);
    const ended = { run, approvals, trail: stage.trail };
    if (!move) return { ...ended, waits: undefined };
    telling.onMove?.(move, run, approvals);
    if (move.do !== "await") stage.trail.push(wordsOf(move));
    if (move.do === "await" && !stage.finish()) return { ...ended, run: stage.run, waits: undefined };
    if (move.do === "wait" && !stage.answer(move)) return { ...ended, waits: move };
    stage.carryOut(move);
  }
  throw new Error(`no end after ${MOVES_MAX} moves: ${stage.trail.slice(-20).join(", ")}`);
}

type Begin = Move & { readonly do: "begin" };
type Wait = Move & { readonly do: "wait" };

interface Stage {
  run: Run;
  approvals: Approvals;
  now: number;
  readonly trail: string[];
  takeOver(): void;
  forge(): void;
  /** False: the runner was stopped. */
  finish(): boolean;
  /** False: nobody answers. */
  answer(move: Wait): boolean;
  carryOut(move: Move): void;
}

function openStage({ limits, forges, outcome, answer, order = () => 0, fixChanges = true }: Telling): Stage {
  const running: Begin[] = [];
  const put = (record: Record<string, unknown>): void => {
    stage.now += 1;
    const told = { kind: "run", run: "r1", token: stage.run.token, ...record, t: stage.now };
    stage.run = reduceRun(stage.run, told as unknown as RunRecord & { t: number });
  };
  const stage: Stage = {
    run: begunRun(exampleStart(limits), 0),
    approvals: {},
    now: 1,
    trail: [],
    takeOver: () => put({ do: "runner", token: stage.run.token + 1, process: PROCESS }),
    forge() {
      const asked = Object.entries(stage.run.steps).find(([, { status }]) => status === "asked");
      if (!asked || !forges?.()) return;
      put({ do: "done", step: asked[0], attempt: asked[1].attempt, used: { ms: 0 }, evidence: [], approval: "mine" });
    },
    finish() {
      const [move] = running.splice(order(running.length), 1);
      if (!move) throw new Error("nothing runs, and the run waits for it");
      const told = outcome(move, stage.run);
      if (told.is === "dies") {
        running.length = 0;
        stage.takeOver();
      } else put(endOf(move, told));
      return told.is !== "stopped";
    },
    answer(move) {
      const is = answer?.(move);
      if (is === undefined) return false;
      const change = { record: "run", do: is, run: "r1", step: move.node.key, attempt: move.attempt } as const;
      const count = Object.keys(stage.approvals).length;
      stage.approvals = reduceApprovals(stage.approvals, change, `p${count + 1}`, stage.now);
      return true;
    },
    carryOut(move) {
      if (move.do === "later") stage.now = move.at;
      if (move.do === "begin") running.push(move);
      const record = recordOf(move, fixChanges);
      if (record) put(record);
    },
  };
  return stage;
}

function endOf({ node, attempt }: Begin, told: Exclude<Outcome, { readonly is: "dies" }>): Record<string, unknown> {
  const of = { step: node.key, attempt };
  if (told.is === "stopped") return { do: "lost", ...of, stopped: true };
  const used = { ms: 1, ...(told.usd !== undefined && { usd: told.usd }) };
  if (told.is === "fail") return { do: "fail", ...of, cause: told.cause ?? "work", why: "no", used, evidence: [] };
  const { evidence = [], red } = told;
  if (asksPerson(node)) return { do: "gate", ...of, n: node.n, used, evidence };
  return { do: "done", ...of, used, evidence, ...(red !== undefined && { red }) };
}

function recordOf(move: Move, changed: boolean): Record<string, unknown> | undefined {
  if (move.do === "await" || move.do === "later" || move.do === "wait") return undefined;
  if (move.do === "end") return { ...move };
  const { node, do: what, ...rest } = move;
  const of = { ...rest, step: node.key, n: node.n };
  const none = { used: { ms: 0 }, evidence: [] };
  switch (move.do) {
    case "begin": {
      const { model, allowance, attempt } = move;
      const agent = model ? { model, session: `s${attempt}` } : {};
      const ceiling = allowance.usd === null ? {} : { ceiling: allowance.usd };
      return { do: what, step: node.key, n: node.n, attempt, ...agent, ...ceiling };
    }
    case "gate":
      return { do: what, ...of, ...none };
    case "answer":
      if (move.by.is === "approve") return { do: "done", ...of, ...none, approval: move.by.rid };
      return { do: "fail", ...of, ...none, cause: "rejected", why: "no" };
    case "fix":
      return { do: what, ...of, exit: 0, changed, ms: 1 };
    default:
      return { do: what, ...of };
  }
}

function wordsOf(move: Move): string {
  const key = "node" in move ? ` ${move.node.key}` : "";
  if (move.do === "begin") return `begin${key}${move.model ? ` ${move.model}` : ""}`;
  if (move.do === "compensate" || move.do === "escalate") return `${move.do}${key} ${move.to}`;
  if (move.do === "end") return `end ${move.verdict}`;
  return `${move.do}${key}`;
}
