/** Commands that run a command once per item: find, xargs, parallel. */

import { argsOf, type Call, emit, type Handler, inside, SILENT } from "./shell-call.ts";
import { joined } from "./shell-elsewhere.ts";
import { fileStream } from "./shell-interpreters.ts";
import { mayBeOption, operandStart, optionValue } from "./shell-options.ts";
import { GAP, literalWord, type Stream, unknownWord, type Word } from "./shell-reading.ts";

const ITEMS_MAX = 24;

/** `find` keeps what it does itself (`-delete`); each `-exec` is read with what it found in place of `{}`. */
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

/** Words of a command that find would start are that command's. */
function insideExec(args: readonly Word[], index: number): boolean {
  const before = args.slice(0, index).map(({ text }) => text);
  const exec = before.findLastIndex((text) => /^-(?:exec|ok)(?:dir)?$/.test(text));
  return exec >= 0 && !before.slice(exec).some((text) => text === ";" || text === "+");
}

/** `fd pattern root -x command`: once per thing found, or with all of them. */
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

/** What find would hand on: its roots themselves, or something narrower below them. */
export function foundBy(args: readonly Word[]): Word[] {
  const start = args.findIndex(({ text }) => /^[-(!,]/.test(text));
  const roots = start < 0 ? args : args.slice(0, start);
  const narrowed = isNarrowed(args);
  const all = roots.length > 0 ? roots : [literalWord(".")];
  if (!narrowed) return [...all];
  const name = nameIn(args);
  return all.map((root) => below(root, name));
}

/** The pattern of a `-name` test, where there is one and it is known. */
function nameIn(args: readonly Word[]): string | undefined {
  const at = args.findIndex(
    ({ text }, index) => /^-i?name$/.test(text) && !/^(?:!|-not)$/.test(args[index - 1]?.text ?? ""),
  );
  const value = at < 0 ? undefined : args[at + 1];
  return value?.literal ? value.text : undefined;
}

/** A test that lets only some files through; `! -name x` and `-name '*'` let nearly all of them. */
function isNarrowed(args: readonly Word[]): boolean {
  return args.some(({ text }, index) => {
    if (!NARROWING.test(text) || /^(?:!|-not)$/.test(args[index - 1]?.text ?? "")) return false;
    return !/^-i?(?:name|path|wholename|regex)$/.test(text) || !/^[*.?/]*$/.test(args[index + 1]?.text ?? "");
  });
}

const NARROWING = /^-(?:i?(?:name|path|wholename|regex)|newer\w*|[acm]time|[acm]min|empty|inum|samefile)$/;

const XARGS = {
  short: "IEnPLsda",
  long: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-lines", "--max-chars", "--process-slot-var"],
};

export const xargs: Handler = (call) => {
  const args = argsOf(call);
  const start = operandStart(args, XARGS);
  const options = args.slice(0, start);
  const argv = start < args.length ? args.slice(start) : [literalWord("echo")];
  const mark = replaceMark(options);
  const file = optionValue(options, ["-a", "--arg-file"]);
  // What it takes its items from is noted as a `cat`, so that it counts as read.
  const listed = file && emit({ ...call, argv: [literalWord("cat"), file], stdin: undefined });
  const source = file ? (fileStream(call, file) ?? listed) : call.stdin;
  const inner = { stdin: undefined };
  if (mark === undefined) {
    const output = call.runner.call(inside(call, [...argv, ...itemsOf(source, /\s+/)], inner));
    // Quotes in the input keep words together: what becomes a script is also read as the whole line.
    if (source?.text !== undefined && argv.some(({ text }) => RUNS_TEXT.test(text)))
      call.runner.call(inside(call, [...argv, ...itemsOf(source, /\n/)], inner));
    return output;
  }
  let last: Stream = SILENT;
  for (const item of itemsOf(source, /\n/))
    last = call.runner.call(
      inside(
        call,
        argv.map((word) => fill(word, [mark], item)),
        inner,
      ),
    );
  return last;
};

const RUNS_TEXT = /^(?:\/(?:usr\/)?bin\/)?(?:(?:ba|z|da|k)?sh|eval)$/;

function replaceMark(options: readonly Word[]): string | undefined {
  for (const [index, { text }] of options.entries()) {
    if (text === "-I") return options[index + 1]?.text ?? "{}";
    if (text.startsWith("-I")) return text.slice(2);
    if (text === "-i" || text === "--replace") return "{}";
    if (text.startsWith("--replace=")) return text.slice("--replace=".length);
    if (/^-i./.test(text)) return text.slice(2);
  }
  return undefined;
}

export function itemsOf(stdin: Stream | undefined, separator: RegExp): Word[] {
  if (stdin?.text !== undefined) {
    const items = stdin.text.split(separator).filter((item) => item !== "");
    if (items.length <= ITEMS_MAX) return items.map((item) => literalWord(item.replace(/^(['"])(.*)\1$/, "$2")));
  }
  const source = stdin?.from[stdin.from.length - 1];
  if (source?.name === "find") return foundBy(source.args).map((word) => ({ ...word, from: stdin?.from ?? [] }));
  if (source?.name === "ls") return listedBy(source.args);
  // Names listed by these lie below the directory they ran in.
  const listed = source?.name !== undefined && /^(?:fd|fdfind|rg|grep|git)$/.test(source.name);
  if (listed) return [{ text: `./${GAP}`, literal: false, glob: false, prefix: "./", from: stdin?.from ?? [] }];
  return [unknownWord(GAP, stdin?.from)];
}

/** `ls` names everything in its directories. */
function listedBy(args: readonly Word[]): Word[] {
  const directories = args.filter(({ text }) => !text.startsWith("-"));
  const all = directories.length > 0 ? directories : [literalWord(".")];
  return all.map((word) =>
    word.glob ? word : { ...word, text: `${word.text}/*`, prefix: `${word.prefix}/*`, glob: true },
  );
}

const PARALLEL = {
  short: "jLnNIaCSPEsd",
  long: ["--jobs", "--nice", "--delay", "--timeout", "--colsep", "--results", "--joblog", "--sshlogin", "--retries"],
};

export const parallel: Handler = (call) => {
  const args = argsOf(call);
  const sources = args.findIndex(({ text }) => /^:::/.test(text));
  const head = sources < 0 ? args : args.slice(0, sources);
  const argv = head.slice(operandStart(head, PARALLEL));
  if (head.some(({ text }) => /^--(?:version|help|citation|dry-?run)$/.test(text))) return emit(call);
  const given = sources < 0 ? itemsOf(call.stdin, /\n/) : args.slice(sources).filter(({ text }) => !/^:::/.test(text));
  const items = given.length > ITEMS_MAX ? [...given.slice(0, ITEMS_MAX), unknownWord(GAP)] : given;
  for (const item of items.length > 0 ? items : [unknownWord(GAP)]) runItem(call, argv, item);
  return { text: undefined, from: call.stdin?.from ?? [] };
};

/** GNU parallel hands its words to a shell as one string, with the item quoted in it; that of moreutils does not. */
function runItem(call: Call, argv: readonly Word[], item: Word): void {
  const marked = argv.some(({ text }) => /\{[\d./#%]*\}/.test(text));
  const inner = inside(call, [], { stdin: undefined });
  const words = (word: Word) => (marked ? argv.map((each) => fill(each, MARKS, word)) : [...argv, word]);
  if (argv.length > 0) call.runner.call({ ...inner, argv: words(item) });
  // Plain words come out of a shell as they went in.
  if (argv.length === 0 || !argv.every(({ text }) => /^[\w./{}+-]*$/.test(text)))
    call.runner.child(inner, joined(words(argv.length > 0 ? quoted(item) : item)));
}

const MARKS = ["{}", "{1}", "{.}", "{/}", "{//}"];

function quoted(item: Word): Word {
  if (!item.literal || item.glob || /^[\w./~-]*$/.test(item.text)) return item;
  return literalWord(`'${item.text.replaceAll("'", `'\\''`)}'`);
}

function fill(word: Word, marks: readonly string[], item: Word): Word {
  const mark = marks.find((each) => word.text.includes(each));
  if (mark === undefined) return word;
  const text = word.text.split(mark).join(item.text);
  const literal = word.literal && item.literal;
  const before = word.prefix.split(mark)[0] ?? "";
  const from = item.from ? { from: item.from } : {};
  return { text, literal, glob: word.glob || item.glob, prefix: literal ? text : before + item.prefix, ...from };
}
