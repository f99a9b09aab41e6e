/** The table of file effects of each command, so that all policies about paths see the same effects. */

import { foundBy } from "../shell/commands/find.ts";
import { gitCommand } from "../shell/commands/git.ts";
import { cut, type Grammar, hasOption, optionValue } from "../shell/parse/options.ts";
import { type Invocation, literalWord, type Word } from "../shell/parse/reading.ts";
import { archiveRule } from "./archive-rules.ts";
import { type EffectKind, effect, isSink, operands, REDIRECTED, type Rule } from "./effects.ts";
import { readRule, sentFiles } from "./read-rules.ts";
import { sqliteRule } from "./sqlite-rules.ts";

const RECURSIVE: readonly [string, string] = ["rR", "--recursive"];

/** The same effect for every operand. */
function each(kind: EffectKind, grammar: Grammar = {}, skip = 0): Rule {
  return (invocation) => {
    const recursive = hasOption(invocation.args, ...RECURSIVE);
    return operands(invocation, grammar)
      .slice(skip)
      .map((word) => effect(invocation, kind, word, recursive));
  };
}

const deletesTree: Rule = (invocation) => operands(invocation).map((word) => effect(invocation, "delete", word, true));

/** Sources are read, or deleted when moved; the last operand or `-t` is written. */
function transfers(source: EffectKind): Rule {
  return (invocation) => {
    const words = operands(invocation, {
      short: "tSmogB",
      long: ["--target-directory", "--suffix", "--mode", "--owner"],
    });
    const directory = optionValue(invocation.args, ["-t", "--target-directory"]);
    const target = directory ?? words[words.length - 1];
    const sources = directory ? words : words.slice(0, -1);
    const recursive = hasOption(invocation.args, "rRa", "--recursive", "--archive");
    return [
      ...sources.map((word) => effect(invocation, source, word, source === "delete" || recursive)),
      ...(target ? [effect(invocation, "write", target, recursive)] : []),
    ];
  };
}

/** The mode or owner comes first, then the files. */
const permission: Rule = (invocation) => {
  const recursive = hasOption(invocation.args, "R", "--recursive");
  const referenced = invocation.args.some(({ text }) => text.startsWith("--reference"));
  // `chmod -x file`: a mode may look like an option.
  const words = invocation.args.filter(({ text }) => !text.startsWith("-") || /^-[rwxXst]+$/.test(text));
  return words.slice(referenced ? 0 : 1).map((word) => effect(invocation, "meta", word, recursive));
};

const copiesBlocks: Rule = (invocation) =>
  invocation.args.flatMap((word) => {
    if (word.prefix.startsWith("of=")) return [effect(invocation, "write", cut(word, 3))];
    return word.prefix.startsWith("if=") ? [effect(invocation, "read", cut(word, 3))] : [];
  });

const streamEditor: Rule = (invocation) => {
  const { args } = invocation;
  const words = operands(invocation, { short: "ef", long: ["--expression", "--file"] });
  const files = hasOption(args, "ef", "--expression", "--file") ? words : words.slice(1);
  const inPlace = args.some(({ text }) => /^-[a-zA-Z]*i|^--in-place/.test(text));
  // sed's `r file` reads another file.
  const taken = args.flatMap(({ text }) => /(?:^|[\s;{}/$\d])[rR]\s+([^\s;}]+)/.exec(text)?.[1] ?? []);
  return [
    ...files.map((word) => effect(invocation, inPlace ? "write" : "read", word)),
    ...taken.map((path) => effect(invocation, "read", literalWord(path))),
  ];
};

const perl: Rule = (invocation) => {
  const inPlace = invocation.args.some(({ text }) => /^-[a-zA-Z0-9]*i/.test(text) && !text.startsWith("-I"));
  return operands(invocation, { short: "eEIMm" }).map((word) => effect(invocation, inPlace ? "write" : "read", word));
};

const finds: Rule = (invocation) => {
  const { args } = invocation;
  const output = args.flatMap(({ text }, index) => (/^-fprint/.test(text) ? args.slice(index + 1, index + 2) : []));
  const deletes = args.some(({ text }) => text === "-delete");
  const roots = foundBy(args).map((word) => effect(invocation, deletes ? "delete" : "read", word, true));
  return [...roots, ...output.map((word) => effect(invocation, "write", word))];
};

/** Tools that edit their operands only with an option. */
function inPlace(told: RegExp, skip: number, grammar: Grammar = {}): Rule {
  return (invocation) =>
    invocation.args.some(({ text }) => told.test(text))
      ? operands(invocation, grammar)
          .slice(skip)
          .map((word) => effect(invocation, "write", word))
      : [];
}

function output(...names: readonly string[]): Rule {
  return (invocation) => {
    const value = optionValue(invocation.args, names);
    return value && !isSink(value) ? [effect(invocation, "write", value)] : [];
  };
}

const git: Rule = (invocation) => {
  const written = gitOutput(invocation).map((word) => ({ ...effect(invocation, "write", word), by: REDIRECTED }));
  const own = gitFiles(invocation);
  return written.length > 0 ? [...own, ...written] : own;
};

