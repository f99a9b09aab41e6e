/** Tells how an operation could repeat a refused effect: by its own effects, or by unread text that names the path. */

import type { Script, StandingRefusal } from "../../kernel/facts.ts";
import { wordsOf } from "../../kernel/refusal.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Tool } from "../../reading/tool.ts";
import { withTokenFrom } from "./masked-path.ts";
import { speaksOf } from "./tampering/mention.ts";
import { couldWrite } from "./tampering/own-command.ts";
import { strangerOver } from "./tampering/stranger.ts";

export interface Way {
  readonly refusal: StandingRefusal;
  /** The command or tool used this time. */
  readonly by: string;
  /** It is uncertain whether the call would really do it. */
  readonly unsure?: true;
}

export interface Attempt {
  readonly tool: Tool;
  readonly operation: Operation;
  readonly cwd: string;
  readonly targets: Readonly<Record<string, string>>;
  readonly scripts: readonly Script[];
}

export function wayAround(attempt: Attempt, refused: readonly StandingRefusal[]): Way | undefined {
  for (const kept of refused) {
    const refusal = { ...kept, what: withTokenFrom(kept.what, wordsIn(attempt)) };
    const way = refusal.kind === "run" ? runAgain(attempt, refusal) : pathAgain(attempt, refusal);
    // What is said and recorded about it stays masked.
    if (way) return { refusal: kept, ...way };
  }
  return undefined;
}

/** Everything in which a path could be spelled out. */
function wordsIn({ tool, operation, cwd, scripts }: Attempt): string {
  const said = tool.kind === "bash" ? [tool.command] : "words" in tool ? tool.words : [];
  return [cwd, ...said, ...operation.effects.map(({ path }) => path), ...scripts.map(({ text = "" }) => text)].join(
    " ",
  );
}

type Found = Omit<Way, "refusal"> | undefined;

/** The same command, inside a wrapper, a program or a script. */
function runAgain({ operation, scripts }: Attempt, { what, again }: StandingRefusal): Found {
  const inside = again && operation.shell?.invocations.find((one) => one.via.length > 0 && wordsOf(one) === what);
  if (inside) return { by: inside.via.at(-1) ?? "" };
  const program = operation.shell?.programs.find(({ text }) => text.includes(what));
  if (program) return { by: program.language };
  const script = written(scripts).find(
    ({ operation: read, text = "" }) =>
      read?.shell?.invocations.some((one) => wordsOf(one) === what) || (isProgram(read) && text.includes(what)),
  );
  return script && { by: script.spelled };
}

function pathAgain(attempt: Attempt, refusal: StandingRefusal): Found {
  const { tool, operation, targets } = attempt;
  if (tool.kind === "mcp" || tool.kind === "unknown") return byStranger(attempt, tool, refusal);
  // A visible effect is left to the policy that refused: if it passes now, this call is different.
  const seen = refusal.again && operation.effects.find((effect) => isSame(effect, targets, refusal));
  if (seen && seen.by !== refusal.by) return { by: seen.by };
  if (!operation.shell) return undefined;
  return byScript(attempt, refusal) ?? byProgram(attempt, refusal) ?? strangerOver(attempt, refusal);
}

function isSame(effect: Effect, targets: Readonly<Record<string, string>>, { kind, what }: StandingRefusal): boolean {
  if (effect.elsewhere || (targets[effect.path] ?? effect.path) !== what) return false;
  if (kind === "write") return effect.kind === "write" || effect.kind === "delete";
  return effect.kind === kind || (kind === "delete" && effect.kind === "write" && effect.invocation !== undefined);
}

/** Scripts that the session wrote or fetched. The project's own scripts may be the intended way. */
function written(scripts: readonly Script[]): readonly Script[] {
  return scripts.filter(({ origin }) => origin !== "project");
}

function byScript({ scripts }: Attempt, refusal: StandingRefusal): Found {
  const { what, kind } = refusal;
  const script = written(scripts).find(({ operation, targets = {}, text = "", by }) => {
    if (operation?.effects.some((effect) => isSame(effect, targets, refusal))) return true;
    const isHanded = by.args.some((arg) => speaksOf(arg.text, what, by.cwd));
    if (!operation) return isHanded;
    const isNamed = isHanded || speaksOf(text, what, by.cwd);
    const isDark = isProgram(operation) || (operation.shell?.unknown.length ?? 0) > 0;
    return isDark && isNamed && (!isProgram(operation) || couldDo(kind, text));
  });
  return script && { by: script.spelled };
}

/** Whether a program contains calls that could have such an effect. */
function couldDo(kind: StandingRefusal["kind"], text: string): boolean {
  return kind === "read" || (kind === "delete" ? deletesPattern().test(text) : couldWrite(text));
}

const deletesPattern = (): RegExp =>
  /\brm|unlink|remove|delete|rename|move|truncate|shutil|system|exec|spawn|popen|subprocess|`/i;

function isProgram(operation: Operation | undefined): boolean {
  return (operation?.shell?.programs.length ?? 0) > 0;
}

function byProgram({ operation, tool, cwd }: Attempt, { what, kind }: StandingRefusal): Found {
  const { programs = [], unknown = [] } = operation.shell ?? {};
  const program = programs.find(({ text, cwd: place }) => speaksOf(text, what, place) && couldDo(kind, text));
  if (program) return { by: program.language };
  const isUnread = tool.kind === "bash" && unknown.length > 0 && speaksOf(tool.command, what, cwd);
  return isUnread ? { by: unknown.join(", ") } : undefined;
}

/** For an unknown tool, only its name tells what it does. */
function byStranger(
  { cwd }: Attempt,
  { name, words }: { readonly name: string; readonly words: readonly string[] },
  { what, kind }: StandingRefusal,
): Found {
  if (!words.some((word) => speaksOf(word, what, cwd))) return undefined;
  const own = name.replace(/^mcp__.*?__/, "");
  if (changesPattern().test(own)) return { by: name };
  return looksPattern().test(own) && kind !== "read" ? undefined : { by: name, unsure: true };
}

const changesPattern = (): RegExp =>
  /write|edit|create|delete|remove|move|rename|update|patch|put|replace|append|insert|save|copy|exec|run|apply/i;
const looksPattern = (): RegExp =>
  /read|get|list|search|find|show|view|stat|info|fetch|query|open|look|grep|tree|diff|describe/i;
