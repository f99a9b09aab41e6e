/**
 * Tools whose subcommands show the danger: one line of words and options per danger, matched against the words of a
 * command.
 */

import { names } from "../../../lib/name-table.ts";
import type { Invocation, Stream, Word } from "../../../reading/shell/parse/reading.ts";

/**
 * `s3 rm --recursive`: subcommands from the first word on, then options that must all be present. `a|b` means either,
 * `x*` and `*x` a prefix or suffix, `**` one or more words, and `=x` an operand that contains x, anywhere.
 */
export interface Verbs {
  /** Cannot be undone. */
  readonly deny?: readonly string[];
  /** Can be recreated, or the tool asks itself, or people do it routinely. */
  readonly ask?: readonly string[];
  /** Looks like one of the above but is harmless. */
  readonly pass?: readonly string[];
  /** A command that shows the targets, or does the same in a way that can be undone. */
  readonly first: string;
  /** The tool asks before anything is lost; piping `yes` to it removes that question. */
  readonly confirms?: true;
  /** Short options that take the next word as a value. */
  readonly short?: string;
}

/** Options of any of these tools that take the next word as a value, which is therefore not a verb. */
const VALUED = names(
  "--profile --region --output --query --namespace --context --kubeconfig --kube-context --cluster --user --server --as " +
    "--project --format --account --configuration --subscription --resource-group --host --config --repo --app --file " +
    "--project-name --env-file --endpoint-url --log-level --selector --cwd --dir --prefix --filter --stack --environment " +
    "--grace-period --timeout --message --hostname --header --jq --template --org --team --scope --token --port --url",
);

const TELLS = /^(?:--?dry-?run(?:=(?!none|false).*)?|--dryrun|--just-print|--simulate|--help|--what-?if)$/i;
const WORDS_MAX = 400;

/** Judges the words of a tool; undefined if none of its dangers match. */
export function verbDecision({ args, stdin }: Invocation, verbs: Verbs): "deny" | "ask" | undefined {
  // No normal call has this many words.
  if (args.length > WORDS_MAX) return "ask";
  const end = args.findIndex(({ text }) => text === "--");
  const before = end < 0 ? args : args.slice(0, end);
  if (before.some(({ text }) => text.startsWith("-") && text.length > 5 && TELLS.test(text))) return undefined;
  const options = before.filter(({ text }) => text.startsWith("-")).map(({ text }) => text);
  const plain = operands(args, verbs, false);
  // An unknown option may or may not take the next word, so both readings count.
  const greedy = plain.length === args.length ? plain : operands(args, verbs, true);
  const readings = plain.length === greedy.length ? [plain] : [plain, greedy];
  const says = (lines: readonly string[] = []): boolean =>
    lines.some((line) => {
      const parts = partsOf(line);
      return readings.some((words) => matches(parts, words, options));
    });
  if (says(verbs.pass)) return undefined;
  if (says(verbs.deny)) return "deny";
  if (!says(verbs.ask)) return undefined;
  return verbs.confirms && isYes(stdin) ? "deny" : "ask";
}

/** `yes | terraform destroy`, `echo yes | …`, `… <<< y`. */
function isYes(stdin: Stream | undefined): boolean {
  return /^\s*y(?:es)?\s*$/im.test(stdin?.text ?? "") || (stdin?.from.some(({ name }) => name === "yes") ?? false);
}

interface Parts {
  /** Alternatives for each subcommand, which come first in a line. */
  readonly verbs: readonly (readonly string[])[];
  /** Options and operands that must also be present. */
  readonly besides: readonly string[];
}

/** Parsed lines are cached, because the daemon matches the same few lines all day. */
const known = new Map<string, Parts>();

function partsOf(line: string): Parts {
  const before = known.get(line);
  if (before) return before;
  const split = line.split(" ");
  const end = split.findIndex(isBeside);
  const verbs = (end < 0 ? split : split.slice(0, end)).map((verb) => verb.split("|"));
  const parts = { verbs, besides: split.filter(isBeside) };
  known.set(line, parts);
  return parts;
}

function isBeside(part: string): boolean {
  return part.startsWith("-") || part.startsWith("=");
}

function operands(args: readonly Word[], { short = "" }: Verbs, greedy: boolean): string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]?.text ?? "";
    if (!word.startsWith("-") || word === "-") words.push(word.toLowerCase());
    else if (takesNext(word, short, greedy) && !args[at + 1]?.text.startsWith("-")) at += 1;
  }
  return words;
}

function takesNext(word: string, short: string, greedy: boolean): boolean {
  if (word.includes("=") || word === "--") return false;
  if (word.startsWith("--")) return greedy || VALUED.has(word);
  return word.length === 2 ? short.includes(word.charAt(1)) : greedy && /^-[a-z]{3,}/.test(word);
}

function matches({ verbs, besides }: Parts, words: readonly string[], options: readonly string[]): boolean {
  return (
    follows(verbs, 0, words, 0) &&
    besides.every((part) =>
      part.startsWith("-")
        ? options.some((option) => part.split("|").some((each) => isOption(option, each)))
        : words.some((word) => word.includes(part.slice(1))),
    )
  );
}

/** Matches verbs from index `from` against words from index `at`. */
function follows(verbs: Parts["verbs"], from: number, words: readonly string[], at: number): boolean {
  const verb = verbs[from];
  if (verb === undefined) return true;
  if (verb[0] === "**") {
    return words.some((_, skipped) => skipped >= at + 1 && follows(verbs, from + 1, words, skipped));
  }
  const word = words[at];
  return word !== undefined && isOneOf(word, verb) && follows(verbs, from + 1, words, at + 1);
}

/** `ns/prod` and `pods,pvc` count as `ns` and as `pods`, `pvc`; `destroy_all` is `destroy-all` elsewhere. */
function isOneOf(word: string, alternatives: readonly string[]): boolean {
  const several = word.includes(",") || word.includes("/");
  if (!several) return alternatives.some((each) => isVerb(word, each));
  const found = [word, ...word.split(",").map((part) => part.split("/")[0] ?? "")];
  return found.some((name) => alternatives.some((each) => isVerb(name, each)));
}

function isVerb(name: string, verb: string): boolean {
  if (verb === "*" || verb === name) return true;
  if (verb.endsWith("*")) return name.startsWith(verb.slice(0, -1));
  return verb.startsWith("*") && name.endsWith(verb.slice(1));
}

/** `-v` also matches inside `-fsv`, `--force` also matches `--force=true` but never `--force=false`. */
function isOption(option: string, wanted: string): boolean {
  if (option === wanted) return true;
  if (/=(?:false|0|no)$/i.test(option)) return false;
  if (option.startsWith(`${wanted}=`)) return true;
  if (wanted.endsWith("*")) return option.startsWith(wanted.slice(0, -1));
  return /^-\w$/.test(wanted) && /^-[A-Za-z]{2,4}$/.test(option) && option.includes(wanted.charAt(1));
}
