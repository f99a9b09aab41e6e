/** current-phase.md, as oath-harness wrote it: one word. */
import { inline } from "../../lib/text.ts";
import { knownStance, STANCES, type Stance, stanceNamed } from "../../state/stance.ts";
import { attempt, type Reading, refuse } from "./reading.ts";

/** A longer text is a different kind of file. */
const CHARS_MAX = 64;

export function readCurrentPhase(text: string): Reading<Stance> {
  return attempt((note) => {
    const word = wordIn(text);
    if (word === "") refuse("the file", `is empty: it should hold ${WORDS}`);
    if (word.length > CHARS_MAX) refuse("the file", `holds more than a word: it should hold ${WORDS}`);
    const stance = stanceNamed(word);
    if (knownStance(word) === undefined)
      note(`"${inline(word, 40)}" is none of ${WORDS}: taken as ${stance}, the strictest`);
    return stance;
  });
}

export function looksLikeCurrentPhase(text: string): boolean {
  return knownStance(wordIn(text)) !== undefined;
}

const WORDS = STANCES.join(", ");

/** Ignores all white space. */
function wordIn(text: string): string {
  return text.replace(/\s+/g, "");
}
