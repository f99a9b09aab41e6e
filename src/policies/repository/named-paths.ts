/** Paths named in a command or program that would change them, and that have no effect of their own. */

import { names } from "../../lib/name-table.ts";
import { absolute, fromHome } from "../../lib/paths.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { isPatching } from "../../reading/operation/patch-command.ts";
import { skeletonOf } from "../../reading/programs/skeleton.ts";
import type { Invocation, Program, ShellReading } from "../../reading/shell/parse/reading.ts";
import type { Tool } from "../../reading/tool.ts";
import { couldWrite } from "../access/tampering/own-command.ts";

interface Directories {
  readonly cwd: string;
  readonly home: string;
}

export function namedPaths(tool: Tool, { shell }: Operation, standing: Directories): readonly string[] {
  if (tool.kind === "mcp" || tool.kind === "unknown")
    return WRITING_TOOL.test(tool.name) ? pathsAmong(tool.words, standing).map(({ path }) => path) : [];
  if (!shell) return [];
  const placed = shell.invocations.flatMap(placedByGit);
  const rewritten = rewrittenPaths(shell, standing);
  if (placed.length === 0 && rewritten.length === 0) return [];
  return [...placed.flatMap((named) => located(named, standing)), ...rewritten].map(({ path }) => path);
}

export interface NamedPath {
  readonly path: string;
  readonly word: string;
  /** Working directory of the command or program that names it. */
  readonly cwd: string;
}

/** By editors, converters, inline patches and inline programs. */
export function rewrittenPaths({ invocations, programs }: ShellReading, standing: Directories): readonly NamedPath[] {
  return [...invocations.flatMap(rewrittenBy), ...programs.flatMap(writtenIn)].flatMap((named) =>
    located(named, standing),
  );
}

interface Named {
  readonly words: readonly string[];
  readonly cwd: string | undefined;
}

function located({ words, cwd = "" }: Named, standing: Directories): readonly NamedPath[] {
  const here = cwd === "" ? standing.cwd : cwd;
  return pathsAmong(words, { ...standing, cwd: here }).map((found) => ({ ...found, cwd: here }));
}

/** The input of an MCP tool does not say what it does; its name suggests whether it writes. */
const WRITING_TOOL = /write|edit|create|update|delete|remove|move|rename|patch|replace|insert|append|save|put/i;

/** Git verbs that write files when given paths without `--`. */
const GIT_PLACES = names("checkout restore checkout-index mv rm");
/** Editors and converters that change the files they are given. */
const REWRITES = names("black dos2unix ed emacs ex nano nvim rustfmt unix2dos vi vim");

/** Other programs, and the option that makes them write. */
function rewritingOption(name: string): RegExp | undefined {
  switch (name) {
    case "awk":
    case "gawk":
      return /^-i$|inplace/;
    case "ruby":
      return /^-[a-z]*i/;
    case "yq":
      return /^-[a-zA-Z]*i|^--inplace/;
    case "xxd":
      return /^-r/;
    case "prettier":
      return /^(?:-w|--write)$/;
    case "eslint":
      return /^--fix$/;
    case "biome":
      return /^--(?:write|fix|apply)/;
    case "ruff":
      return /^(?:--fix|format)$/;
    case "gofmt":
      return /^-w$/;
    case "xmlstarlet":
      return /^(?:-L|--inplace)$/;
    case "gzip":
    case "xz":
      return /^(?!-.*[kcdlt])/;
    case "bzip2":
      return /^(?!-.*[kcdt])/;
    default:
      return undefined;
  }
}

function placedByGit(invocation: Invocation): readonly Named[] {
  const { args, cwd } = invocation;
  return GIT_PLACES.has(gitVerb(invocation) ?? "") ? [{ words: args.map(({ text }) => text), cwd }] : [];
}

function rewrittenBy(invocation: Invocation): readonly Named[] {
  const { name, args, cwd, remote, contained, stdin } = invocation;
  if (name === undefined || remote || contained) return [];
  if (isPatching(invocation)) return [{ words: patchedBy(stdin?.text ?? ""), cwd }];
  const option = rewritingOption(name);
  const rewrites = option ? args.some(({ text }) => option.test(text)) : REWRITES.has(name);
  return rewrites ? [{ words: args.map(({ text }) => text), cwd }] : [];
}

/** An inline patch names the files it changes. */
function patchedBy(patch: string): readonly string[] {
  const files = patch.matchAll(/^(?:\+\+\+|---|\*\*\*|rename (?:from|to)) (?:[ab]\/)?([^\t\n]+)/gm);
  return [...files].map(([, file = ""]) => file.trim());
}

/** All words in the strings of a program that could write; which of them it writes to is not analysed. */
function writtenIn({ language, text, cwd }: Program): readonly Named[] {
  if (!couldWrite(text)) return [];
  const words = skeletonOf(language, text).strings.flatMap((string) => string.text.split(/[\s"'`;=(),<>|&]+/));
  return [{ words, cwd }];
}

const WORDS_MAX = 400;

function pathsAmong(words: readonly string[], { cwd, home }: Directories): readonly Omit<NamedPath, "cwd">[] {
  const plain = words.filter(
    (word) => word !== "" && word.length < 500 && !/[\n\0]/.test(word) && !word.startsWith("-"),
  );
  return plain.slice(0, WORDS_MAX).flatMap((word) => {
    const path = absolute(fromHome(word, home), cwd);
    return path === undefined ? [] : [{ path, word }];
  });
}
