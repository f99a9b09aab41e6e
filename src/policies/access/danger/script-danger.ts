/** The dangers of the scripts that a command runs, judged by their text and their origin. */

import type { Script } from "../../../kernel/facts.ts";
import { text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import { inScript } from "../../with-scripts.ts";
import { type Danger, type DangerContext, question } from "./danger.ts";
import { destructionOf } from "./destruction.ts";
import { fileDanger } from "./files.ts";

export function scriptDangers(scripts: readonly Script[], ground: DangerContext): Danger[] {
  // A script may change the work tree before its git commands run.
  const inFile: DangerContext = { ...ground, inFile: true, discarded: {} };
  return scripts.flatMap((script) =>
    // A family is accepted for commands that the person sees, not for what a script does besides.
    dangersIn(script, inFile).map(({ family: _, agreement: __, ...danger }) => ({
      ...danger,
      what: inScript(danger.what, script),
    })),
  );
}

function dangersIn({ operation, origin, text: words = "" }: Script, ground: DangerContext): Danger[] {
  if (!operation) return origin === "session" ? [UNREAD] : [];
  // A script written by this session is judged like a command.
  if (origin === "session")
    return isHomely(operation, words) ? certain(operation, ground) : destructionOf(operation, ground);
  return origin === "recent" ? softened(destructionOf(operation, ground)) : inProject(operation, ground);
}

/** A program that refers to nothing outside the project and hides nothing: it deletes only files it created. */
function isHomely({ shell, effects }: Operation, words: string): boolean {
  return shell !== undefined && shell.invocations.length + effects.length === 0 && !farPattern().test(words);
}

const farPattern = (): RegExp =>
  /\bHOME\b|USERPROFILE|home_?dir|expanduser|Path\.home|Dir\.home|process\.env|environ|getenv|ENV\[|argv|ARGV|~|\.\.\/|\.parent|(["'`])(?:\/|\.\.)\1|input\(|stdin|eval|exec\(|base64|b64|fromCharCode|\bchr\(|codecs|marshal|unescape|atob|Function\(/;

function certain(operation: Operation, ground: DangerContext): Danger[] {
  return destructionOf(operation, ground).filter(({ decision, inScripts }) => decision === "deny" || inScripts);
}

/**
 * For a checkout or a download, whose text this session did not choose: denials become questions, and questions are
 * dropped.
 */
function softened(dangers: readonly Danger[]): Danger[] {
  return dangers.flatMap((danger): Danger[] => {
    if (danger.floor || danger.inScripts) return [danger];
    return danger.decision === "deny" ? [{ ...danger, decision: "ask" }] : [];
  });
}

/**
 * A script from before the session has been run before, and contains branches that this run does not take. Only floor
 * dangers are refused, and named vital files lead to a question.
 */
function inProject(operation: Operation, ground: DangerContext): Danger[] {
  const { shell, effects } = operation;
  const commands = shell ? { ...operation, shell: { ...shell, programs: [] } } : operation;
  const programs = shell ? { ...operation, effects: [], shell: { ...shell, invocations: [], unknown: [] } } : operation;
  return [
    ...destructionOf(commands, ground).filter(({ floor }) => floor),
    ...softened(effects.filter((one) => isForeign(one, ground)).flatMap((effect) => fileDanger(effect, ground) ?? [])),
    // In other languages, text that is only mentioned looks like text that runs.
    ...destructionOf(programs, ground).flatMap(({ what, fix, floor }) => (floor ? [question(what, fix)] : [])),
  ];
}

/** A literal path outside the project; inside the project its own scripts may do as they like, except to `.git`. */
function isForeign({ literal, path }: Effect, { project }: DangerContext): boolean {
  return literal && (!path.startsWith(`${project}/`) || path === `${project}/.git`);
}

const UNREAD = question(
  text(
    "it was written in this session and is too large, or one of too many, to be read before it runs.",
    "このセッションで書かれたもので、大きすぎる、または多すぎるため、実行前に読み取れません。",
  ),
  text(
    "Run it in smaller parts (under 64 kB, a few files at a time), or let the person run it.",
    "小さく分けて (64 kB 未満、数ファイルずつ) 実行するか、利用者に実行してもらってください。",
  ),
);
