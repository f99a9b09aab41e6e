/** Commands that run a command once per item: find, xargs, parallel. */

import { argsOf, type Call, emit, type Handler, inside, SILENT } from "./shell-call.ts";
import { joined } from "./shell-elsewhere.ts";
import { operandStart, optionValue } from "./shell-options.ts";
import { literalWord, type Stream, unknownWord, type Word } from "./shell-reading.ts";

const ITEMS_MAX = 24;

/** `find` keeps what it does itself (`-delete`); each `-exec` is read with what it found in place of `{}`. */
export const find: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call);
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

/** What find would hand on: its roots themselves, or something narrower below them. */
export function foundBy(args: readonly Word[]): Word[] {
  const start = args.findIndex(({ text }) => /^[-(!,]/.test(text));
  const roots = start < 0 ? args : args.slice(0, start);
  const narrowed = isNarrowed(args);
  const all = roots.length > 0 ? roots : [literalWord(".")];
  if (!narrowed) return [...all];
  const name = nameIn(args);
  return all.map((root) => ({
    text: `${root.text}/…${name === undefined ? "" : `/${name}`}`,
    literal: false,
    glob: root.glob,
    prefix: root.literal ? `${root.text}/` : root.prefix,
  }));
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
  const items = listed ? [unknownWord("…", listed.from)] : itemsOf(call.stdin, mark === undefined ? /\s+/ : /\n/);
  const inner = { stdin: undefined };
  if (mark === undefined) return call.runner.call(inside(call, [...argv, ...items], inner));
  let last: Stream = SILENT;
  for (const item of items)
    last = call.runner.call(
      inside(
        call,
        argv.map((word) => fill(word, [mark], item)),
        inner,
      ),
    );
  return last;
};

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

function itemsOf(stdin: Stream | undefined, separator: RegExp): Word[] {
  if (stdin?.text !== undefined) {
    const items = stdin.text.split(separator).filter((item) => item !== "");
    if (items.length <= ITEMS_MAX) return items.map((item) => literalWord(item.replace(/^(['"])(.*)\1$/, "$2")));
  }
  const source = stdin?.from[stdin.from.length - 1];
  if (source?.name === "find") return foundBy(source.args).map((word) => ({ ...word, from: stdin?.from ?? [] }));
  if (source?.name === "ls") return listedBy(source.args);
  // Names listed by these lie below the directory they ran in.
  const listed = source?.name !== undefined && /^(?:fd|fdfind|rg|grep|git)$/.test(source.name);
  if (listed) return [{ text: "./…", literal: false, glob: false, prefix: "./", from: stdin?.from ?? [] }];
  return [unknownWord("…", stdin?.from)];
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
  const given = sources < 0 ? itemsOf(call.stdin, /\n/) : args.slice(sources).filter(({ text }) => !/^:::/.test(text));
  const items = given.length > ITEMS_MAX ? [...given.slice(0, ITEMS_MAX), unknownWord("…")] : given;
  if (argv.length === 0 && sources < 0 && !call.stdin) return emit(call);
  for (const item of items.length > 0 ? items : [unknownWord("…")]) runItem(call, argv, item);
  return { text: undefined, from: call.stdin?.from ?? [] };
};

/** GNU parallel hands its words to a shell as one string. */
function runItem(call: Call, argv: readonly Word[], item: Word): void {
  const marked = argv.some(({ text }) => /\{[\d./#%]*\}/.test(text));
  const words = marked ? argv.map((word) => fill(word, ["{}", "{1}", "{.}", "{/}", "{//}"], item)) : [...argv, item];
  if (argv.length === 0) call.runner.child(inside(call, [], { stdin: undefined }), joined(words));
  else call.runner.call(inside(call, words, { stdin: undefined }));
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
