/** What a whole line does to files: the rule of each command, its redirections, and how much of it is kept. */
import { ruleOf } from "./operation-effect-rules.ts";
import { type Effect, effect, isSink } from "./operation-effects.ts";
import type { Invocation, ShellReading } from "./shell-reading.ts";

const EFFECTS_MAX = 400;

export interface Effects {
  readonly effects: readonly Effect[];
  /** The line touches more than anybody would look through: only both ends are kept. */
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
  for (const { kind, target } of redirects)
    if (!isSink(target)) redirected.push(effect(invocation, kind === "read" ? "read" : "write", target));
  const all = redirected.length > 0 ? [...redirected, ...found] : found;
  // An empty word names nothing: the command complains about it and does nothing.
  return all.some(({ spelled }) => spelled === "") ? all.filter(({ spelled }) => spelled !== "") : all;
}

const FEW = 8;

/** The same thing done twice by one command is done once: whoever judges goes through all of it. */
function once(effects: readonly Effect[]): readonly Effect[] {
  const seen = new Set<string>();
  return effects.filter(({ kind, literal, glob, recursive, path, spelled }) => {
    const key = [kind, literal, glob, recursive, path, spelled].join("\0");
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
