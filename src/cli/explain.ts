import { here } from "../app/project.ts";
import { explanationOf } from "../app/queries/explain.ts";
import { type AuditEntry, subject } from "../views/audit.ts";
import { auditLine } from "../views/audit-line.ts";
import { type ExplainView, liftWords, type RulingView } from "../views/explain.ts";
import { isoTime } from "../views/time.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, paintDecision, say, sayJson, sayPart, sayWords, terminalColumns, wrap } from "./print.ts";

export const explain = defineCommand({
  name: "explain",
  summary: "Shows the whole trace of a verdict: what, why, and what to do instead.",
  words: "[id]",
  wordsMax: 1,
  options: {
    last: { type: "boolean", about: "the newest refusal, question or error (the default)" },
    whole: { type: "boolean", about: "with all of the tool's input, however long" },
    ...jsonOption,
  },
  run({ json, whole }, [id]) {
    const place = here();
    const view = explanationOf(place, id, { isWhole: whole === true });
    if (!view) {
      if (json) sayJson(null);
      else say("Nothing has been decided here yet.");
      return 0;
    }
    if (json) sayJson({ ...auditLine(view.entry), cwd: view.entry.cwd ?? null, rulings: view.rulings });
    else print(view);
    if (!json && whole) sayJson(view.entry.input ?? null);
    return 0;
  },
});

function print({ entry, rulings, allow }: ExplainView): void {
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
  if (allow !== undefined) say(`A person may let exactly this pass: ${allow}`);
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

function printRuling({ policy, decision, what, why, fix, fault, floor, liftedBy, released }: RulingView): void {
  const mark = decision === "pass" ? "✔" : "✖";
  const leave = liftedBy === undefined ? "" : `, ${liftWords(liftedBy)}`;
  say(
    `${paintDecision(decision, mark)} ${paint.bold(policy)}  ${paintDecision(decision)}${floor ? paint.dim(" (floor)") : ""}${leave}`,
  );
  if (released !== undefined) {
    sayPart("what", "It would have refused the end of the turn.");
    sayPart("let go", `${released[0]?.toUpperCase()}${released.slice(1)}.`);
  }
  if (what !== undefined) sayPart("what", what);
  if (decision !== "pass" || released !== undefined) sayPart("why", why);
  if (fault !== undefined) sayPart("fault", fault);
  if (fix !== undefined) sayPart("instead", fix);
}
