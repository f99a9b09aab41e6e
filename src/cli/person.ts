/** Asks for the passphrase of a command that grants something or removes protection. */

import { admit, type Demand } from "../app/admission.ts";
import type { Person } from "../app/person.ts";
import { Problem } from "../app/problem.ts";
import { languageOf, text } from "../lib/text.ts";
import { askHidden, firstLineOfInput, hasTerminal } from "./tty.ts";

/** `fromInput`: the passphrase is the first line of standard input, and nobody is asked. */
export function letIn(demand: Demand, fromInput: boolean): Promise<Person> {
  return admit(demand, {
    isPossible: () => fromInput || hasTerminal(),
    ask: async () => (fromInput ? firstLineOfInput() : askOnTerminal(demand.verb)),
  });
}

async function askOnTerminal(verb: string): Promise<string> {
  const language = languageOf("auto", process.env);
  const typed = await askHidden(text(`Passphrase for sekisho ${verb}: `, `sekisho ${verb} のパスフレーズ: `)[language]);
  if (typed === null) throw new Problem("Nothing was changed.");
  if (typed !== undefined) return typed;
  throw new Problem(
    `sekisho ${verb} asks for your passphrase, and there is no terminal to ask on.\n` +
      "Run it in a terminal, or give --passphrase-stdin and write the passphrase to its standard input.",
  );
}
