import { DOMAINS, isDomain } from "../kernel/operation-domain.ts";
import type { Rates } from "../state/trust.ts";
import { ledgerRows } from "../views/trust-domain.ts";
import { historyView } from "../views/trust-history.ts";
import { trustScores } from "../views/trust-scores.ts";
import { whatIfFrom } from "../views/what-if.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { here, orFail } from "./here.ts";
import { CommandError, say, sayJson } from "./print.ts";
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
    if (word === undefined && wishes.length > 0) throw new CommandError("--what-if is about `trust history <domain>`.");
    if (word === undefined) return showLedger(json);
    if (word !== "history") throw new CommandError(`"${word}" is not history. See \`sekisho trust --help\`.`);
    if (domain === undefined) throw new CommandError(`Give a domain, as in \`sekisho trust history ${DOMAINS[0]}\`.`);
    const whatIf = whatIfFrom(wishes);
    if ("problem" in whatIf) throw new CommandError(whatIf.problem);
    return showHistory(domain, wishes.length > 0 ? whatIf.rates : undefined, json);
  },
});

function showLedger(json: boolean): number {
  const { store, settings } = here();
  const { trust: ledger } = orFail(store.read());
  const now = Date.now();
  const rows = ledgerRows(ledger, settings.settings, now);
  if (json) sayJson(trustScores(ledger, now, settings.settings.trust));
  else if (rows.length === 0) say("No outcome has been recorded yet: trust begins with the first.");
  else {
    say(`Operations  ${ledger.operations} total`);
    say();
    printLedger(rows);
  }
  return 0;
}

function showHistory(domain: string, whatIf: Partial<Rates> | undefined, json: boolean): number {
  const { store, settings } = here();
  const { trust: ledger } = orFail(store.read());
  if (!Object.hasOwn(ledger.domains, domain) && !isDomain(domain)) {
    sayUnknownDomain(domain, json);
    return 0;
  }
  const view = historyView({
    domain,
    records: () => store.records(),
    ledger,
    now: Date.now(),
    rates: settings.settings.trust,
    ...(whatIf && { whatIf }),
  });
  if (json) sayJson(view);
  else printHistory(view);
  return 0;
}
