/** Draws the curve of a domain's score and marks its turning points. */
import { sparkline } from "../views/score-drawing.ts";
import { columnTime } from "../views/time.ts";
import type { HistoryPoint, HistoryView } from "../views/trust-history.ts";
import { paint, say, sayWords, table, terminalColumns } from "./print.ts";
import { paintScore, scoreWords } from "./trust-print.ts";

const POINTS_SHOWN = 15;

export function printHistory(view: HistoryView): void {
  const { domain, points, complete, what_if: whatIf } = view;
  if (points.length === 0) {
    say(`Nothing has been recorded in ${domain} yet.`);
    return;
  }
  if (!complete) sayWords(paint.yellow("The oldest records are pruned: the curve begins after them, as if from new."));
  if (!whatIf) {
    say(curve(paint.bold(domain), view));
    say();
    say(table([HEAD, ...points.slice(-POINTS_SHOWN).map((point) => row(point))]));
    if (points.length > POINTS_SHOWN)
      say(paint.dim(`${points.length - POINTS_SHOWN} earlier: --json has all of them.`));
    return;
  }
  const rates = Object.entries(whatIf.rates).map(([rate, value]) => `trust.${rate}=${value}`);
  say(`${paint.bold(domain)}, what if ${rates.join(" ")}`);
  say(
    table([
      ["as it was", ...drawn(view)],
      ["what if", ...drawn(whatIf)],
    ]),
  );
  say();
  say(table([[...HEAD.slice(0, 3), paint.dim("What if"), paint.dim("Note")], ...compared(points, whatIf.points)]));
  say();
  const { difference } = whatIf;
  say(`Final difference: ${difference > 0 ? "+" : ""}${difference}`);
}

const HEAD = ["Time (UTC)", "Outcome", "Score", "Note"].map((cell) => paint.dim(cell));

type Curve = Pick<HistoryView, "points" | "score">;

function drawn({ points, score }: Curve): readonly [string, string] {
  const line = sparkline(
    points.map((point) => point.score),
    Math.max(10, terminalColumns() - 30),
  );
  return [paintScore(score, line), paintScore(score, String(score))];
}

function curve(name: string, view: Curve): string {
  return [name, ...drawn(view)].join("  ");
}

function row({ at, outcome, score, note }: HistoryPoint, other?: HistoryPoint): readonly string[] {
  return [
    columnTime(at),
    outcome === "failure" ? paint.red(outcome) : outcome,
    paintScore(score, scoreWords(score)),
    ...(other ? [paintScore(other.score, scoreWords(other.score))] : []),
    both(note, other?.note),
  ];
}

/** Shows the what-if value only where it differs. */
function both(was: string, would = ""): string {
  return [was, would === was || would === "" ? "" : `what if: ${would}`].filter(Boolean).join("; ");
}

/** Both curves have the same outcomes in the same order; only the final decay for absence may be in just one. */
function compared(was: readonly HistoryPoint[], would: readonly HistoryPoint[]): readonly (readonly string[])[] {
  const longer = Math.max(was.length, would.length);
  return Array.from({ length: longer }, (_, at) => at)
    .slice(-POINTS_SHOWN)
    .flatMap((at) => {
      const point = was[at] ?? would[at];
      const last = (points: readonly HistoryPoint[]) => points[at] ?? points.at(-1);
      return point ? [row({ ...point, score: last(was)?.score ?? point.score }, last(would))] : [];
    });
}
