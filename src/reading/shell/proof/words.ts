/** The words of a simple command as far as the line defines them, and the side effects of their expansion. */

import type * as Syntax from "unbash";
import { forEachChild } from "unbash";
import { names } from "../../../lib/name-table.ts";
import type { Step } from "./state.ts";

export interface Said {
  readonly text: string;
  /** Only the shell knows the text. */
  readonly open: boolean;
}

/** Patterns and braces stay as written: in the same directory they expand the same way. */
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
  /** Scripts that run during expansion. */
  readonly scripts: readonly Syntax.ParsedScript[];
  /** The expansion assigns a variable, or a word is nested too deeply to read. */
  readonly binds: boolean;
}

const DEPTH_MAX = 40;

/** All side effects of expanding these nodes; the commands inside are not read. */
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

/** An assignment in arithmetic, in any form. */
export function assigns(text: string): boolean {
  return /(?:^|[^=!<>])=(?!=)|<<=|>>=|\+\+|--/.test(text);
}

/** Variables that change the display but not the result of a program. */
export function isHarmless(name: string): boolean {
  return HARMLESS.has(name) || /^LC_[A-Z]+$/.test(name);
}

const HARMLESS = names(
  "CI NODE_ENV FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TZ LANG LANGUAGE TERM DEBUG COLUMNS LINES RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GITHUB_ACTIONS NODE_NO_WARNINGS NEXT_TELEMETRY_DISABLED TURBO_TELEMETRY_DISABLED DO_NOT_TRACK",
);

/** A variable local to the line: the name is not normally exported and has no special meaning to a shell. */
export function isLocal(name: string): boolean {
  return isHarmless(name) || LOCAL.has(name) || (/^[a-z][a-z\d_]{0,15}$/.test(name) && !SPECIAL.test(name));
}

const LOCAL = names("LOG LOGFILE OUT OUTPUT RC RESULT START END");
/** The last names are special in zsh, where `path` is PATH. */
const SPECIAL =
  /^(?:npm_|uv_|pip_|http_|https_|no_proxy|all_proxy|ftp_)|^(?:path|cdpath|fpath|manpath|mailpath|module_path|psvar|argv|status|fignore|histchars|prompt|watch|signals|aliases|functions|commands|options|builtins|reswords|galiases|saliases|parameters|mapfile|nameddirs|dis_\w+)$/;

/** The steps with the commands that read them; the name is empty for one that is no simple command. */
export function readBy(commands: readonly Syntax.CommandNode[], steps: readonly Step[]): readonly Step[] {
  const readers = commands.map((node) => (node.type === "Command" ? (node.name?.value ?? "") : ""));
  return readers.length === 0
    ? steps
    : steps.map((step) => ({ ...step, readers: [...(step.readers ?? []), ...readers] }));
}
