/** Read effects of each command: which files it reads or uploads. */

import { names } from "../../lib/name-table.ts";
import { cut, type Grammar, hasOption, optionValue } from "../shell/parse/options.ts";
import { type Invocation, literalWord, type Word } from "../shell/parse/reading.ts";
import { type Effect, effect, operands, type Rule } from "./effects.ts";

/** Lists few option letters on purpose: reading a value as a file is harmless here, missing a file is not. */
function reads(grammar: Grammar = {}): Rule {
  return (invocation) => {
    const recursive = hasOption(invocation.args, "rR", "--recursive");
    return operands(invocation, grammar).map((word) => effect(invocation, "read", word, recursive));
  };
}

/** The first operand is the pattern or the script, unless an option already gave it. */
function afterFirst(grammar: Grammar, said: string, ...longs: readonly string[]): Rule {
  return (invocation) =>
    operands(invocation, grammar)
      .slice(hasOption(invocation.args, said, ...longs) ? 0 : 1)
      .map((word) => effect(invocation, "read", word, true));
}

const SEARCH_VALUES = [
  "--include",
  "--exclude",
  "--exclude-dir",
  "--glob",
  "--iglob",
  "--type",
  "--regexp",
  "--file",
  "--max-count",
  "--context",
];

/** A search also reads every file that its name pattern (`--include`, `--glob`) matches. */
function searches(short: string): Rule {
  const files = afterFirst({ short, long: SEARCH_VALUES }, "ef", "--regexp", "--file");
  return (invocation) => {
    const named = optionValue(invocation.args, ["--include", "-g", "--glob", "--iglob"]);
    const asked = named && !named.text.startsWith("!") ? [effect(invocation, "read", { ...named, glob: true })] : [];
    return [...files(invocation), ...asked];
  };
}

const ARCHIVE = {
  short: "fCTXx",
  long: ["--file", "--directory", "--exclude", "--files-from", "--exclude-from", "--use-compress-program"],
};

/** The files that go into an archive, relative to the directory of `-C` if there is one. */
export function sources(invocation: Invocation): Effect[] {
  const directory = optionValue(invocation.args, ["-C", "--directory"]);
  return operands(invocation, ARCHIVE).map((word) => {
    const inside = directory?.literal && word.literal && !/^[/~]/.test(word.text);
    const moved = inside
      ? { ...word, text: `${directory.text}/${word.text}`, prefix: `${directory.text}/${word.text}` }
      : word;
    return effect(invocation, "read", moved, true);
  });
}

function readsInto(grammar: Grammar, ...outputs: readonly string[]): Rule {
  return (invocation) => {
    const target = optionValue(invocation.args, outputs);
    const read = operands(invocation, grammar).map((word) => effect(invocation, "read", word));
    return target ? [...read, effect(invocation, "write", target)] : read;
  };
}

const openssl: Rule = (invocation) => {
  const source = optionValue(invocation.args, ["-in", "-kfile", "-certfile"]);
  const target = optionValue(invocation.args, ["-out"]);
  return [
    ...(source ? [effect(invocation, "read", source)] : []),
    ...(target ? [effect(invocation, "write", target)] : []),
  ];
};

const SCP = { short: "cFiJloPSDX" };
const RSYNC = {
  short: "eBfTM",
  long: [
    "--rsh",
    "--exclude",
    "--include",
    "--filter",
    "--exclude-from",
    "--include-from",
    "--files-from",
    "--password-file",
    "--log-file",
    "--chmod",
    "--chown",
    "--bwlimit",
    "--port",
  ],
};

/** All operands but the last are read; the last one is written. */
function carries(grammar: Grammar): Rule {
  return (invocation) => {
    const words = operands(invocation, grammar);
    const recursive = hasOption(invocation.args, "ra", "--recursive", "--archive");
    const target = words.at(-1);
    const moves = hasOption(invocation.args, "", "--remove-source-files", "--remove-sent-files");
    return [
      ...words.slice(0, -1).flatMap((word) => taken(invocation, word, recursive, moves)),
      ...(target ? [effect(invocation, "write", target, recursive)] : []),
    ];
  };
}

