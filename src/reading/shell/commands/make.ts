/** Commands that `make` runs from its arguments or from a makefile that the line itself writes. */

import { absolute } from "../../../lib/paths.ts";
import { optionValue, optionValues } from "../parse/options.ts";
import { literalWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside } from "../walk/call.ts";
import { fileStream } from "./interpreters.ts";

export const make: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call);
  const evaluated = optionValues(args, ["--eval", "-E"]).map(({ text }) => text);
  for (const text of [...evaluated, makefile(call, args)]) {
    if (text !== undefined) for (const recipe of recipesIn(text)) run(call, literalWord(recipe));
  }
  for (const arg of args) if (arg.prefix.startsWith("SHELL=")) run(call, literalWord(arg.text.slice("SHELL=".length)));
  return noted;
};

function run(call: Call, script: Word): void {
  call.runner.child(inside(call, [], { stdin: undefined }), script);
}

function makefile(call: Call, args: readonly Word[]): string | undefined {
  const named = optionValue(args, ["-f", "--file", "--makefile"]);
  if (named) return named.text === "-" ? call.stdin?.text : fileStream(call, named)?.text;
  const written = ["GNUmakefile", "makefile", "Makefile"].map((name) => absolute(name, call.cwd));
  return written.map((path) => path && call.scope.files.get(path)?.text).find((text) => text !== undefined);
}

/** Recipe lines, commands after a rule's semicolon, and `$(shell …)`. */
function recipesIn(text: string): string[] {
  const lines = text.split("\n").slice(0, LINES_MAX);
  const recipes = lines.flatMap((line) => {
    const [, recipe] = /^\t[@+-]*(.*)$/.exec(line) ?? /^[^\t#=]*:[^=;]*;(.*)$/.exec(line) ?? [];
    return recipe === undefined ? [] : [recipe.replaceAll("$$", "$")];
  });
  const shells = [...text.matchAll(/\$\(shell\s+([^)]*)\)/g)].map(([, command = ""]) => command);
  return [...recipes, ...shells];
}

const LINES_MAX = 200;
