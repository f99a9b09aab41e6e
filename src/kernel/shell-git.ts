/** Git's global options, and the places where git itself runs a command. */

import { argsOf, emit, type Handler, inside } from "./shell-call.ts";
import { cut, operandStart, optionValue } from "./shell-options.ts";
import { literalWord, type Word } from "./shell-reading.ts";
import { resolved } from "./shell-wrappers.ts";

const GLOBAL = {
  short: "Cc",
  long: ["--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"],
};

export interface GitCommand {
  readonly verb: string | undefined;
  readonly args: readonly Word[];
  readonly config: readonly Word[];
}

/** The sub-command and its arguments, past the global options. */
export function gitCommand(args: readonly Word[]): GitCommand {
  const start = operandStart(args, GLOBAL);
  const verb = args[start];
  const options = args.slice(0, start);
  const config = options.flatMap((option, index) => {
    const next = options[index + 1];
    if (option.text === "-c") return next ? [next] : [];
    return option.text.startsWith("-c") ? [cut(option, 2)] : [];
  });
  return { verb: verb?.literal ? verb.text : undefined, args: args.slice(start + 1), config };
}

export const git: Handler = (call) => {
  const args = argsOf(call);
  const start = operandStart(args, GLOBAL);
  const directory = optionValue(args.slice(0, start), ["-C"]);
  const cwd = directory ? resolved(directory, call.cwd) : call.cwd;
  const command = gitCommand(args);
  const noted = emit({ ...call, cwd });
  const alias = aliasOf(command);
  if (alias?.text.startsWith("!")) call.runner.child(inside(call, [], { cwd }), cut(alias, 1), command.args);
  else if (alias?.literal) {
    const words = alias.text.split(/\s+/).filter((text) => text !== "");
    call.runner.call(inside(call, [literalWord("git"), ...words.map(literalWord), ...command.args], { cwd }));
  }
  for (const script of [...scriptsOf(command), ...configuredScripts(command)])
    call.runner.child(inside(call, [], { cwd }), script);
  return noted;
};

function aliasOf({ verb, config }: GitCommand): Word | undefined {
  const key = `alias.${verb}=`;
  const found = config.find(({ prefix }) => prefix.startsWith(key));
  return found && cut(found, key.length);
}

/** Options and operands that are shell text. */
function scriptsOf({ verb, args }: GitCommand): Word[] {
  if (verb === "bisect" && args[0]?.text === "run")
    return args.slice(1, 2).map((first) => ({ ...first, text: text(args.slice(1)) }));
  if (verb === "submodule" && args[0]?.text === "foreach") {
    const rest = args.slice(1).filter(({ text: word }) => !word.startsWith("--"));
    return rest.slice(0, 1).map((first) => ({ ...first, text: text(rest) }));
  }
  if (verb === "rebase") return present(optionValue(args, ["-x", "--exec"]));
  if (verb !== "filter-branch") return [];
  return ["--tree-filter", "--index-filter", "--msg-filter", "--env-filter"].flatMap((name) =>
    present(optionValue(args, [name])),
  );
}

/** Settings whose value git runs. */
function configuredScripts({ config }: GitCommand): Word[] {
  return config.flatMap((setting) => {
    const match = RUN_BY_GIT.exec(setting.prefix);
    return match ? [cut(setting, match[0].length)] : [];
  });
}

const RUN_BY_GIT =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass)|diff\.external|sequence\.editor|pager\.\w+|credential\.helper|[\w.]+\.(?:textconv|cmd|driver|process|clean|smudge))=!?/i;

function present(word: Word | undefined): Word[] {
  return word ? [word] : [];
}

function text(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}
