/** The records of a run as its runner writes them. When another runner has taken over, nothing more is written. */
import { own } from "../../lib/keyed.ts";
import { maskText } from "../../lib/secrets.ts";
import { clip } from "../../lib/text.ts";
import type { Approvals } from "../../state/runs/approvals.ts";
import type { RunRecord } from "../../state/runs/records.ts";
import type { Run } from "../../state/runs/run.ts";
import { isAlive, isOfThisBoot, processAt } from "../../world/machine/caller.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";

export interface Book {
  readonly run: Run;
  readonly approvals: Approvals | undefined;
  /** Flushed before it returns. */
  write(record: Unsaid): void;
  /** What others have written meanwhile. */
  look(): void;
}

/** A record without what the book adds. */
export type Unsaid = RunRecord extends infer One
  ? One extends RunRecord
    ? Omit<One, "kind" | "run" | "token">
    : never
  : never;

export class LostRun extends Problem {}

export function runNamed({ store }: Pick<Here, "store">, given: string): Run {
  const all = Object.values(orFail(store.read(["runs"])).runs);
  const found = all.filter(({ id }) => given !== "" && id.startsWith(given));
  const [run, ...others] = found;
  if (!run)
    throw new Problem(`There is no run ${JSON.stringify(given.slice(0, 40))}. \`sekisho pipeline status\` lists them.`);
  if (others.length > 0) throw new Problem(`Several runs begin with "${given}". Give more of the id.`);
  return run;
}

/** A runner that lives is never disturbed; a dead one is taken over at once. */
export function takeRun({ store }: Pick<Here, "store">, id: string): Book {
  const state = orFail(store.read(["runs"]));
  const known = own(state.runs, id);
  if (!known) throw new Problem(`There is no run ${id}.`);
  const { runner, ended } = known;
  if (ended) throw new Problem(`Run ${id} has ended (${ended.verdict}), so there is nothing to go on with.`);
  if (runner && isOfThisBoot(runner) && isAlive(runner)) {
    throw new Problem(
      `Run ${id} is being carried out by process ${runner.pid}. \`sekisho pipeline status ${id}\` shows it.`,
    );
  }
  const me = processAt(process.pid);
  const token = known.token + 1;
  let [run, approvals] = [known, state.approvals];
  const take = (after: { readonly runs: Readonly<Record<string, Run>>; readonly approvals?: Approvals }): void => {
    const now = own(after.runs, id);
    if (!now || now.token !== token || (now.runner && now.runner.pid !== me.pid)) {
      throw new LostRun(`Another runner has taken over run ${id}, so this one stops.`);
    }
    [run, approvals] = [now, after.approvals];
  };
  const append = (record: object): void => {
    const body = { kind: "run", run: id, token, ...record } as RunRecord;
    take(orFail(store.append(body, Date.now(), { durable: true, needs: ["runs"] })).after);
  };
  append({ do: "runner", process: me });
  return {
    get run() {
      return run;
    },
    get approvals() {
      return approvals;
    },
    write: append,
    look: () => take(orFail(store.read(["runs"]))),
  };
}

const WHY_CHARS = 300;

/** As a record holds it. */
export function reason(text: string): string {
  return clip(maskText(text.replace(/\s+/g, " ").trim()), WHY_CHARS);
}
