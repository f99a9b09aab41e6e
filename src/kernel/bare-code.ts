/** Code as it runs: without its comments, and with strings that no longer look like code. */
import { endingOf } from "./file-kind.ts";
import { names } from "./name-table.ts";

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

/** Line by line as it was, so that what is left can be compared with what was there. */
export function bareCode(language: CodeLanguage, text: string): string {
  return text.replace(notCode(language), (found) => (isString(found) ? inert(found) : lineBreaks(found)));
}

/** Comments and strings. What is quoted ends with its line: an apostrophe in a text must not swallow the rest of the file. */
function notCode(language: CodeLanguage): RegExp {
  switch (language) {
    case "python":
      return /#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
    case "ruby":
      return /^=begin\b[\s\S]*?(?:^=end\b|$(?![\s\S]))|#(?!\{)[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gm;
    case "rust":
      // A single quote is a lifetime more often than a letter.
      return /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\\n])'/g;
    default:
      return /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*(?:`|$)/g;
  }
}

function isString(found: string): boolean {
  return /^["'`]/.test(found) && !/^(?:"""|''')/.test(found);
}

/** Two equal strings stay equal, and no name in them is followed by a bracket, a dot or a template any more. */
function inert(string: string): string {
  const quote = string.charAt(0);
  return quote + string.slice(1, -1).replace(/[^\w\n]/g, "_") + (quote === "`" ? '"' : quote);
}

function lineBreaks(comment: string): string {
  return comment.replace(/[^\n]+/g, "");
}
