/** The branches and tags that a `git push` changes on the remote. */
import { hasOption, operandStart } from "../shell/parse/options.ts";
import type { Invocation, Word } from "../shell/parse/reading.ts";
import { gitCommand } from "./git-command.ts";
import { gitVerb } from "./git-site.ts";

export interface Push {
  /** Branch names on the remote; `HEAD` where the command pushes the current branch. */
  readonly branches: readonly string[];
  /** It names no branch, so the repository's settings decide which one. */
  readonly isBare: boolean;
  /** The remote, if it is named. */
  readonly remote?: string;
  /** Every branch, or one that the command does not name. */
  readonly isWide: boolean;
  readonly tags: boolean;
}

const WITH_VALUE = { short: "o", long: ["--push-option", "--receive-pack", "--exec", "--repo"] };

/** Undefined for other commands and for a dry run. */
export function pushOf(invocation: Invocation): Push | undefined {
  if (gitVerb(invocation) !== "push") return undefined;
  const { args } = gitCommand(invocation.args);
  if (hasOption(args, "n", "--dry-run")) return undefined;
  const has = (...names: readonly string[]): boolean => args.some(({ text }) => names.includes(text));
  const [remote, ...refs] = operandsOf(args);
  const targets = refs.map(({ text }) => text.replace(/^\+/, "").replace(/^[^:]*:(?=.)/, ""));
  const named = targets.filter((target) => !isTag(target)).map((target) => target.replace(/^refs\/heads\//, ""));
  return {
    branches: refs.length === 0 && !has("--tags") ? ["HEAD"] : named,
    isBare: refs.length === 0,
    ...(remote?.literal && { remote: remote.text }),
    isWide: has("--all", "--mirror", "--branches") || refs.some(({ literal }) => !literal),
    tags: has("--tags", "--follow-tags", "--mirror") || targets.some(isTag) || targets.includes("tag"),
  };
}

/** By its full name, or because it looks like a version: the command does not say whether `v1.2.0` is a tag. */
function isTag(target: string): boolean {
  return target.startsWith("refs/tags/") || /^v?\d+\.\d+(?:\.\d+)?(?:[-+.][\w.]+)?$/.test(target);
}

function operandsOf(args: readonly Word[]): readonly Word[] {
  const found: Word[] = [];
  for (let at = operandStart(args, WITH_VALUE); at < args.length; at = operandStart(args, WITH_VALUE, at + 1)) {
    const word = args[at];
    if (word) found.push(word);
  }
  return found;
}

/** The branch that a command makes or switches to; for a switch the word may also be a file or a commit. */
export function branchAfter(invocation: Invocation): { readonly name: string; readonly isMade: boolean } | undefined {
  const verb = gitVerb(invocation);
  if (verb !== "checkout" && verb !== "switch") return undefined;
  const { args } = gitCommand(invocation.args);
  const option = args.findIndex(({ text }) => /^(?:-[bBcC]|--create|--force-create|--orphan)$/.test(text));
  const named = option < 0 ? args.find(({ text }) => !text.startsWith("-")) : args[option + 1];
  return named?.literal ? { name: named.text, isMade: option >= 0 } : undefined;
}
