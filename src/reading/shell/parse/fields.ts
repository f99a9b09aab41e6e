/** Joins the pieces of a word and splits them into fields, as the shell does after expansion. */

import { COMMAND_MAX } from "./parse.ts";
import type { Word } from "./reading.ts";

/** A part of a word after expansion. `"$@"` yields several fields; only unquoted expansions are split. */
export interface Piece {
  readonly fields: readonly Word[];
  readonly split: boolean;
}

export function fieldsOf(pieces: readonly Piece[], separators: string): Word[] {
  const done: Word[] = [];
  let current: Word | undefined;
  const close = () => {
    if (current) done.push(current);
    current = undefined;
  };
  for (const piece of pieces) {
    if (startsApart(piece, separators)) close();
    const fields = piece.split ? piece.fields.flatMap((field) => splitField(field, separators)) : piece.fields;
    for (const [index, field] of fields.entries()) {
      if (index > 0) close();
      current = current ? join(current, field) : field;
    }
    if (endsApart(piece, separators)) close();
  }
  close();
  return done;
}

/**
 * A line can double its own words with every step; beyond this limit only the beginning of a word is kept. One
 * character more than a script may have, so that a truncated word is never read as a whole script.
 */
export const LETTERS_MAX = COMMAND_MAX + 1;

export function join(left: Word, right: Word): Word {
  // The limit is reached, so nothing of the right word would be kept.
  if (left.text.length >= LETTERS_MAX) return left.literal ? { ...left, literal: false } : left;
  const from = left.from || right.from ? { from: [...new Set([...(left.from ?? []), ...(right.from ?? [])])] } : {};
  const isLong = left.text.length + right.text.length > LETTERS_MAX;
  const prefix = left.literal ? left.prefix + right.prefix : left.prefix;
  return {
    text: (left.text + right.text).slice(0, LETTERS_MAX),
    literal: left.literal && right.literal && !isLong,
    glob: left.glob || right.glob,
    prefix: prefix.slice(0, LETTERS_MAX),
    ...from,
  };
}

function splitField(field: Word, separators: string): Word | Word[] {
  if (!field.literal) return field;
  // A shortcut for a single word, which nearly all fields are.
  if (!field.glob && separators === " \t\n" && field.text !== "" && !/[*?[ \t\n]/.test(field.text)) return field;
  const glob = field.glob || /[*?[]/.test(field.text);
  const texts: string[] = [];
  let text = "";
  for (const character of field.text) {
    if (!separators.includes(character)) text += character;
    else if (text !== "") {
      texts.push(text);
      text = "";
    }
  }
  if (text !== "") texts.push(text);
  const from = field.from && { from: field.from };
  return texts.map((each) => ({ text: each, literal: true, glob: glob && /[*?[]/.test(each), prefix: each, ...from }));
}

function startsApart(piece: Piece, separators: string): boolean {
  const text = piece.split ? piece.fields[0]?.text : undefined;
  return text !== undefined && text !== "" && separators.includes(text.charAt(0));
}

function endsApart(piece: Piece, separators: string): boolean {
  const last = piece.fields[piece.fields.length - 1];
  if (!piece.split || !last?.literal || last.text === "") return false;
  return separators.includes(last.text.charAt(last.text.length - 1));
}
