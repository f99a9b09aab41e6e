/** The branches and tags that a `git push` changes on the remote. */
import { gitCommand } from "../../reading/operation/git-command.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import { hasOption, operandStart } from "../../reading/shell/parse/options.ts";
import type { Invocation, Word } from "../../reading/shell/parse/reading.ts";

export interface Push {
  /** Branch names on the remote; `HEAD` where the command pushes the current branch. */
  readonly branches: readonly string[];
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
  const refs = operandsOf(args).slice(1);
  const targets = refs.map(({ text }) => text.replace(/^\+/, "").replace(/^[^:]*:(?=.)/, ""));
  const named = targets.filter((target) => !isTag(target)).map((target) => target.replace(/^refs\/heads\//, ""));
  return {
    branches: refs.length === 0 && !has("--tags") ? ["HEAD"] : named,
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
