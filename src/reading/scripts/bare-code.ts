/** Strips comments from code and makes strings inert, so that they do not look like code. */

import { names } from "../../lib/name-table.ts";
import { endingOf } from "../operation/file-kind.ts";

export type CodeLanguage = "javascript" | "python" | "ruby" | "go" | "rust" | "java" | "other";

const JAVASCRIPT = names("ts tsx js jsx mjs cjs mts cts vue svelte astro coffee");
const JVM = names("java kt kts scala groovy");

export function codeLanguage(path: string): CodeLanguage {
  const ending = endingOf(path);
  if (JAVASCRIPT.has(ending)) return "javascript";
  if (JVM.has(ending)) return "java";
  switch (ending) {
    case "py":
    case "pyi":
      return "python";
    case "rb":
      return "ruby";
    case "go":
      return "go";
    case "rs":
      return "rust";
    default:
      return "other";
  }
}

/** Keeps line breaks, so that the result can be compared line by line. */
export function bareCode(language: CodeLanguage, text: string): string {
  return text.replace(notCode(language), (found) => (isString(found) ? inert(found) : lineBreaks(found)));
}

/**
 * Matches comments and strings. Quoted strings end with their line, so that an apostrophe cannot swallow the rest of
 * the file.
 */
function notCode(language: CodeLanguage): RegExp {
  switch (language) {
    case "python":
      return /#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
    case "ruby":
      return /^=begin\b[\s\S]*?(?:^=end\b|$(?![\s\S]))|#(?!\{)[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gm;
    case "rust":
      // In Rust a single quote is a lifetime more often than a character.
      return /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\\n])'/g;
    default:
      return /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*(?:`|$)/g;
  }
}

function isString(found: string): boolean {
  return /^["'`]/.test(found) && !/^(?:"""|''')/.test(found);
}

/** Equal strings stay equal, and names in them are no longer followed by a bracket, dot or template. */
function inert(string: string): string {
  const quote = string.charAt(0);
  return quote + string.slice(1, -1).replace(/[^\w\n]/g, "_") + (quote === "`" ? '"' : quote);
}

function lineBreaks(comment: string): string {
  return comment.replace(/[^\n]+/g, "");
}
