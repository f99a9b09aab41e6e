/** The losses of a shell command, judged by its words: deleted and overwritten files. */

import { names } from "../../lib/name-table.ts";
import { gitCommand } from "../shell/commands/git.ts";
import { hasOption } from "../shell/parse/options.ts";
import type { Invocation, Word } from "../shell/parse/reading.ts";
import type { Effect } from "./effects.ts";
import type { Operation } from "./operation.ts";

/** A loss in the work tree that a tool call would cause, judged by its words. */
export type Loss =
  | {
      readonly how: "delete" | "overwrite";
      /** Absolute. */
      readonly path: string;
      /** The path is a shell pattern. */
      readonly glob: boolean;
      readonly recursive: boolean;
      /** Below the path, only files with one of these names (shell patterns). */
      readonly names?: readonly string[];
      /** An editor overwrites it: only parts change. */
      readonly edits?: true;
      /** If the path is a directory: the files to be put into it, whose names there are overwritten. */
      readonly from?: readonly string[];
    }
  | {
      /** `uncommitted`: git would restore the committed version. `untracked`: git would remove untracked files. */
      readonly how: "uncommitted" | "untracked";
      readonly cwd: string;
      readonly paths: readonly string[];
      /** For untracked files: ignored files are removed too, or only ignored files are. */
      readonly ignored?: "too" | "only";
    }
  | { readonly how: "stash"; readonly cwd: string };

export function lossesOf({ shell, effects }: Operation): readonly Loss[] {
  if (!shell) return [];
  const byFiles = effects.flatMap((effect) => fileLoss(effect, effects));
  const byGit = shell.invocations.flatMap((invocation) => [...gitLoss(invocation), ...treeLoss(invocation)]);
  return [...byFiles, ...byGit];
}

function fileLoss(effect: Effect, all: readonly Effect[]): readonly Loss[] {
  if (effect.elsewhere || !effect.path.startsWith("/")) return [];
  if (effect.kind === "delete") return deletion(effect);
  return effect.kind === "write" && writesOver(effect) ? overwriting(effect, all) : [];
}

function deletion(effect: Effect): readonly Loss[] {
  const { by, invocation, recursive } = effect;
  // A moved file still exists under another name.
  if (by === "mv" && !invocation?.args.some(({ text }) => text === "/dev/null")) return [];
  if (by === "git" && gitCommand(invocation?.args ?? []).verb !== "rm") return [];
  return [{ how: "delete", recursive: recursive || isHandedOver(effect), ...placeOf(effect) }];
}

/** Paths passed on by find or xargs are anywhere below its root. */
function isHandedOver({ invocation }: Effect): boolean {
  return invocation?.via.some((name) => name === "find" || name === "xargs") ?? false;
}