/** A source is read, and then deleted if it is moved. */
export function taken(invocation: Invocation, word: Word, recursive: boolean, moves: boolean): Effect[] {
  const read = effect(invocation, "read", word, recursive);
  return moves ? [read, effect(invocation, "delete", word, true)] : [read];
}

/** `-d @file`, `-Fname=@file`, `--data-urlencode name@file`, `-T file`, `--post-file=file`. */
export function sentFiles(invocation: Invocation): Effect[] {
  const { args } = invocation;
  const named =
    optionValue(args, ["-T", "--upload-file"]) ??
    optionValue(args, ["--post-file", "--body-file", ...(invocation.name === "wget" ? ["-i", "--input-file"] : [])]);
  const marked = args.flatMap((word, at): Word[] => {
    const encoded = ENCODED.has(args[at - 1]?.text ?? "") ? /^[\w%-]*@/ : undefined;
    const mark = (encoded ?? FILE_MARK).exec(word.literal ? word.text : word.prefix);
    return mark ? [homely(cut(word, mark[0].length))] : [];
  });
  const local = args.flatMap((word) => (word.prefix.startsWith("file://") ? [cut(word, "file://".length)] : []));
  return [...(named ? [homely(named)] : []), ...marked, ...local]
    .filter(({ text }) => text !== "-" && text !== "")
    .map((word) => effect(invocation, "read", word));
}

/** Options whose value may be `name@file`. */
const ENCODED = names("--data-urlencode --url-query --variable");
const FILE_MARK = /^(?:-\w+|--[\w-]+=)?(?:[\w.[\]-]*=)?[@<]/;

/** Drops `;type=…`, which belongs to the form field and not to the file name. */
function homely(word: Word): Word {
  const at = word.literal ? word.text.search(/;\w+=/) : -1;
  return at < 0 ? word : literalWord(word.text.slice(0, at));
}

/** For tools with subcommands: any of their words may be a file that they upload. */
const anyWord: Rule = (invocation) =>
  invocation.args.flatMap((word) => {
    const mark = /^(?:--?[\w-]+=)?(?:[\w.-]+[=:]?)?(?:@|file(?:b)?:\/\/|FILE:|OPEN:)|^--?[\w-]+=/.exec(word.prefix);
    const file = mark ? cut(word, mark[0].length) : word;
    return file.text === "" || file.text.startsWith("-") ? [] : [effect(invocation, "read", file, true)];
  });

/** Commands that read every operand. */
const READERS = names(
  "cat tac nl less more most view bat batcat ccat rev fold fmt pr paste column expand unexpand iconv zcat zless gzcat bzcat xzcat od hexdump hd xxd strings base32 base64 basenc uuencode split csplit cut uniq shuf comm cmp join diff sdiff colordiff source . sqlite3 plutil pygmentize gzip pigz bzip2 xz zstd ed ex dos2unix",
);

/** Tools with subcommands, handled by `anyWord`. */
const TAKERS = names(
  "aws gsutil gcloud az rclone gh glab mail mailx mutt swaks http https xh curlie socat lftp croc wormhole pastebinit",
);

export function readRule(name: string): Rule | undefined {
  if (READERS.has(name)) return reads();
  if (TAKERS.has(name)) return anyWord;
  switch (name) {
    case "head":
    case "tail":
      return reads({ short: "nc", long: ["--lines", "--bytes"] });
    case "grep":
    case "egrep":
    case "fgrep":
    case "zgrep":
    case "pcregrep":
      return searches("efmABCdD");
    case "rg":
    case "ugrep":
    case "ag":
    case "ack":
      return searches("efmABCgtTjMr");
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return afterFirst({ short: "Fvfi" }, "f", "--file");
    case "jq":
    case "yq":
    case "gojq":
    case "xmllint":
      return afterFirst({}, "f", "--from-file");
    case "gpg":
      return readsInto(GPG, "-o", "--output");
    case "age":
      return readsInto({ short: "oriR", long: ["--output", "--recipient", "--identity"] }, "-o", "--output");
    case "openssl":
      return openssl;
    case "scp":
      return carries(SCP);
    case "rsync":
      return carries(RSYNC);
    default:
      return undefined;
  }
}

const GPG = { short: "ruo", long: ["--recipient", "--output", "--local-user", "--passphrase"] };
