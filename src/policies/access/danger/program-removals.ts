/** Calls in any language that remove a place which matters: a home, the system, the history. */

import { absolute } from "../../../lib/paths.ts";
import { text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { MARK, type Skeleton } from "../../../reading/programs/skeleton.ts";
import type { Program } from "../../../reading/shell/parse/reading.ts";
import type { Danger, DangerContext } from "./danger.ts";
import { fileDanger } from "./files.ts";

const STRING = `${MARK}(\\d+)${MARK}`;
/** Words that mean nothing else. */
const REMOVES =
  "rmdir\\w*|rm_rf!?|rm_r|rmtree|rmSync|rm|(?:remove|delete)[-_]?(?:dir|tree|all|rec|sync|file|folder|item|contents)\\w*|unlink(?:Sync)?|deltree|rename(?:sync)?|rimraf|empty[-_]?dir\\w*|shred|wipe|nuke";
/** Lists and maps have these too. */
const MAY_REMOVE = "delete|remove|del|trash|move";
const LISTS = "walk|glob|rglob|readdir\\w*|listdir|scandir|iterdir|opendir|children|entries|listFiles";

const removesPattern = (): RegExp => new RegExp(`(?<![\\w$])(?:(${REMOVES})|${MAY_REMOVE})(?![\\w$])`, "gi");
const anyRemoval = (): RegExp => new RegExp(`\\b(?:${REMOVES}|${MAY_REMOVE})\\b`, "i");
const WINDOW = 120;
const CALLS_MAX = 20;

type Source = Pick<Program, "language" | "text" | "cwd">;

export function placesRemoved(skeleton: Skeleton, program: Source, ground: DangerContext): readonly Danger[] {
  if (!anyRemoval().test(program.text)) return [];
  const code = spoken(skeleton, ground);
  const judge = (path: string): Danger | undefined => onPath(path, program, ground);
  return [...called(code, skeleton, judge), ...listed(code, skeleton, judge)];
}

/** Expressions for the home as the path that they give, and names of calls that stand in strings as code. */
function spoken({ code, strings }: Skeleton, { home }: DangerContext): string {
  const isCall = new RegExp(`^(?:${REMOVES}|${MAY_REMOVE})$`);
  return code
    .replace(new RegExp(STRING, "g"), (mark, at: string) => {
      const value = strings[Number(at)]?.text ?? "";
      return isCall.test(value) || value === "user.home" || value === "HOME" ? value : mark;
    })
    .replace(
      /(?:[\w.]*Path\.home\(\)|[\w.]*homedir\(\)|Dir\.home|System\.getProperty\(user\.home\)|(?:os\.environ|ENV|process\.env|System\.getenv|os\.getenv|getenv)(?:\.|\[|\()HOME[\])]?)/g,
      () => `${MARK}=${home}${MARK}`,
    );
}

/** A path in a removing call, or the object of one: `rmdir("/x", "s")`, `File("/x").deleteDir()`. */
function called(code: string, { strings }: Skeleton, judge: (path: string) => Danger | undefined): readonly Danger[] {
  return [...code.matchAll(removesPattern())].slice(0, CALLS_MAX).flatMap((match) => {
    const [word, sure] = match;
    const isMethod = code.charAt(match.index - 1) === ".";
    const after = statement(code.slice(match.index + word.length, match.index + WINDOW));
    const before = isMethod ? (statementEnd(code.slice(Math.max(0, match.index - WINDOW), match.index)) ?? "") : "";
    return [...pathsIn(after, strings), ...pathsIn(before, strings)].flatMap((path) => {
      const danger = judge(path);
      return danger && (sure !== undefined || (danger.floor && path !== "/")) ? [danger] : [];
    });
  });
}

function statement(code: string): string {
  return code.split(/[;\n]/, 1)[0] ?? "";
}

function statementEnd(code: string): string | undefined {
  return code.split(/[;\n]/).at(-1);
}

/** Paths that stand alone: not one that is joined with more. */
function pathsIn(code: string, strings: Skeleton["strings"]): readonly string[] {
  const mark = new RegExp(`(join|resolve)?\\s*\\(?\\s*${MARK}(?:(\\d+)|=([^${MARK}]*))${MARK}(?=(.{0,12}))`, "gs");
  return [...code.matchAll(mark)].flatMap(([, joins, at, place, after = ""]) => {
    const path = place ?? strings[Number(at)]?.text ?? "";
    const isJoined =
      joins !== undefined ||
      new RegExp(`^\\s*(?:\\+|/\\s*${MARK}|\\.(?!\\s*delete|\\s*remove|\\s*unlink|\\s*rm)|,\\s*${MARK}=?/)`).test(
        after,
      );
    return !isJoined && /^(?:\/|~|\$HOME|\.git(?:\/|$))/.test(path) ? [path] : [];
  });
}

/** Every file in a place: `for f in walk("/x"): unlink(f)`. */
function listed(code: string, { strings }: Skeleton, judge: (path: string) => Danger | undefined): readonly Danger[] {
  const lists = new RegExp(`\\b(?:${LISTS})\\s*[(]\\s*${MARK}(?:(\\d+)|=([^${MARK}]*))${MARK}\\s*[,)]`, "g");
  return [...code.matchAll(lists)].flatMap(([, at, place]) => {
    const danger = judge(place ?? strings[Number(at)]?.text ?? "");
    return danger ? [{ ...danger, decision: "ask" as const }] : [];
  });
}

function onPath(spelled: string, program: Source, ground: DangerContext): Danger | undefined {
  const path = absolute(spelled.replace(/^(?:~|\$HOME)(?=\/|$)/, ground.home), program.cwd ?? ground.cwd) ?? spelled;
  const glob = /[*?]/.test(path);
  const effect: Effect = {
    kind: "delete",
    path,
    spelled: path,
    by: program.language,
    literal: true,
    glob,
    recursive: true,
    elsewhere: false,
  };
  const danger = fileDanger(effect, ground);
  if (danger?.decision !== "deny") return undefined;
  return {
    ...danger,
    what: text(
      `In the ${program.language} program: ${danger.what.en}`,
      `${program.language} のプログラム: ${danger.what.ja}`,
    ),
  };
}
