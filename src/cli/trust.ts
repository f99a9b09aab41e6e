import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { trustHere, trustHistory } from "../app/queries/trust.ts";
import { DOMAINS } from "../reading/operation/domain.ts";
import type { Rates } from "../state/trust.ts";
import { whatIfFrom } from "../views/what-if.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { say, sayJson } from "./print.ts";
import { printHistory } from "./trust-history-print.ts";
import { printLedger, sayUnknownDomain } from "./trust-print.ts";

export const trust = defineCommand({
  name: "trust",
  summary: "Shows the trust that was earned, by kind of work, and how it came to be.",
  words: "[history <domain>]",
  wordsMax: 2,
  options: {
    "what-if": {
      type: "string",
      multiple: true,
      hint: "KEY=VALUE",
      about: "for history: the same outcomes at another rate (repeatable, or separated by commas)",
    },
    ...jsonOption,
  },
  examples: [
    "sekisho trust",
    "sekisho trust --json          as it stands now; `sekisho export trust-scores` is what to keep",
    "sekisho trust history shell_exec",
    "sekisho trust history shell_exec --what-if trust.failure_decay=0.7",
  ],
  run({ json = false, "what-if": wishes = [] }, [word, domain]) {
    if (word === undefined && wishes.length > 0) throw new Problem("--what-if is about `trust history <domain>`.");
    if (word === undefined) return showLedger(json);
    if (word !== "history") throw new Problem(`"${word}" is not history. See \`sekisho trust --help\`.`);
    if (domain === undefined) throw new Problem(`Give a domain, as in \`sekisho trust history ${DOMAINS[0]}\`.`);
    const whatIf = whatIfFrom(wishes);
    if ("problem" in whatIf) throw new Problem(whatIf.problem);
    return showHistory(domain, wishes.length > 0 ? whatIf.rates : undefined, json);
  },
});

function showLedger(json: boolean): number {
  const { rows, scores, operations } = trustHere(here());
  if (json) sayJson(scores);
  else if (rows.length === 0) say("No outcome has been recorded yet: trust begins with the first.");
  else {
    say(`Operations  ${operations} total`);
    say();
    printLedger(rows);
  }
  return 0;
}

function showHistory(domain: string, whatIf: Partial<Rates> | undefined, json: boolean): number {
  const view = trustHistory(here(), domain, whatIf);
  if (!view) {
    sayUnknownDomain(domain, json);
    return 0;
  }
  if (json) sayJson(view);
  else printHistory(view);
  return 0;
}