/** `git log --output=a.ts` writes what any redirection would. */
function gitOutput({ args: all }: Invocation): readonly Word[] {
  const { verb, args } = gitCommand(all);
  const short = verb === "archive" || verb === "format-patch" ? ["-o", "--output-directory"] : [];
  const value = optionValue(args, ["--output", ...short]);
  return value && !isSink(value) ? [value] : [];
}

const gitFiles: Rule = (invocation) => {
  const { verb, args } = gitCommand(invocation.args);
  const words = args.filter(({ text }) => !text.startsWith("-"));
  const dashes = args.findIndex(({ text }) => text === "--");
  if (verb === "rm" || verb === "mv") {
    const recursive = hasOption(args, "r");
    return words.map((word) =>
      effect(invocation, args.some(({ text }) => text === "--cached") ? "meta" : "delete", word, recursive),
    );
  }
  if (verb === "restore") return words.map((word) => effect(invocation, "write", word, true));
  if (verb === "checkout" && dashes >= 0)
    return args.slice(dashes + 1).map((word) => effect(invocation, "write", word, true));
  // Files stashed by name are removed from the work tree.
  if (verb === "stash" && words[0]?.text === "push")
    return words.slice(1).map((word) => effect(invocation, "write", word, true));
  if (verb === "clean")
    return hasOption(args, "n", "--dry-run") ? [] : [effect(invocation, "delete", words[0] ?? literalWord("."), true)];
  return verb === "apply" || verb === "am" || (verb === "reset" && args.some(({ text }) => text === "--hard"))
    ? [effect(invocation, "write", literalWord("."), true)]
    : [];
};

const downloads: Rule = (invocation) => {
  const { args } = invocation;
  const named = optionValue(args, ["-o", "--output"]);
  const remote = args.some(({ text }) => text === "--remote-name" || /^-[a-zA-Z]*O/.test(text));
  const sent = sentFiles(invocation);
  if (named && !isSink(named) && named.text !== "-") return [...sent, effect(invocation, "write", named)];
  return remote ? [...sent, effect(invocation, "write", literalWord("."))] : sent;
};

/** Rules for commands that do more than read come first. */
export function ruleOf(name: string): Rule | undefined {
  return placingRule(name) ?? editingRule(name) ?? archiveRule(name) ?? readRule(name);
}

/** Commands that create, move or remove files, or change their owner or mode. */
function placingRule(name: string): Rule | undefined {
  switch (name) {
    case "rm":
    case "rmdir":
    case "unlink":
    case "srm":
      return each("delete");
    case "shred":
      return each("delete", { short: "ns", long: ["--iterations", "--size"] });
    case "rimraf":
    case "del-cli":
      return deletesTree;
    case "mv":
      return transfers("delete");
    case "cp":
    case "install":
    case "ln":
    case "ditto":
      return transfers("read");
    case "tee":
    case "sponge":
      return each("write");
    case "touch":
      return each("write", { short: "drt" });
    case "mkdir":
      return each("write", { short: "mZ" });
    case "mkfifo":
      return each("write", { short: "m" });
    case "truncate":
      return each("write", { short: "sr", long: ["--size", "--reference"] });
    case "chmod":
    case "chown":
    case "chgrp":
    case "chattr":
    case "setfacl":
      return permission;
    case "dd":
      return copiesBlocks;
    case "find":
      return finds;
    case "git":
      return git;
    default:
      return undefined;
  }
}

/** Commands that change or download file contents. */
function editingRule(name: string): Rule | undefined {
  switch (name) {
    case "sed":
    case "gsed":
      return streamEditor;
    case "perl":
      return perl;
    case "zstd":
      return inPlace(/^--rm$/, 0);
    case "yq":
      return inPlace(/^(?:-\w*i\w*|--inplace|--in-place)$/, 1, { short: "opI" });
    case "sd":
      return substitutes;
    case "ruby":
      return inPlace(/^-[a-z]*i/, 0, { short: "eIrC" });
    case "gawk":
      return inPlace(/^(?:-i)?inplace$/, 1, { short: "Fvfi" });
    case "prettier":
      return inPlace(/^(?:-w|--write)$/, 0, { long: ["--config", "--parser"] });
    case "gofmt":
      return inPlace(/^-w$/, 0);
    case "sort":
      return (invocation) => [...each("read")(invocation), ...output("-o", "--output")(invocation)];
    case "curl":
      return downloads;
    case "wget":
      return (invocation) => [...sentFiles(invocation), ...output("-O", "--output-document")(invocation)];
    case "patch":
      return patches;
    case "sqlite3":
      return sqliteRule;
    case "sekisho":
      return saves;
    default:
      return undefined;
  }
}

const substitutes: Rule = (invocation) =>
  operands(invocation, { short: "nf" })
    .slice(2)
    .map((word) => effect(invocation, "write", word));

const patches: Rule = (invocation) => [
  effect(invocation, "write", operands(invocation, { short: "pidBDF" })[0] ?? literalWord(".")),
];

/** The subcommand of ours that writes a file into the project. */
const saves: Rule = (invocation) =>
  invocation.args[0]?.text === "save"
    ? [effect(invocation, "write", optionValue(invocation.args, ["--file"]) ?? literalWord("SESSION_STATE.md"))]
    : [];
