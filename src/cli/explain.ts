import { here } from "../app/project.ts";
import { explanationOf } from "../app/queries/explain.ts";
import { allowCommand, HEADLESS, PAUSE } from "../kernel/lift.ts";
import { type AuditEntry, subject } from "../views/audit.ts";
import { auditLine } from "../views/audit-line.ts";
import type { ExplainView, RulingView } from "../views/explain.ts";
import { isoTime } from "../views/time.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, paintDecision, say, sayJson, sayWords, terminalColumns, wrap } from "./print.ts";

export const explain = defineCommand({
  name: "explain",
  summary: "Shows the whole trace of a verdict: what, why, and what to do instead.",
  words: "[id]",
  wordsMax: 1,
  options: { last: { type: "boolean", about: "the newest refusal, question or error (the default)" }, ...jsonOption },
  run({ json }, [id]) {
    const place = here();
    const view = explanationOf(place, id);
    if (!view) {
      if (json) sayJson(null);
      else say("Nothing has been decided here yet.");
      return 0;
    }
    if (json) sayJson({ ...auditLine(view.entry), cwd: view.entry.cwd ?? null, rulings: view.rulings });
    else print(view);
    return 0;
  },
});

function print({ entry, rulings }: ExplainView): void {
  const other = entry.kind === "action" ? paint.bold("BY A PERSON") : paint.red("ERROR");
  const verdict = entry.decision ? paintDecision(entry.decision, entry.decision.toUpperCase()) : other;
  say(`${verdict}  ${entry.event}  ${isoTime(entry.at)}  ${paint.dim(entry.id)}`);
  say(`  ${wrap(subject(entry), terminalColumns(), "  ")}`);
  // A person's action has no agent and no rulings.
  if (entry.kind === "action") return;
  const who = entry.agent ? `subagent ${entry.agent.type || "internal"} ${entry.agent.id}` : "main agent";
  sayWords(
    paint.dim(
      `  ${who}, session ${entry.session}${entry.cwd ? `, in ${entry.cwd}` : ""}${entry.unbound ? ", NOT from the client's own process" : ""}`,
    ),
    "  ",
  );
  for (const line of seenAs(entry)) sayWords(paint.dim(`  ${line}`), "  ");
  say();
  if (rulings.length === 0 && entry.decision === "pass") say("Every policy that was asked let it pass.");
  for (const ruling of rulings) printRuling(ruling);
  printEnd(entry);
}

function printEnd(entry: AuditEntry): void {
  if (entry.effect !== undefined && entry.decision === "deny")
    say(`A person may let exactly this pass: ${allowCommand(entry.id, entry.unbound)}`);
  // For a released turn the rulings already say this, and for a mode the first line does.
  if (entry.detail && entry.kind !== "released" && entry.kind !== "mode") say(wrap(entry.detail, terminalColumns()));
  if (entry.outcome) say(`Outcome: ${entry.outcome}`);
}

function seenAs({ operation, weighed }: AuditEntry): readonly string[] {
  if (!operation) return [];
  const { class: kind, domain, risk } = operation;
  const seen = `seen as ${kind}, domain ${domain}, risk ${risk}`;
  if (!weighed) return [seen];
  const { domain: other = domain, score, autonomy, grade, stance } = weighed;
  return [seen, `weighed in ${stance.toUpperCase()}: trust in ${other} ${score}, autonomy ${autonomy}, ${grade}`];
}

function liftWords(by: string): string {
  if (by === HEADLESS) return "passed because it is only about trust and nobody is there to answer (`ask.headless`)";
  return `lifted by ${by === PAUSE ? "a pause" : `allow ${by}`}`;
}

function printRuling({ policy, decision, what, why, fix, fault, floor, liftedBy, released }: RulingView): void {
  const mark = decision === "pass" ? "✔" : "✖";
  const leave = liftedBy === undefined ? "" : `, ${liftWords(liftedBy)}`;
  say(
    `${paintDecision(decision, mark)} ${paint.bold(policy)}  ${paintDecision(decision)}${floor ? paint.dim(" (floor)") : ""}${leave}`,
  );
  const line = (label: string, words: string): void =>
    say(`    ${label.padEnd(8)}${wrap(words, terminalColumns(), " ".repeat(12))}`);
  if (released !== undefined) {
    line("what", "It would have refused the end of the turn.");
    line("let go", `${released[0]?.toUpperCase()}${released.slice(1)}.`);
  }
  if (what !== undefined) line("what", what);
  if (decision !== "pass" || released !== undefined) line("why", why);
  if (fault !== undefined) line("fault", fault);
  if (fix !== undefined) line("instead", fix);
}
