/** Prints trust on a terminal. */

import { inline } from "../lib/text.ts";
import { DOMAINS } from "../reading/operation/domain.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { Answer, DomainView, LedgerRow, TrustRow } from "../views/trust-domain.ts";
import { paint, say, sayJson, sayWords, table } from "./print.ts";

export function paintScore(score: number, words: string): string {
  if (score >= 0.7) return paint.green(words);
  return score >= 0.4 ? paint.yellow(words) : paint.red(words);
}

export function printTrustRows(rows: readonly TrustRow[]): void {
  const head = ["Domain", "", "Score", "Ops", "Status", "At medium risk"].map((cell) => paint.dim(cell));
  const body = rows.map(({ domain, bar, score, operations, status, answer }) => [
    domain,
    paintScore(score, bar),
    paintScore(score, scoreWords(score)),
    String(operations),
    status,
    paintAnswer(answer),
  ]);
  say(table([head, ...body]));
}

export function printLedger(rows: readonly LedgerRow[]): void {
  const head = ["Domain", "", "Score", "Successes", "Failures", "Last operated", ""].map((cell) => paint.dim(cell));
  const body = rows.map(({ domain, bar, score, successes, failures, lastOperated, note }) => [
    domain,
    paintScore(score, bar),
    paintScore(score, scoreWords(score)),
    String(successes),
    String(failures),
    lastOperated,
    note,
  ]);
  say(table([head, ...body]));
}

/** Five decimal places, as stored; fewer would hide the cost of a single failure. */
export function scoreWords(score: number): string {
  return score.toFixed(5);
}

export function printDomain(view: DomainView, profile: Settings["profile"]): void {
  const { low, medium, high } = view.autonomy;
  if (!view.recorded) {
    say(`Nothing has been recorded in ${view.domain} yet; until something is, it is weighed like this.`);
    say();
  }
  say(
    table([
      ["Domain", paint.bold(view.domain)],
      ["Score", `${paintScore(view.score, view.bar)}  ${paintScore(view.score, String(view.score))}`],
      ["Successes", String(view.successes)],
      ["Failures", String(view.failures)],
      ["Consecutive", String(view.consecutive_failures)],
      ["Recovering", view.is_recovering ? paint.yellow(`yes -> ${view.pre_failure_score}`) : "no"],
      ["Total", String(view.total_operations)],
      ["Last operated", view.recorded ? `${view.last_operated_at} (${view.last_operated})` : view.last_operated],
      ["Warming up", view.is_warming_up ? paint.yellow("yes") : "no"],
      ["Warm-up remaining", String(view.warmup_remaining)],
    ]),
  );
  say();
  say("Autonomy by what is at stake");
  say(
    table(
      [
        ["low", String(low.autonomy), low.decision, paintAnswer(low.answer)],
        ["medium", String(medium.autonomy), medium.decision, paintAnswer(medium.answer)],
        ["high", String(high.autonomy), high.decision, paintAnswer(high.answer)],
        ["critical", "", paint.red("blocked (always)"), ""],
      ],
      "  ",
    ),
  );
  const caution = cautionOn(view, profile);
  if (caution !== undefined) {
    say();
    sayWords(paint.yellow(caution));
  }
}

/** Autonomy alone would promise too much where the stance restricts the operation. */
function cautionOn({ domain, stance, standing, score }: DomainView, profile: Settings["profile"]): string | undefined {
  const where = `In ${stance.toUpperCase()}`;
  if (standing === "denied") return `${where} ${domain} is closed, whatever was earned.`;
  const { trust_gate_threshold: threshold, trust_gate: gate } = profile;
  if (standing === "open" || score >= threshold) return undefined;
  const what = gate === "domain" ? "everything" : "what is of high risk or cannot be read";
  return `${where} ${domain} is gated: below a score of ${threshold} a person is asked about ${what}.`;
}

function paintAnswer(answer: Answer): string {
  if (answer === "closed") return paint.red(answer);
  return answer.startsWith("asked") ? paint.yellow(answer) : paint.green(answer);
}

/** Not an error; there is just nothing to show. */
export function sayUnknownDomain(domain: string, json: boolean): void {
  if (json) sayJson({ domain, recorded: false, known: DOMAINS });
  else sayWords(`There is no domain "${inline(domain, 60)}" here. The known ones: ${DOMAINS.join(", ")}.`);
}