/** For a partly known path, every path with the same beginning; for results of find, the names it searches. */
function placeOf(effect: Effect): {
  readonly path: string;
  readonly glob: boolean;
  readonly names?: readonly string[];
} {
  const { path, glob, literal, spelled } = effect;
  if (literal) return { path, glob };
  const found = /\/\u2026\/([^/]+)$/.exec(spelled)?.[1];
  if (found !== undefined) return { path, glob: false, names: [found] };
  if (effect.by === "find" || isHandedOver(effect)) return { path, glob: false };
  const isOpen = /\/[$`\u2026][^/]*$/.test(spelled);
  return { path: `${path}${isOpen ? "/" : ""}*`, glob: true };
}

const OVERWRITES = /^(?:cp|mv|install|ln|rsync|tee|sponge|truncate|dd|sed|gsed|perl|sort|openssl|curl|wget|patch)$/;
const EDITS = /^(?:sed|gsed|perl|sort|patch)$/;
const TRANSFERS = /^(?:cp|mv|install|ln|rsync)$/;

/** Appending to a file, creating a directory and setting a time lose nothing. */
function writesOver({ by, spelled, invocation }: Effect): boolean {
  const redirect = invocation?.redirects.find(({ kind, target }) => kind !== "read" && target.text === spelled);
  if (redirect) return redirect.kind === "write";
  const has = (...words: readonly string[]): boolean =>
    invocation?.args.some(({ text }) => words.includes(text)) ?? false;
  if (by === "tee" && has("-a", "--append")) return false;
  if ((by === "cp" || by === "mv") && has("-n", "--no-clobber")) return false;
  if (by === "ln" && !hasOption(invocation?.args ?? [], "f", "--force")) return false;
  return OVERWRITES.test(by);
}

function overwriting(effect: Effect, all: readonly Effect[]): readonly Loss[] {
  const { by, invocation, recursive, literal, path, glob } = effect;
  // A name built at run time is usually a new one.
  if (!literal) return [];
  if (by === "rsync" && invocation?.args.some(({ text }) => /^--del(?:ete.*)?$/.test(text))) {
    return [{ how: "delete", path, glob, recursive: true }];
  }
  if (!TRANSFERS.test(by))
    return [{ how: "overwrite", path, glob, recursive: false, ...(EDITS.test(by) && { edits: true }) }];
  const from = all.flatMap((one) => (one.invocation === invocation && one !== effect && one.literal ? [one.path] : []));
  return [{ how: "overwrite", path, glob, recursive, from }];
}

function gitLoss({ name, args, cwd, remote, contained }: Invocation): readonly Loss[] {
  if (name !== "git" || cwd === undefined || remote || contained) return [];
  const { verb = "", args: rest } = gitCommand(args);
  const rule = Object.hasOwn(GIT_VERBS, verb) ? GIT_VERBS[verb] : undefined;
  return rule ? rule(rest, cwd) : [];
}

/** What replaces files all over the work tree, without naming them. */
function treeLoss(invocation: Invocation): readonly Loss[] {
  const { cwd, remote, contained } = invocation;
  if (cwd === undefined || remote || contained) return [];
  if (undoesChanges(invocation) || unpacksHistory(invocation)) return uncommitted(cwd);
  return emptiesList(invocation) ? [{ how: "overwrite", path: cwd, glob: false, recursive: true }] : [];
}

/** `git diff | git apply -R`, `git diff | patch -R`: the changes in the work tree are taken back. */
export function undoesChanges({ name, args, stdin }: Invocation): boolean {
  const isReverse =
    name === "patch"
      ? hasOption(args, "R", "--reverse")
      : name === "git" && gitCommand(args).verb === "apply" && hasOption(gitCommand(args).args, "R", "--reverse");
  return isReverse && (stdin?.from.some((one) => one.name === "git" && gitCommand(one.args).verb === "diff") ?? false);
}

/** `git archive HEAD | tar x` writes the committed files over those of the work tree. */
export function unpacksHistory({ name = "", stdin, args }: Invocation): boolean {
  if (!UNPACKERS.has(name)) return false;
  const takes = !name.endsWith("tar") || args.some(({ text }) => /^-{0,2}\w*x/.test(text));
  return takes && !hasOption(args, "C", "--directory") && isFrom(stdin?.from, "archive");
}

const UNPACKERS = names("tar gtar bsdtar cpio unzip");

/** `sed -i d $(git ls-files)`, `git ls-files | xargs truncate -s 0`: every file in a list of names is emptied. */
export function emptiesList({ name = "", args, stdin, redirects }: Invocation): boolean {
  const listed = args.some(({ literal, from }) => !literal && isFrom(from, "ls-files"));
  if (!listed && !isFrom(stdin?.from, "ls-files")) return false;
  if (redirects.some(({ kind, target }) => kind === "write" && !target.literal)) return true;
  if (name === "truncate" || name === "shred") return true;
  if (!/^(?:g?sed|perl)$/.test(name) || !args.some(({ text }) => /^-\w*i/.test(text))) return false;
  return args.some(({ text }) => /^(?:(?:1,\$)?d|)$/.test(text));
}

function isFrom(from: readonly Invocation[] | undefined, verb: string): boolean {
  return from?.some((one) => one.name === "git" && gitCommand(one.args).verb === verb) ?? false;
}

type GitRule = (args: readonly Word[], cwd: string) => readonly Loss[];

const checkout: GitRule = (args, cwd) => {
  if (args.some(({ text }) => /^(?:-[^-bBcC]*f|--force$|--discard-changes$)/.test(text))) return uncommitted(cwd);
  const dashes = args.findIndex(({ text }) => text === "--");
  if (dashes < 0 && hasOption(args, "bBcC", "--create", "--orphan", "--detach")) return [];
  const paths = pathsIn(dashes >= 0 ? args.slice(dashes + 1) : args);
  // The word may be a branch or a path; a path that does not exist loses nothing.
  return paths.length > 0 ? uncommitted(cwd, paths) : [];
};

const restore: GitRule = (args, cwd) => {
  const stagedOnly = hasOption(args, "S", "--staged") && !hasOption(args, "W", "--worktree");
  return stagedOnly ? [] : uncommitted(cwd, pathsIn(args));
};

const clean: GitRule = (args, cwd) => {
  if (hasOption(args, "n", "--dry-run")) return [];
  const ignored = hasOption(args, "X") ? "only" : hasOption(args, "x") ? "too" : undefined;
  return [{ how: "untracked", cwd, paths: pathsIn(args), ...(ignored && { ignored }) }];
};

const GIT_VERBS: Readonly<Record<string, GitRule>> = {
  reset: (args, cwd) => (args.some(({ text }) => /^--ha(?:r|rd)?$/.test(text)) ? uncommitted(cwd) : []),
  checkout,
  switch: (args, cwd) => (hasOption(args, "f", "--force", "--discard-changes") ? uncommitted(cwd) : []),
  restore,
  clean,
  stash: ([first], cwd) => (first?.text === "drop" || first?.text === "clear" ? [{ how: "stash", cwd }] : []),
};

function uncommitted(cwd: string, paths: readonly string[] = []): readonly Loss[] {
  return [{ how: "uncommitted", cwd, paths }];
}

/** An empty list means everywhere: no paths were given, or one is unknown. */
function pathsIn(args: readonly Word[]): readonly string[] {
  const words = args.filter(({ text }) => !text.startsWith("-"));
  return words.every(({ literal }) => literal) ? words.map(({ text }) => text) : [];
}
