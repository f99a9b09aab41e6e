/** Code inside an option, an operand or the input of a command. */

import { type Carrier, carriersOf } from "../../programs/carriers.ts";
import { keep } from "../commands/interpreters.ts";
import { cut, optionValues } from "../parse/options.ts";
import { literalWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, inside } from "./call.ts";
import { REMOTE } from "./elsewhere.ts";

/** Reads the code that a command runs besides its own work. */
export function runCarried(name: string, call: Call): void {
  for (const carrier of carriersOf(name)) {
    // A command among the lines of the input has another input.
    const given = carrier.places.includes("<") ? { stdin: undefined } : {};
    for (const code of codeIn(carrier, call)) {
      if (carrier.language === "shell") call.runner.child(inside(call, [], given), code);
      else if (carrier.language === "remote") call.runner.child(inside(call, [], REMOTE), code);
      else keep(call, carrier.language, code);
    }
  }
}

function codeIn({ places, lead }: Carrier, call: Call): Word[] {
  const args = argsOf(call);
  const candidates = places.flatMap((place) => wordsAt(place, args, call));
  return lead ? candidates.flatMap((word) => behind(word, lead)) : candidates;
}

function wordsAt(place: string, args: readonly Word[], { stdin }: Call): readonly Word[] {
  if (place === "*") return args;
  if (place === "<") return stdin?.text?.split("\n").slice(0, LINES_MAX).map(literalWord) ?? [];
  if (place === "<<") return stdin?.text === undefined ? [] : [literalWord(stdin.text)];
  if (!place.startsWith("@")) return optionValues(args, [place]);
  const at = args.findIndex(({ text }) => text === place.slice(1));
  return at < 0 ? [] : args.slice(at + 1, at + 2);
}

const LINES_MAX = 100;

/** A call in another language ends with a quote and a bracket, which do not belong to the command. */
function behind(word: Word, lead: NonNullable<Carrier["lead"]>): Word[] {
  if (typeof lead === "string") return word.prefix.startsWith(lead) ? [cut(word, lead.length)] : [];
  const match = lead().exec(word.prefix);
  if (!match) return [];
  const rest = cut(word, match[0].length);
  const quote = /["']$/.exec(match[0])?.[0];
  if (quote === undefined || !rest.literal) return [rest];
  const end = rest.text.indexOf(quote);
  return [literalWord(end < 0 ? rest.text : rest.text.slice(0, end))];
}
