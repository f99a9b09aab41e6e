/** Effect of an inline program or patch on the tests it names. */

import { substituted } from "../../lib/line-pattern.ts";
import { absolute } from "../../lib/paths.ts";
import { isPatching } from "../../reading/operation/patch-command.ts";
import { testWords } from "../../reading/operation/standing-paths.ts";
import { MARK, type Skeleton, skeletonOf } from "../../reading/programs/skeleton.ts";
import type { Invocation, Program } from "../../reading/shell/parse/reading.ts";
import {
  isTestDirectory,
  isTestPath,
  looksLikeTest,
  specimen,
  type TestChange,
  type TestContext,
} from "./test-ground.ts";

export function programChanges(program: Program, ground: TestContext): readonly TestChange[] {
  const { language, text } = program;
  // perl and awk scripts are judged together with the commands that run them.
  if (language === "perl" || language === "awk") return [];
  const cwd = program.cwd ?? ground.cwd;
  const named = testWords(text).flatMap((word): { path: string; spelled: string }[] => {
    const path = absolute(word, cwd);
    const isOurs = path !== undefined && ground.standing[path] !== undefined;
    return isOurs && (isTestPath(path, ground) || isTestDirectory(path, ground)) ? [{ path, spelled: word }] : [];
  });
  // Skip programs that do not mention tests.
  if (named.length === 0 && !/test|spec/i.test(text)) return [];
  const skeleton = skeletonOf(language, text);
  const patterns = skeleton.strings.filter(({ text: word }) => word.includes("*") && looksLikeTest(word));
  const all = [...named, ...patterns.map(({ text: word }) => ({ path: word, spelled: word }))];
  if (removing().test(skeleton.code)) return all.map((one) => ({ kind: "removed", ...one }));
  return all.flatMap((one): TestChange[] => {
    const before = one.path.includes("*") ? specimen(one.path) : ground.standing[one.path]?.text;
    const after = before === undefined ? undefined : writtenText(skeleton, before, one.spelled);
    return after === undefined ? [] : [{ kind: "written", ...one, before, after }];
  });
}

function removing(): RegExp {
  return /\bos\.(?:remove|unlink|rename|replace|truncate)\b|\.unlink\s*\(|\bshutil\.(?:rmtree|move)\b|\b(?:unlink|rm|rmdir|truncate|rename)(?:Sync)?\s*\(|\bFile\.(?:delete|unlink|truncate|rename)\b|\bFileUtils\.(?:rm|mv)\w*|\bDeno\.(?:remove|rename|truncate)\w*/;
}

/** Undefined where the program does not say what it writes. */
function writtenText({ code, strings }: Skeleton, before: string, spelled: string): string | undefined {
  if (!/\bwrite\w*\s*\(|\bwriteFile|\bFile\.write|\bopen\s*\(/.test(code)) return undefined;
  const isRead = /\.read\w*\s*\(|\breadFile|\bFile\.read|\bread_text\b|\bDeno\.read/.test(code);
  const string = (number: string | undefined): string => strings[Number(number)]?.text ?? "";
  if (isRead) {
    const swaps = [...code.matchAll(swapping())].map(([, pattern, from, to]) => ({ pattern, from, to }));
    if (swaps.length === 0) return undefined;
    return swaps.reduce((text, { pattern, from, to }) => {
      if (pattern === undefined && text.includes(string(from))) return text.split(string(from)).join(string(to));
      return text
        .split("\n")
        .map((line) => substituted(line, pattern ?? string(from), string(to), true))
        .join("\n");
    }, before);
  }
  const isWriting =
    strings.some(({ text }) => /^[rw]?[wx]b?\+?$/.test(text)) ||
    /writeFile|write_text|File\.write|writeTextFile/.test(code);
  if (!isWriting) return undefined;
  return strings
    .map(({ text }) => text)
    .filter((text) => text !== spelled && !/^(?:[rwax]b?\+?|utf-?8|(?:node:)?fs(?:\/promises)?)$/.test(text))
    .join("\n");
}

/** `.replace(a, b)`, `re.sub(a, b, …)`, `.replace(/a/g, b)`, `.gsub(/a/, b)`. */
function swapping(): RegExp {
  const string = String.raw`r?${MARK}(\d+)${MARK}`;
  return new RegExp(
    String.raw`\b(?:replace|replaceAll|sub|subn|gsub)!?\s*\(\s*(?:/((?:\\.|[^/\\\n])+)/\w*|${string})\s*,\s*${string}`,
    "g",
  );
}

/** A patch lists the lines it removes. */
export function patchChanges(invocation: Invocation, ground: TestContext): readonly TestChange[] {
  const { stdin, cwd, remote, contained } = invocation;
  if (!isPatching(invocation) || remote || contained) return [];
  const reversed = invocation.args.some(({ text }) => text === "-R" || text === "--reverse");
  return (stdin?.text ?? "").split(/^(?=--- )/m).flatMap((part): TestChange[] => {
    const [, from = "", to = ""] = /^--- (?:a\/)?([^\t\n]+)[^\n]*\n\+\+\+ (?:b\/)?([^\t\n]+)/.exec(part) ?? [];
    const spelled = (from === "/dev/null" ? to : from).trim();
    const path = absolute(spelled, cwd ?? ground.cwd);
    if (path === undefined || !isTestPath(path, ground) || ground.standing[path] === undefined) return [];
    if ((reversed ? from : to).trim() === "/dev/null") return [{ kind: "removed", path, spelled }];
    const side = (sign: string): string =>
      part
        .split("\n")
        .slice(2)
        .filter((line) => line.startsWith(sign) || line.startsWith(" "))
        .map((line) => line.slice(1))
        .join("\n");
    const [before, after] = reversed ? [side("+"), side("-")] : [side("-"), side("+")];
    return [{ kind: "written", path, spelled, before, after, part: true }];
  });
}
