import { policies } from "../policies/index.ts";
import { auditLine, auditView } from "../views/audit.ts";
import { type ExplainView, explainView, findEntry, lastEntry, type RulingView } from "../views/explain.ts";
import { isoTime } from "../views/time.ts";
import { subject } from "./audit.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { here, orFail } from "./here.ts";
import { CommandError, paint, paintDecision, say, sayJson, terminalColumns, wrap } from "./print.ts";

export const explain = defineCommand({
  name: "explain",
  summary: "Shows the whole trace of a verdict: what, why, and what to do instead.",
  words: "[id]",
  wordsMax: 1,
  options: { last: { type: "boolean", about: "the newest refusal, question or error (the default)" }, ...jsonOption },
  run({ json }, [id]) {
    const { store, language } = here();
    orFail(store.read());
    const entries = auditView(store.records(), { kind: "all" });
    const found = id === undefined ? (lastEntry(entries) ?? "none") : findEntry(entries, id);
    if (found === "several") throw new CommandError(`More than one verdict begins with "${id}". Give more of the id.`);
    if (found === "none" && id === undefined) {
      if (json) sayJson(null);
      else say("Nothing has been decided here yet.");
      return 0;
    }
    if (found === "none") throw new CommandError(`No verdict "${id}" in this project's journal.`);
    const view = explainView(found, policies, language);
    if (json) sayJson({ ...auditLine(view.entry), cwd: view.entry.cwd ?? null, rulings: view.rulings });
    else print(view);
    return 0;
  },
});

function print({ entry, rulings }: ExplainView): void {
  const verdict = entry.decision ? paintDecision(entry.decision, entry.decision.toUpperCase()) : paint.red("ERROR");
  say(`${verdict}  ${entry.event}  ${isoTime(entry.at)}  ${paint.dim(entry.id)}`);
  say(`  ${wrap(subject(entry), terminalColumns(), "  ")}`);
  const who = entry.agent ? `subagent ${entry.agent.type || "internal"} ${entry.agent.id}` : "main agent";
  say(
    paint.dim(
      `  ${who}, session ${entry.session}${entry.cwd ? `, in ${entry.cwd}` : ""}${entry.unbound ? ", NOT from the client's own process" : ""}`,
    ),
  );
  if (entry.operation)
    say(
      paint.dim(`  seen as ${entry.operation.class}, domain ${entry.operation.domain}, risk ${entry.operation.risk}`),
    );
  say();
  if (rulings.length === 0 && entry.decision === "pass") say("Every policy that was asked let it pass.");
  for (const ruling of rulings) printRuling(ruling);
  if (entry.detail) say(wrap(entry.detail, terminalColumns()));
  if (entry.outcome) say(`Outcome: ${entry.outcome}`);
}

function printRuling({ policy, decision, what, why, fix, fault }: RulingView): void {
  const mark = decision === "pass" ? "✔" : "✖";
  say(`${paintDecision(decision, mark)} ${paint.bold(policy)}  ${paintDecision(decision)}`);
  const line = (label: string, words: string): void =>
    say(`    ${label.padEnd(8)}${wrap(words, terminalColumns(), " ".repeat(12))}`);
  if (what !== undefined) line("what", what);
  if (decision !== "pass") line("why", why);
  if (fault !== undefined) line("fault", fault);
  if (fix !== undefined) line("instead", fix);
}
