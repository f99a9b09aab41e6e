/** A person's own keywords: their phrases and their effect. */

import { MODES, type ModeName } from "../session/modes.ts";
import { type Fields, fieldsOf, oneOf, unknownKey } from "./field-problems.ts";
import { type OwnKeyword, vocabularyProblem } from "./vocabulary.ts";

export interface OwnWord extends OwnKeyword {
  /** Exactly one of these: the mode it starts, the skill it points to, or the text for the agent. */
  readonly mode?: ModeName;
  readonly skill?: string;
  readonly say?: string;
}

export const OWN_WORDS_MAX = 50;
const PHRASES_MAX = 50;
const SAID_CHARS_MAX = 350;

/** Reserved names: a keyword with one of them would start or cancel a mode that its phrases do not mention. */
const OURS: readonly string[] = ["cancel", "web-qa", ...MODES, ...MODES.map((mode) => `${mode}-mode`)];

/** Why a value is not a valid keyword, with the key; undefined when it is valid. */
export function problemInWord(value: unknown): string | undefined {
  const word = fieldsOf(value);
  if (!word) return "must be a map with name, strong or weak, and mode, skill or say";
  const { name, strong, weak, veto } = word;
  return (
    unknownKey(word, "", ["name", "strong", "weak", "veto", "mode", "skill", "say"]) ??
    (typeof name === "string" && /^[a-z][a-z0-9-]{0,39}$/.test(name)
      ? undefined
      : "name must be at most 40 small letters, digits and dashes") ??
    (OURS.includes(String(name)) ? `name must not be ${name}: that one is ours` : undefined) ??
    phrasesProblem("strong", strong) ??
    phrasesProblem("weak", weak) ??
    phrasesProblem("veto", veto) ??
    (isFilled(strong) || isFilled(weak) ? undefined : "strong or weak must have a phrase") ??
    leadProblem(word)
  );
}

/** Fills in the defaults of omitted fields. */
export function wordOf(value: unknown): OwnWord {
  const { strong = [], weak = [], veto = [], ...rest } = value as Partial<OwnWord> & { readonly name: string };
  return { strong, weak, veto, ...rest };
}

function phrasesProblem(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > PHRASES_MAX)
    return `${key} must be a list of at most ${PHRASES_MAX} phrases`;
  const [problem] = value.flatMap((phrase: unknown) => {
    const why = typeof phrase === "string" ? vocabularyProblem(phrase) : "is not a text";
    return why === undefined ? [] : [`${key}: "${String(phrase).slice(0, 40)}" ${why}`];
  });
  return problem;
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function leadProblem({ mode, skill, say }: Fields): string | undefined {
  const given = [mode, skill, say].filter((one) => one !== undefined);
  if (given.length !== 1) return "exactly one of mode, skill and say must be there";
  if (mode !== undefined) return oneOf("mode", mode, MODES);
  if (skill !== undefined)
    return typeof skill === "string" && /^[A-Za-z0-9][\w.:-]{0,79}$/.test(skill)
      ? undefined
      : "skill must be the name of a skill";
  return typeof say === "string" && say.trim() !== "" && say.length <= SAID_CHARS_MAX
    ? undefined
    : `say must be a text of at most ${SAID_CHARS_MAX} letters`;
}
