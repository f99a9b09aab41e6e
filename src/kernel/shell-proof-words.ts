/** The words of a simple command as far as the line itself says them, and what their expansion would do besides. */

import type * as Syntax from "unbash";
import { forEachChild } from "unbash";
import { names } from "./name-table.ts";

export interface Said {
  readonly text: string;
  /** Only the shell knows it. */
  readonly open: boolean;
}

/** Patterns and braces stay as they are spelled: in the same place they come to the same. */
export function saidBy(word: Syntax.CommandArgument): Said {
  if (word.type === "Assignment") return { text: word.text, open: isOpen(word.value) };
  const isTilde = word.text.startsWith("~") && !/^~(?:\/|$)/.test(word.text);
  return { text: word.value, open: isTilde || isOpen(word) };
}

function isOpen(node: Syntax.SyntaxNode): boolean {
  if (OPEN.has(node.type)) return true;
  let open = false;
  forEachChild(node, (child) => {
    open ||= isOpen(child);
  });
  return open;
}

const OPEN = names(
  "SimpleExpansion ParameterExpansion CommandExpansion ArithmeticExpansion ProcessSubstitution ExtendedGlob LocaleString",
);

interface Expanded {
  /** What runs in order to know the words. */
  readonly scripts: readonly Syntax.ParsedScript[];
  /** A variable gets a value on the way, or a word is more than anybody reads. */
  readonly binds: boolean;
}

const DEPTH_MAX = 40;

/** Everything that expanding these does; commands within are not gone into. */
export function expanded(nodes: readonly Syntax.SyntaxNode[]): Expanded {
  const scripts: Syntax.ParsedScript[] = [];
  let binds = false;
  const visit = (node: Syntax.SyntaxNode, depth: number): void => {
    if (depth > DEPTH_MAX || bindsIn(node)) binds = true;
    if (depth > DEPTH_MAX) return;
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") {
      if (node.script) scripts.push(node.script);
      else binds = true;
    } else if (node.type !== "Script") forEachChild(node, (child) => visit(child, depth + 1));
  };
  for (const node of nodes) visit(node, 0);
  return { scripts, binds };
}

/** `${x:=y}`, `$((x = 1))`, `${!name}`, `{x}>file`. */
function bindsIn(node: Syntax.SyntaxNode): boolean {
  switch (node.type) {
    case "Default":
      return node.operator.endsWith("=");
    case "ArithmeticExpansion":
      return assigns(node.text);
    case "FileDescriptorVariable":
      return true;
    default:
      return false;
  }
}

/** An assignment in arithmetic, by any of its spellings. */
export function assigns(text: string): boolean {
  return /(?:^|[^=!<>])=(?!=)|<<=|>>=|\+\+|--/.test(text);
}

/** Variables that change how something is shown, and not what it finds. */
export function isHarmless(name: string): boolean {
  return HARMLESS.has(name) || /^LC_[A-Z]+$/.test(name);
}

const HARMLESS = names(
  "CI NODE_ENV FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TZ LANG LANGUAGE TERM DEBUG COLUMNS LINES RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GITHUB_ACTIONS NODE_NO_WARNINGS NEXT_TELEMETRY_DISABLED TURBO_TELEMETRY_DISABLED DO_NOT_TRACK",
);

/** A variable of the line's own: nobody exports such a name, and no shell gives it a meaning. */
export function isLocal(name: string): boolean {
  return isHarmless(name) || LOCAL.has(name) || (/^[a-z][a-z\d_]{0,15}$/.test(name) && !SPECIAL.test(name));
}

const LOCAL = names("LOG LOGFILE OUT OUTPUT RC RESULT START END");
/** The last ones are zsh's: `path` is PATH there. */
const SPECIAL =
  /^(?:npm_|uv_|pip_|http_|https_|no_proxy|all_proxy|ftp_)|^(?:path|cdpath|fpath|manpath|mailpath|module_path|psvar|argv|status|fignore|histchars|prompt|watch|signals|aliases|functions|commands|options|builtins|reswords|galiases|saliases|parameters|mapfile|nameddirs|dis_\w+)$/;
