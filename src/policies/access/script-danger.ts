/** What the scripts that a command runs would destroy: judged by their text, and by whose they are. */

import type { Script } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { text } from "../../kernel/text.ts";
import { inScript } from "../with-scripts.ts";
import { type Danger, type Ground, question } from "./danger.ts";
import { fileDanger } from "./danger-files.ts";
import { destructionOf } from "./destruction.ts";

export function scriptDangers(scripts: readonly Script[], ground: Ground): Danger[] {
  const inFile: Ground = { ...ground, inFile: true };
  return scripts.flatMap((script) =>
    dangersIn(script, inFile).map((danger) => ({ ...danger, what: inScript(danger.what, script) })),
  );
}

function dangersIn({ operation, origin, text: words = "" }: Script, ground: Ground): Danger[] {
  if (!operation) return origin === "session" ? [UNREAD] : [];
  // What this session wrote is a command in another place.
  if (origin === "session")
    return isHomely(operation, words) ? certain(operation, ground) : destructionOf(operation, ground);
  return origin === "recent" ? softened(destructionOf(operation, ground)) : inProject(operation, ground);
}

/** A program that never speaks of what lies outside, nor hides what it says: what it deletes it has made itself. */
function isHomely({ shell, effects }: Operation, words: string): boolean {
  return shell !== undefined && shell.invocations.length + effects.length === 0 && !farPattern().test(words);
}

const farPattern = (): RegExp =>
  /\bHOME\b|USERPROFILE|home_?dir|expanduser|Path\.home|Dir\.home|process\.env|environ|getenv|ENV\[|argv|ARGV|~|\.\.\/|\.parent|(["'`])(?:\/|\.\.)\1|input\(|stdin|eval|exec\(|base64|b64|fromCharCode|\bchr\(|codecs|marshal|unescape|atob|Function\(/;

function certain(operation: Operation, ground: Ground): Danger[] {
  return destructionOf(operation, ground).filter(({ decision }) => decision === "deny");
}

/** A branch that was checked out, a download: nobody of this session chose the words. What it cannot know is not asked. */
function softened(dangers: readonly Danger[]): Danger[] {
  return dangers.flatMap((danger): Danger[] => {
    if (danger.floor) return [danger];
    return danger.decision === "deny" ? [{ ...danger, decision: "ask" }] : [];
  });
}

/**
 * What lay there before the session began has been run before, and holds branches that this run does not take. Only what
 * nobody's leave opens is refused, and files that are named and vital are asked about.
 */
function inProject(operation: Operation, ground: Ground): Danger[] {
  const { shell, effects } = operation;
  const commands = shell ? { ...operation, shell: { ...shell, programs: [] } } : operation;
  const programs = shell ? { ...operation, effects: [], shell: { ...shell, invocations: [], unknown: [] } } : operation;
  return [
    ...destructionOf(commands, ground).filter(({ floor }) => floor),
    ...softened(effects.filter((one) => isForeign(one, ground)).flatMap((effect) => fileDanger(effect, ground) ?? [])),
    // In another language a text that is only spoken of looks like one that runs.
    ...destructionOf(programs, ground).flatMap(({ what, fix, floor }) => (floor ? [question(what, fix)] : [])),
  ];
}

/** Named, and not something inside the project, which its own scripts know better than we do. */
function isForeign({ literal, path }: Effect, { project }: Ground): boolean {
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
