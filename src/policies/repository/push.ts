/** What a `git push` would move on the remote side. */
import { gitCommand } from "../../kernel/git-command.ts";
import { gitVerb } from "../../kernel/git-site.ts";
import { hasOption, operandStart } from "../../kernel/shell-options.ts";
import type { Invocation, Word } from "../../kernel/shell-reading.ts";

export interface Push {
  /** Branches as they are called over there; `HEAD` where the line leaves it to what is checked out. */
  readonly branches: readonly string[];
  /** Every branch, or one whose name the line does not say. */
  readonly isWide: boolean;
  readonly tags: boolean;
}

const WITH_VALUE = { short: "o", long: ["--push-option", "--receive-pack", "--exec", "--repo"] };

/** Undefined for everything else, and for a trial run. */
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

/** By its full name, or because it looks like a version: whether `v1.2.0` is a tag is not on the line. */
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
