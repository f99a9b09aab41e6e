/** Applies the usual filters to a known text: sed, perl, awk, grep, head. */
import { mayMatch, substituted } from "../../../lib/line-pattern.ts";
import { operands } from "../../operation/effects.ts";
import { hasOption, optionValue, optionValues } from "../parse/options.ts";
import type { Invocation, Word } from "../parse/reading.ts";
import { delimited } from "./sed.ts";
import { sedText } from "./sed-script.ts";

/** Undefined if the line does not determine the result. */
export function filteredText(invocation: Invocation, text: string): string | undefined {
  switch (invocation.name) {
    case "sed":
    case "gsed":
      return bySed(invocation, text);
    case "perl":
      return byPerl(invocation, text);
    case "awk":
    case "gawk":
    case "mawk":
      return byAwk(invocation, text);
    case "grep":
    case "egrep":
    case "fgrep":
    case "rg":
      return byGrep(invocation, text);
    case "head":
      return byHead(invocation, text);
    case "ruby":
    case "sd":
      return bySubstitution(invocation, text);
    default:
      return undefined;
  }
}

/** The files that a filter reads, if it names any. */
export function filteredFiles(invocation: Invocation): readonly Word[] {
  const { name = "", args } = invocation;
  if (name === "perl") return operands(invocation, { short: "eEIMm" });
  if (name === "head") return operands(invocation, { short: "nc", long: ["--lines", "--bytes"] });
  const isAwk = name.endsWith("awk");
  const words = operands(invocation, { short: isAwk ? "Fvfi" : "efl", long: ["--expression", "--file", "--regexp"] });
  const named = !isAwk && hasOption(args, "ef", "--expression", "--file", "--regexp");
  return named ? words : words.slice(1);
}

function bySed(invocation: Invocation, text: string): string | undefined {
  const { args } = invocation;
  const named = optionValues(args, ["-e", "--expression"]);
  const first = operands(invocation, { short: "efl", long: ["--expression", "--file"] })[0];
  const scripts = named.length > 0 ? named : first && !hasOption(args, "f", "--file") ? [first] : [];
  if (scripts.length === 0 || scripts.some(({ literal }) => !literal)) return undefined;
  const script = scripts.map((word) => word.text).join("\n");
  if (!args.some(({ text: option }) => /^-[a-zA-Z]*n[a-zA-Z]*$|^--(?:quiet|silent)$/.test(option)))
    return sedText(script, text);
  // With -n only printed lines remain.
  const [, pattern, not = ""] = /^\s*\/((?:\\.|[^/\\])+)\/\s*(!?)\s*p\s*$/.exec(script) ?? [];
  return pattern === undefined ? undefined : kept(text, pattern, not === "");
}

function byPerl({ args }: Invocation, text: string): string | undefined {
  const scripts = optionValues(args, ["-e", "-E"]);
  if (scripts.length === 0 || scripts.some(({ literal }) => !literal)) return undefined;
  const script = scripts.map((word) => word.text).join("\n");
  const isWhole = args.some(({ text: option }) => /^-[a-zA-Z]*0/.test(option));
  const lines = isWhole ? [text] : text.split("\n");
  const changes = substitutionsIn(script);
  if (changes.length > 0)
    return lines
      .map((line) => changes.reduce((so, { from, to, all }) => substituted(so, from, to, all), line))
      .join("\n");
  const [, word = "", not = "", pattern] =
    /\b(unless|if)\b\s*\(?\s*(?:\$_\s*=~\s*)?(!?)\s*m?\/((?:\\.|[^/\\])+)\//.exec(script) ?? [];
  if (pattern === undefined) return undefined;
  const prints = /\bprint\b/.test(script);
  const drops = (word === "unless") === prints ? not === "" : not !== "";
  return kept(text, pattern, !drops);
}

interface Substitution {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

function substitutionsIn(script: string): readonly Substitution[] {
  const found: Substitution[] = [];
  for (const { index, 0: start } of script.matchAll(/(?:^|[\s;{(&~])s[^\w\s]/g)) {
    const at = index + start.length;
    const open = script.charAt(at - 1);
    const close = CLOSING[open] ?? open;
    const middle = delimited(script, at, close);
    const begin = close === open ? middle : script.indexOf(open, middle) + 1;
    const end = delimited(script, begin, close);
    found.push({
      from: script.slice(at, middle - 1),
      to: script.slice(begin, end - 1),
      all: /^\w*g/.test(script.slice(end)),
    });
  }
  return found;
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "<": ">" };

function byAwk(invocation: Invocation, text: string): string | undefined {
  const program = operands(invocation, { short: "Fvfi" })[0];
  if (!program?.literal) return undefined;
  const [, not = "", pattern, next] = /^\s*(!?)\s*\/((?:\\.|[^/\\])+)\/\s*(\{\s*next\b)?/.exec(program.text) ?? [];
  return pattern === undefined ? undefined : kept(text, pattern, not === "" && next === undefined);
}

function byGrep(invocation: Invocation, text: string): string | undefined {
  const { args } = invocation;
  const named = optionValues(args, ["-e", "--regexp"]);
  const first = operands(invocation, { short: "ef", long: ["--regexp", "--file"] })[0];
  const patterns = named.length > 0 ? named : first ? [first] : [];
  if (patterns.length === 0 || patterns.some(({ literal }) => !literal)) return undefined;
  const isInverted = hasOption(args, "v", "--invert-match");
  return kept(text, patterns.map((word) => word.text).join("|"), !isInverted);
}

/** `sd a b file`, `ruby -pi -e 'gsub(/a/, "b")'`. */
function bySubstitution(invocation: Invocation, text: string): string | undefined {
  const [from, to] = invocation.name === "sd" ? sdWords(invocation) : rubyWords(invocation);
  if (from === undefined || to === undefined) return undefined;
  return text
    .split("\n")
    .map((line) => substituted(line, from, to, true))
    .join("\n");
}

function sdWords(invocation: Invocation): readonly (string | undefined)[] {
  return operands(invocation, { short: "nf" }).map((word) => (word.literal ? word.text : undefined));
}

function rubyWords({ args }: Invocation): readonly (string | undefined)[] {
  const script = optionValues(args, ["-e"])
    .map((word) => word.text)
    .join("\n");
  const [, pattern, double, single] =
    /\bg?sub!?\s*\(?\s*\/((?:\\.|[^/\\])+)\/\s*,\s*(?:"([^"]*)"|'([^']*)')/.exec(script) ?? [];
  return [pattern, double ?? single];
}

function byHead({ args }: Invocation, text: string): string | undefined {
  const short = args.map((word) => /^-(\d+)$/.exec(word.text)?.[1]).find((count) => count !== undefined);
  const count = short ?? optionValue(args, ["-n", "--lines"])?.text ?? "10";
  return /^\d+$/.test(count) && !hasOption(args, "c", "--bytes")
    ? text.split("\n").slice(0, Number(count)).join("\n")
    : undefined;
}

/** The lines that may match, or the lines that do not. */
function kept(text: string, pattern: string, matching: boolean): string {
  return text
    .split("\n")
    .filter((line) => (mayMatch(pattern, line) !== undefined) === matching)
    .join("\n");
}
