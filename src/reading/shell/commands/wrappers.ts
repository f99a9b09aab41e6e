/** Wrappers: commands that run the command in their arguments. `programs/runners.ts` lists them. */

import { absolute } from "../../../lib/paths.ts";
import { type Wrapper, wrapperOf } from "../../programs/runners.ts";
import { cut, hasOption, operandStart, optionValue } from "../parse/options.ts";
import { literalWord, type Stream, unknownWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside } from "../walk/call.ts";
import { runAssigned } from "../walk/environment.ts";

/** Reads the command inside a wrapper; undefined if the command is not a wrapper. */
export function unwrap(name: string, call: Call): Stream | undefined {
  const wrapper = wrapperOf(name);
  if (!wrapper) return undefined;
  const args = afterSubcommand(argsOf(call), wrapper);
  if (!args) return undefined;
  const start = operandStart(args, wrapper);
  const options = args.slice(0, start);
  if (wrapper.tells && hasOption(options, wrapper.tells)) return emit(call, toldPath(args.slice(start)));
  const noted = wrapper.noted ? emit(call) : undefined;
  const script = wrapper.script && optionValue(args, wrapper.script);
  if (script) return call.runner.child(inside(call, []), script);
  const { argv, assignments } = commandIn(args.slice(start), wrapper);
  if (argv.length === 0) return noted ?? alone(name, wrapper, options, call);
  runAssigned(assignments, call);
  const changed = wrapper.directory && optionValue(options, wrapper.directory);
  const cwd = changed ? resolved(changed, call.cwd) : call.cwd;
  return call.runner.call(inside(call, argv, { cwd, assignments: [...call.assignments, ...assignments] }));
}

/** `sudo -s <<< text`, `… | su`; `exec < file` changes the input of all later commands. */
function alone(name: string, wrapper: Wrapper, options: readonly Word[], call: Call): Stream {
  if (name === "exec" && call.stdin) call.scope.stdin = call.stdin;
  const isShell = wrapper.shell === true || (wrapper.shell !== undefined && hasOption(options, wrapper.shell));
  return isShell && call.stdin ? call.runner.call(inside(call, [literalWord("sh")])) : emit(call);
}

/** `command -v rm` prints the path of the program. */
function toldPath([word]: readonly Word[]): string | undefined {
  return word?.literal && /^[\w.+-]+$/.test(word.text) ? `/usr/bin/${word.text}\n` : undefined;
}

/** `env` can also split a string into words, clear or set the environment, and change the directory. */
export const env: Handler = (call) => {
  const args = argsOf(call);
  const first = operandStart(args, ENV);
  // A lone `-` clears the environment.
  const start = args[first]?.text === "-" ? operandStart(args, ENV, first + 1) : first;
  const options = args.slice(0, start);
  const split = splitIn(options);
  if (split) {
    const rest = [...args.slice(0, split.at), ...wordsIn(split.text), ...args.slice(split.end)];
    return env({ ...call, argv: [...call.argv.slice(0, 1), ...rest] });
  }
  const directory = optionValue(options, ["-C", "--chdir"]);
  const cwd = directory ? resolved(directory, call.cwd) : call.cwd;
  const { argv, assignments } = commandIn(args.slice(start), { environment: true });
  if (argv.length === 0) return emit(call);
  runAssigned(assignments, call);
  return call.runner.call(inside(call, argv, { cwd, assignments: [...call.assignments, ...assignments] }));
};

const ENV = { short: "uCSaP", long: ["--unset", "--chdir", "--split-string", "--argv0"] };

/** `-S text`, `-Stext`, `-iS text`, `--split-string=text`: the words of the text replace the option. */
function splitIn(
  options: readonly Word[],
): { readonly at: number; readonly end: number; readonly text: Word } | undefined {
  const at = options.findIndex(({ text }) => /^(?:-[iv0]*S|--split-string)/.test(text));
  const option = options[at];
  if (!option) return undefined;
  const rest = cut(option, /^(?:-[iv0]*S|--split-string=?)/.exec(option.text)?.[0].length ?? 0);
  if (rest.text !== "") return { at, end: at + 1, text: rest };
  const next = options[at + 1];
  return next && { at, end: at + 2, text: next };
}

/** `env -S` splits like a shell: quotes keep words together, and environment variables are expanded. */
function wordsIn(split: Word): Word[] {
  if (!split.literal) return [split];
  const words = split.text.match(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs) ?? [];
  return words.map((word) => {
    const text = word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, single?: string, double?: string, escaped?: string) =>
        single ?? double?.replace(/\\(.)/g, "$1") ?? (escaped === "_" ? " " : (escaped ?? "")),
    );
    return /\$\{\w+\}/.test(text) ? unknownWord(text) : literalWord(text);
  });
}

function afterSubcommand(args: readonly Word[], wrapper: Wrapper): readonly Word[] | undefined {
  const { after } = wrapper;
  if (!after) return args;
  const start = operandStart(args, wrapper);
  if (!after.includes(args[start]?.text ?? "")) return undefined;
  const rest = args.slice(start + 1);
  const at = wrapper.from ? rest.findIndex(({ text }) => wrapper.from?.includes(text)) : -1;
  return at < 0 ? rest : rest.slice(at + 1);
}

function commandIn(
  args: readonly Word[],
  wrapper: Wrapper,
): { argv: readonly Word[]; assignments: { name: string; value: Word }[] } {
  const assignments: { name: string; value: Word }[] = [];
  let start = wrapper.operands ?? 0;
  if (wrapper.environment) {
    for (let arg = args[start]; arg; arg = args[start]) {
      const match = /^([A-Za-z_]\w*)=/.exec(arg.prefix);
      if (!match) break;
      assignments.push({ name: match[1] ?? "", value: cut(arg, match[0].length) });
      start += 1;
    }
  }
  if (args[start]?.text === "--") start += 1;
  return { argv: args.slice(start), assignments };
}

export function resolved(directory: Word, cwd: string | undefined): string | undefined {
  return directory.literal ? absolute(directory.text, cwd) : undefined;
}
