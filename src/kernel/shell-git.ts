/** Git's global options, and the places where git itself runs a command. */

import { type GitCommand, GLOBAL_OPTIONS, gitCommand } from "./git-command.ts";
import { argsOf, emit, type Handler, inside } from "./shell-call.ts";
import { join } from "./shell-fields.ts";
import { cut, operandStart, optionValue } from "./shell-options.ts";
import { literalWord, type Word } from "./shell-reading.ts";
import { resolved } from "./shell-wrappers.ts";

export { gitCommand } from "./git-command.ts";

export const git: Handler = (call) => {
  const args = argsOf(call);
  const start = operandStart(args, GLOBAL_OPTIONS);
  const directory = optionValue(args.slice(0, start), ["-C"]);
  const cwd = directory ? resolved(directory, call.cwd) : call.cwd;
  const command = gitCommand(args);
  const noted = emit({ ...call, cwd });
  for (const { alias, args: more } of aliasesOf(command)) {
    if (alias.text.startsWith("!")) call.runner.child(inside(call, [], { cwd }), cut(alias, 1), more);
    else if (alias.literal) {
      const words = alias.text.split(/\s+/).filter((text) => text !== "");
      call.runner.call(inside(call, [literalWord("git"), ...words.map(literalWord), ...more], { cwd }));
    }
  }
  for (const script of [...scriptsOf(command), ...configuredScripts(command)])
    call.runner.child(inside(call, [], { cwd }), script);
  return noted;
};

/** The one that is used, and one that is only laid down: later it is a verb like any other, and nobody reads it then. */
function aliasesOf(command: GitCommand): readonly { readonly alias: Word; readonly args: readonly Word[] }[] {
  const key = `alias.${command.verb}=`;
  const used = command.config.find(({ prefix }) => prefix.startsWith(key));
  const kept = laidDown(command).flatMap((setting) => {
    const match = /^alias\.[^=]+=/i.exec(setting.prefix);
    return match ? [{ alias: cut(setting, match[0].length), args: [] }] : [];
  });
  return [...(used ? [{ alias: cut(used, key.length), args: command.args }] : []), ...kept];
}

/** `git config key value`, as `-c` would have it. */
function laidDown({ verb, args }: GitCommand): readonly Word[] {
  if (verb !== "config") return [];
  const at = args.findIndex(({ text: word }) => /^[\w-]+\..*\w$/.test(word));
  const [key, value] = [args[at], args[at + 1]];
  return at >= 0 && key && value ? [join(literalWord(`${key.text}=`), value)] : [];
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
function configuredScripts(command: GitCommand): Word[] {
  return [...command.config, ...laidDown(command)].flatMap((setting) => {
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
