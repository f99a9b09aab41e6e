/** `find` and `fd`: the files they find, and the commands they run on them. */

import { mayBeOption } from "../parse/options.ts";
import { GAP, literalWord, type Word } from "../parse/reading.ts";
import { argsOf, emit, type Handler, inside } from "../walk/call.ts";

/** Records `find` itself (for `-delete`); each `-exec` command is read with the found paths in place of `{}`. */
export const find: Handler = (call) => {
  const args = argsOf(call);
  const open = args.find((word, index) => mayBeOption(word) && !insideExec(args, index));
  const noted = emit(call, undefined, open && { text: undefined, from: open.from ?? [] });
  const found = foundBy(args);
  for (let at = 0; at < args.length; at += 1) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(args[at]?.text ?? "")) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ";" || text === "+");
    const template = end < 0 ? rest : rest.slice(0, end);
    for (const item of found)
      call.runner.call(
        inside(
          call,
          template.map((word) => fill(word, ["{}"], item)),
          { redirects: [] },
        ),
      );
    at += template.length + 1;
  }
  return noted;
};

/** The word belongs to an `-exec` command and not to `find`. */
function insideExec(args: readonly Word[], index: number): boolean {
  const before = args.slice(0, index).map(({ text }) => text);
  const exec = before.findLastIndex((text) => /^-(?:exec|ok)(?:dir)?$/.test(text));
  return exec >= 0 && !before.slice(exec).some((text) => text === ";" || text === "+");
}

/** `fd pattern root -x command` runs once per match; `-X` runs once with all matches. */
export const fd: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call);
  const at = args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text));
  if (at < 0) return noted;
  const own = args.slice(0, at).filter(({ text }) => !text.startsWith("-"));
  const end = args.slice(at + 1).findIndex(({ text }) => text === ";");
  const template = end < 0 ? args.slice(at + 1) : args.slice(at + 1, at + 1 + end);
  const [pattern, ...roots] = own;
  const narrow = pattern !== undefined && !/^[.*]?$/.test(pattern.text);
  const found = (roots.length > 0 ? roots : [literalWord(".")]).map((root) => (narrow ? below(root) : root));
  const marked = template.some(({ text }) => text.includes("{"));
  for (const item of found) {
    const words = marked ? template.map((word) => fill(word, MARKS, item)) : [...template, item];
    call.runner.call(inside(call, words, { redirects: [] }));
  }
  return noted;
};

function below(root: Word, name?: string): Word {
  return {
    text: `${root.text}/${GAP}${name === undefined ? "" : `/${name}`}`,
    literal: false,
    glob: root.glob,
    prefix: root.literal ? `${root.text}/` : root.prefix,
  };
}

/** The paths that find passes on: its roots, or a narrower pattern below them. */
export function foundBy(args: readonly Word[]): Word[] {
  const start = args.findIndex(({ text }) => /^[-(!,]/.test(text));
  const roots = start < 0 ? args : args.slice(0, start);
  const narrowed = isNarrowed(args);
  const all = roots.length > 0 ? roots : [literalWord(".")];
  if (!narrowed) return [...all];
  const name = nameIn(args);
  return all.map((root) => below(root, name));
}

/** The pattern of a `-name` test, if it is known. */
function nameIn(args: readonly Word[]): string | undefined {
  const at = args.findIndex(
    ({ text }, index) => /^-i?name$/.test(text) && !/^(?:!|-not)$/.test(args[index - 1]?.text ?? ""),
  );
  const value = at < 0 ? undefined : args[at + 1];
  return value?.literal ? value.text : undefined;
}

/** A test that excludes files; `! -name x` and `-name '*'` exclude almost none. */
function isNarrowed(args: readonly Word[]): boolean {
  return args.some(({ text }, index) => {
    if (!NARROWING.test(text) || /^(?:!|-not)$/.test(args[index - 1]?.text ?? "")) return false;
    return !/^-i?(?:name|path|wholename|regex)$/.test(text) || !/^[*.?/]*$/.test(args[index + 1]?.text ?? "");
  });
}

const NARROWING = /^-(?:i?(?:name|path|wholename|regex)|newer\w*|[acm]time|[acm]min|empty|inum|samefile)$/;

/** Placeholders for an item. */
export const MARKS = ["{}", "{1}", "{.}", "{/}", "{//}"];

export function fill(word: Word, marks: readonly string[], item: Word): Word {
  const mark = marks.find((each) => word.text.includes(each));
  if (mark === undefined) return word;
  const text = word.text.split(mark).join(item.text);
  const literal = word.literal && item.literal;
  const before = word.prefix.split(mark)[0] ?? "";
  const from = item.from ? { from: item.from } : {};
  return { text, literal, glob: word.glob || item.glob, prefix: literal ? text : before + item.prefix, ...from };
}
