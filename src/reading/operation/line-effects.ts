/** The file effects of a whole command line: the rule of each command and its redirections, up to a limit. */

import type { Invocation, ShellReading, Word } from "../shell/parse/reading.ts";
import { ruleOf } from "./effect-rules.ts";
import { type Effect, effect, isSink, REDIRECTED } from "./effects.ts";

const EFFECTS_MAX = 400;

export interface Effects {
  readonly effects: readonly Effect[];
  /** The line has too many effects; only the first and last ones are kept. */
  readonly isCrowded: boolean;
}

export function effectsOf({ invocations }: ShellReading): Effects {
  const all: Effect[] = [];
  let count = 0;
  for (const invocation of invocations) {
    const own = effectsOfOne(invocation);
    count += own.length;
    for (const each of own.length > FEW ? once(own) : own) all.push(each);
  }
  const effects = all.length <= EFFECTS_MAX ? all : [...all.slice(0, EFFECTS_MAX / 2), ...all.slice(-EFFECTS_MAX / 2)];
  return { effects, isCrowded: count >= EFFECTS_MAX };
}

function effectsOfOne(invocation: Invocation): readonly Effect[] {
  const { name, redirects } = invocation;
  const rule = name === undefined ? undefined : ruleOf(name);
  const found = rule ? rule(invocation) : [];
  const redirected: Effect[] = [];
  for (const { kind, target } of redirects) if (!isSink(target)) redirected.push(redirection(invocation, kind, target));
  const all = redirected.length > 0 ? [...redirected, ...found] : found;
  // An empty word names no file, so the command fails on it.
  return all.some(({ spelled }) => spelled === "") ? all.filter(({ spelled }) => spelled !== "") : all;
}

function redirection(invocation: Invocation, kind: string, target: Word): Effect {
  const found = effect(invocation, kind === "read" ? "read" : "write", target);
  return invocation.name === "git" ? { ...found, by: REDIRECTED } : found;
}

const FEW = 8;

/** Removes duplicate effects of one command, because policies iterate over all of them. */
function once(effects: readonly Effect[]): readonly Effect[] {
  const seen = new Set<string>();
  return effects.filter(({ kind, literal, glob, recursive, path, spelled }) => {
    const key = [kind, literal, glob, recursive, path, spelled].join("\0");
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
