/** Tools whose verbs say what is lost: one line of words and options per danger, matched against the words of a command. */

import { names } from "../../kernel/name-table.ts";
import type { Invocation, Stream, Word } from "../../kernel/shell-reading.ts";

/**
 * `s3 rm --recursive`: sub-commands from the first on, then options that must all be there. `a|b` is either, `x*` and
 * `*x` a beginning or an end, `**` one or more words, and `=x` an operand with these letters in it, anywhere.
 */
export interface Verbs {
  /** Nothing brings it back. */
  readonly deny?: readonly string[];
  /** It can be made again, the tool asks by itself, or people do it every week. */
  readonly ask?: readonly string[];
  /** What looks like one of these and is none. */
  readonly pass?: readonly string[];
  /** A command that shows what would be hit, or does it in a way that can be undone. */
  readonly first: string;
  /** It asks by itself before anything is lost; whoever answers for it leaves no question. */
  readonly confirms?: true;
  /** Short options that take the next word. */
  readonly short?: string;
}

/** Options that take the next word, of any of these tools: what follows them is no verb. */
const VALUED = names(
  "--profile --region --output --query --namespace --context --kubeconfig --kube-context --cluster --user --server --as " +
    "--project --format --account --configuration --subscription --resource-group --host --config --repo --app --file " +
    "--project-name --env-file --endpoint-url --log-level --selector --cwd --dir --prefix --filter --stack --environment " +
    "--grace-period --timeout --message --hostname --header --jq --template --org --team --scope --token --port --url",
);

const TELLS = /^(?:--?dry-?run(?:=(?!none|false).*)?|--dryrun|--just-print|--simulate|--help|--what-?if)$/i;
const WORDS_MAX = 400;

/** How a tool's words are judged; undefined when they are none of its dangers. */
export function verbDecision({ args, stdin }: Invocation, verbs: Verbs): "deny" | "ask" | undefined {
  // Nobody writes this many words to such a tool.
  if (args.length > WORDS_MAX) return "ask";
  const end = args.findIndex(({ text }) => text === "--");
  const before = end < 0 ? args : args.slice(0, end);
  if (before.some(({ text }) => text.startsWith("-") && text.length > 5 && TELLS.test(text))) return undefined;
  const options = before.filter(({ text }) => text.startsWith("-")).map(({ text }) => text);
  const plain = operands(args, verbs, false);
  // An option we do not know may take the next word or not: both readings count.
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
  /** Alternatives of each sub-command. They stand first in a line, and most lines end there. */
  readonly verbs: readonly (readonly string[])[];
  /** Options and operands that must be there too. */
  readonly besides: readonly string[];
}

/** Taken apart once: the gatehouse reads the same few lines all day. */
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

/** From one verb and one word on. */
function follows(verbs: Parts["verbs"], from: number, words: readonly string[], at: number): boolean {
  const verb = verbs[from];
  if (verb === undefined) return true;
  if (verb[0] === "**") {
    return words.some((_, skipped) => skipped >= at + 1 && follows(verbs, from + 1, words, skipped));
  }
  const word = words[at];
  return word !== undefined && isOneOf(word, verb) && follows(verbs, from + 1, words, at + 1);
}

/** `ns/prod` and `pods,pvc` name their kinds as `ns` and `pods pvc` do; `destroy_all` is `destroy-all` elsewhere. */
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

/** `-v` also within `-fsv`, `--force` also as `--force=true`, and never as `--force=false`. */
function isOption(option: string, wanted: string): boolean {
  if (option === wanted) return true;
  if (/=(?:false|0|no)$/i.test(option)) return false;
  if (option.startsWith(`${wanted}=`)) return true;
  if (wanted.endsWith("*")) return option.startsWith(wanted.slice(0, -1));
  return /^-\w$/.test(wanted) && /^-[A-Za-z]{2,4}$/.test(option) && option.includes(wanted.charAt(1));
}
