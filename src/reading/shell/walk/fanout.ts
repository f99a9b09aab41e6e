/** Commands that run a command once per item: xargs, parallel. */

import { fill, foundBy, MARKS } from "../commands/find.ts";
import { fileStream } from "../commands/interpreters.ts";
import { operandStart, optionValue } from "../parse/options.ts";
import { GAP, literalWord, type Stream, unknownWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside, SILENT } from "./call.ts";
import { joined } from "./elsewhere.ts";

const ITEMS_MAX = 24;

const XARGS = {
  short: "IEnPLsda",
  long: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-lines", "--max-chars", "--process-slot-var"],
};

export const xargs: Handler = (call) => {
  const args = argsOf(call);
  const start = operandStart(args, XARGS);
  const options = args.slice(0, start);
  const argv = start < args.length ? args.slice(start) : [literalWord("echo")];
  // A replacement mark that occurs nowhere is a typo, so the items are appended as without `-I`.
  const given = replaceMark(options);
  const mark = given !== undefined && argv.some(({ text }) => text.includes(given)) ? given : undefined;
  const file = optionValue(options, ["-a", "--arg-file"]);
  // The item file is recorded as read by a `cat`.
  const listed = file && emit({ ...call, argv: [literalWord("cat"), file], stdin: undefined });
  const source = file ? (fileStream(call, file) ?? listed) : call.stdin;
  const inner = { stdin: undefined };
  if (mark === undefined) {
    const output = call.runner.call(inside(call, [...argv, ...itemsOf(source, /\s+/)], inner));
    // Quotes in the input keep words together, so the text that becomes a script is also read line by line.
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
  // These commands list names below the directory they ran in.
  const listed = source?.name !== undefined && /^(?:fd|fdfind|rg|grep|git)$/.test(source.name);
  if (listed) return [{ text: `./${GAP}`, literal: false, glob: false, prefix: "./", from: stdin?.from ?? [] }];
  return [unknownWord(GAP, stdin?.from)];
}

/** `ls` lists everything in its directories. */
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
  const sources = args.findIndex(({ text }) => text.startsWith(":::"));
  const head = sources < 0 ? args : args.slice(0, sources);
  const argv = head.slice(operandStart(head, PARALLEL));
  if (head.some(({ text }) => /^--(?:version|help|citation|dry-?run)$/.test(text))) return emit(call);
  const given =
    sources < 0 ? itemsOf(call.stdin, /\n/) : args.slice(sources).filter(({ text }) => !text.startsWith(":::"));
  const items = given.length > ITEMS_MAX ? [...given.slice(0, ITEMS_MAX), unknownWord(GAP)] : given;
  for (const item of items.length > 0 ? items : [unknownWord(GAP)]) runItem(call, argv, item);
  return { text: undefined, from: call.stdin?.from ?? [] };
};

/** GNU parallel passes its words to a shell as one string with the item quoted; the parallel of moreutils does not. */
function runItem(call: Call, argv: readonly Word[], item: Word): void {
  const marked = argv.some(({ text }) => /\{[\d./#%]*\}/.test(text));
  const inner = inside(call, [], { stdin: undefined });
  const words = (word: Word) => (marked ? argv.map((each) => fill(each, MARKS, word)) : [...argv, word]);
  if (argv.length > 0) call.runner.call({ ...inner, argv: words(item) });
  // A shell does not change plain words, so reading them a second time is unnecessary.
  if (argv.length === 0 || !argv.every(({ text }) => /^[\w./{}+-]*$/.test(text)))
    call.runner.child(inner, joined(words(argv.length > 0 ? quoted(item) : item)));
}

function quoted(item: Word): Word {
  if (!item.literal || item.glob || /^[\w./~-]*$/.test(item.text)) return item;
  return literalWord(`'${item.text.replaceAll("'", `'\\''`)}'`);
}
