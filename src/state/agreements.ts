/**
 * What a person's yes to a question covers until the session ends. A policy names it by keys, each a kind and an object;
 * the session remembers the keys of the questions that were answered with yes.
 */
import { type Text, text } from "../lib/text.ts";
import { GIT_NO_VERIFY } from "./families.ts";

/** The checks of git hooks are skipped: whoever skips a broken hook once skips it until it is repaired. */
export const SKIPPED_HOOKS = GIT_NO_VERIFY;

/** This machine is changed. What destroys something there is asked about by another policy. */
export const changesOn = (host: string): string => `host ${host}`;

/** The model sees this file. What it has seen once is in its context for the rest of the session. */
export const showing = (file: string): string => `file ${file}`;

const KEYS_MAX = 4;
const KEY_CHARS_MAX = 200;
/** Room for the answers of a long session. */
const AGREED_MAX = 40;

/** A yes covers nothing more if it would cover too much to be read at a glance. */
export function readable(keys: readonly string[]): readonly string[] | undefined {
  const all = [...new Set(keys)];
  const isShort = all.length > 0 && all.length <= KEYS_MAX && all.every((key) => key.length <= KEY_CHARS_MAX);
  return isShort ? all : undefined;
}

/** The newest answers are kept. */
export function withAnswers(agreed: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...agreed, ...more])].slice(-AGREED_MAX);
}

/** What a key covers, for the question. */
export function agreementWords(key: string): Text {
  const at = key.indexOf(" ");
  const [kind, object] = [key.slice(0, at), key.slice(at + 1)];
  if (kind === "host") return text(`changes on ${object}`, `${object} での変更`);
  if (kind === "file") return text(`showing ${object}`, `${object} の表示`);
  return text("skipping git hooks", "git フックの省略");
}
