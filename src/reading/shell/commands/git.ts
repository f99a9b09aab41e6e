/** Git's global options, and the places where git runs a command. */

import { names, Rows } from "../../../lib/name-table.ts";
import { type GitCommand, GLOBAL_OPTIONS, gitCommand } from "../../operation/git-command.ts";
import { join } from "../parse/fields.ts";
import { cut, mayBeOption, operandStart, optionValue, optionValues } from "../parse/options.ts";
import { literalWord, type Unread, type Word } from "../parse/reading.ts";
import { argsOf, emit, type Handler, inside } from "../walk/call.ts";
import { gitVariables } from "../walk/environment.ts";
import { resolved } from "./wrappers.ts";

export { gitCommand } from "../../operation/git-command.ts";

export const git: Handler = (call) => {
  const args = argsOf(call);
  const start = operandStart(args, GLOBAL_OPTIONS);
  const directory = optionValue(args.slice(0, start), ["-C"]);
  const cwd = directory ? resolved(directory, call.cwd) : call.cwd;
  const read = gitCommand(args);
  const command = { ...read, config: [...read.config, ...gitVariables(call)] };
  const noted = emit({ ...call, cwd }, undefined, loadsUnread(command, args.slice(0, start)));
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

/** Hooks, programs or settings in a directory that the command names. */
function loadsUnread({ verb, args, config }: GitCommand, options: readonly Word[]): Unread | undefined {
  const open = RUNS_OPTIONS.has(verb ?? "") ? args.find(mayBeOption) : undefined;
  if (open) return { text: undefined, from: open.from ?? [] };
  const placed = config.some(({ text: word }) => /^(?:core\.hookspath|include\.path)=(?!\/dev\/null$)./i.test(word));
  const programs = options.some(({ text: word }) => {
    const setting = /^--config-env=(.*=)/.exec(word)?.[1];
    return (
      word.startsWith("--exec-path=") ||
      (setting !== undefined && (RUN_BY_GIT.test(setting) || /^alias\./.test(setting)))
    );
  });
  return placed || programs ? { text: undefined, from: [], named: true } : undefined;
}

const RUNS_OPTIONS = names("rebase bisect submodule filter-branch difftool");

/**
 * The alias in use, and an alias that `git config` defines: it must be read now, because its later use looks like an
 * ordinary verb.
 */
function aliasesOf(command: GitCommand): readonly { readonly alias: Word; readonly args: readonly Word[] }[] {
  const key = `alias.${command.verb}=`;
  const used = command.config.find(({ prefix }) => prefix.startsWith(key));
  const kept = laidDown(command).flatMap((setting) => {
    const match = /^alias\.[^=]+=/i.exec(setting.prefix);
    return match ? [{ alias: cut(setting, match[0].length), args: [] }] : [];
  });
  return [...(used ? [{ alias: cut(used, key.length), args: command.args }] : []), ...kept];
}

/** `git config key value`, in the form of `-c`. */
function laidDown({ verb, args }: GitCommand): readonly Word[] {
  if (verb !== "config") return [];
  const at = args.findIndex(({ text: word }) => /^[\w-]+\..*\w$/.test(word));
  const [key, value] = [args[at], args[at + 1]];
  return at >= 0 && key && value ? [join(literalWord(`${key.text}=`), value)] : [];
}

/** Options and operands that contain shell text. */
function scriptsOf({ verb, args }: GitCommand): Word[] {
  if (verb === "bisect" && args[0]?.text === "run")
    return args.slice(1, 2).map((first) => ({ ...first, text: text(args.slice(1)) }));
  if (verb === "submodule" && args[0]?.text === "foreach") {
    const rest = args.slice(1).filter(({ text: word }) => !word.startsWith("--"));
    return rest.slice(0, 1).map((first) => ({ ...first, text: text(rest) }));
  }
  const helper = args.flatMap((word) => (word.prefix.startsWith("ext::") ? [cut(word, "ext::".length)] : []));
  const options = verb === undefined ? undefined : COMMAND_OPTIONS.get(verb);
  if (options !== undefined) return [...helper, ...optionValues(args, options.split(" "))];
  if (verb !== "filter-branch") return helper;
  return ["--tree-filter", "--index-filter", "--msg-filter", "--env-filter"].flatMap((name) =>
    present(optionValue(args, [name])),
  );
}

/** Options whose value git passes to a shell. */
const COMMAND_OPTIONS = new Rows(`
rebase: -x --exec
clone: -u --upload-pack
fetch: --upload-pack
pull: --upload-pack
ls-remote: --upload-pack --exec
fetch-pack: --upload-pack --exec
push: --receive-pack --exec
archive: --exec
grep: -O --open-files-in-pager
difftool: -x --extcmd
send-email: --sendmail-cmd --to-cmd --cc-cmd
`);

/** Settings whose value git runs as a command. */
function configuredScripts(command: GitCommand): Word[] {
  const given =
    command.verb === "clone" || command.verb === "init" ? optionValues(command.args, ["-c", "--config"]) : [];
  return [...command.config, ...given, ...laidDown(command)].flatMap((setting) => {
    const match = RUN_BY_GIT.exec(setting.prefix);
    return match ? [cut(setting, match[0].length)] : [];
  });
}

const RUN_BY_GIT =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|gpg(?:\.\w+)?\.program|uploadpack\.packobjectshook|interactive\.difffilter|diff\.external|sequence\.editor|pager\.\w+|credential\.helper|[\w.]+\.(?:textconv|cmd|command|driver|process|clean|smudge))=!?/i;

function present(word: Word | undefined): Word[] {
  return word ? [word] : [];
}

function text(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}
