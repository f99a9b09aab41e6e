/** What a command line does to files. */

import { type Effect, effect, isSink } from "./operation-effect.ts";
import { RULES } from "./operation-effect-rules.ts";
import type { ShellReading } from "./shell-reading.ts";

const EFFECTS_MAX = 400;

/** True when a line touches more than anybody would look through: only both ends are kept. */
export function isCrowded(effects: readonly Effect[]): boolean {
  return effects.length >= EFFECTS_MAX;
}

export function effectsOf(reading: ShellReading): Effect[] {
  const all = everyEffect(reading);
  return all.length <= EFFECTS_MAX ? all : [...all.slice(0, EFFECTS_MAX / 2), ...all.slice(-EFFECTS_MAX / 2)];
}

function everyEffect(reading: ShellReading): Effect[] {
  return reading.invocations.flatMap((invocation) => {
    const { name, redirects } = invocation;
    const rule = name !== undefined && Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    const files = redirects.filter(({ target }) => !isSink(target));
    const redirected = files.map(({ kind, target }) => effect(invocation, kind === "read" ? "read" : "write", target));
    return rule ? [...redirected, ...rule(invocation)] : redirected;
  });
}
