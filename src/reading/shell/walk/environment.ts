/** Environment variables that make another program run something. */

import { names } from "../../../lib/name-table.ts";
import { fileStream } from "../commands/interpreters.ts";
import { join } from "../parse/fields.ts";
import { literalWord, type Unread, type Word } from "../parse/reading.ts";
import { type Call, emit, inside } from "./call.ts";

type Assignments = Call["assignments"];

/** The value is a shell command. */
const COMMAND = names(
  "GIT_SSH_COMMAND GIT_SSH GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER GH_PAGER DELTA_PAGER EDITOR VISUAL FCEDIT SUDO_EDITOR KUBE_EDITOR GH_EDITOR BROWSER LESSOPEN LESSCLOSE PROMPT_COMMAND SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH CVS_RSH SVN_SSH npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL MAKESHELL",
);
/** The value is expanded like double-quoted text. */
const PROMPT = names("PS0 PS1 PS2 PS4");
/** The value is a startup file of a shell or an interpreter, or a library that is loaded into a program. */
const LOADED = names("BASH_ENV ENV PYTHONSTARTUP LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES");

/** The value holds options, of which only some load code. */
function loadingOption(name: string): RegExp | undefined {
  switch (name) {
    case "NODE_OPTIONS":
      return /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/;
    case "PERL5OPT":
      return /(?:^|\s)-?[Mm]/;
    case "PERL5DB":
      return /./;
    case "RUBYOPT":
      return /(?:^|\s)-?r/;
    case "PYTHONPATH":
    case "LD_LIBRARY_PATH":
    case "GCONV_PATH":
    case "GIT_CONFIG_GLOBAL":
    case "GIT_CONFIG_SYSTEM":
    case "GIT_TEMPLATE_DIR":
    case "GIT_EXEC_PATH":
      return /(?:^|:)(?:\/tmp|\/var\/tmp|\/dev\/shm)(?:\/|$|:)/;
    case "JAVA_TOOL_OPTIONS":
      return /-(?:javaagent|agentpath|agentlib)/;
    case "MAKEFLAGS":
      return /--eval|SHELL=/;
    default:
      return undefined;
  }
}

/** Further variables by which a shell, git or an interpreter finds code; on a command line they are judged by value. */
const FINDS_CODE = names(
  "ZDOTDIR SHELL PYTHONHOME PERL5LIB RUBYLIB GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS",
);
const findsCodePattern = (): RegExp => /^BASH_FUNC_|^GIT_CONFIG_(?:KEY|VALUE)_|^npm_config_/i;

/** Whether a variable of this name, set for every command, can make a command run other code. */
export function runsCode(name: string): boolean {
  const isListed = COMMAND.has(name) || PROMPT.has(name) || LOADED.has(name) || FINDS_CODE.has(name);
  return isListed || loadingOption(name) !== undefined || findsCodePattern().test(name);
}

/** Reads the commands that these assignments make other programs run. A bare program name adds nothing. */
export function runAssigned(assignments: Assignments, call: Call): void {
  for (const { name, value } of assignments) {
    if (COMMAND.has(name)) runCommand(value, call);
    else if (PROMPT.has(name)) runPrompt(value, call);
    else if (LOADED.has(name)) load(name, value, call);
    else if (loadingOption(name)?.test(value.text)) mark(name, value, call);
  }
}

function runCommand(value: Word, call: Call): void {
  if (/[^\w./~-]/.test(value.text)) call.runner.child(inside(call, []), afterPipe(value));
}

/** `LESSOPEN='|command %s'`. */
function afterPipe(value: Word): Word {
  const [lead = ""] = /^\|?[|-]?/.exec(value.prefix) ?? [];
  return lead === ""
    ? value
    : { ...value, text: value.text.slice(lead.length), prefix: value.prefix.slice(lead.length) };
}

function runPrompt(value: Word, call: Call): void {
  if (!/[$`]/.test(value.text)) return;
  const text = literalWord(`: "${value.text.replace(/(["])/g, "\\$1")}"`);
  call.runner.child(inside(call, []), text);
}

function load(name: string, value: Word, call: Call): void {
  if (value.literal && value.text === "") return;
  const stream = /ENV$/.test(name) ? fileStream(call, value) : undefined;
  if (stream?.text === undefined) mark(name, value, call);
  else call.runner.child(inside(call, []), literalWord(stream.text));
}

/** Loaded code cannot be read, so it is recorded as an unread invocation under the variable's name. */
function mark(name: string, value: Word, call: Call): void {
  const argv = [literalWord(name), ...call.argv];
  const unread: Unread = {
    text: undefined,
    from: [],
    named: true,
    ...(ANYBODYS.test(value.text) && { anybodys: true }),
  };
  emit({ ...call, argv, redirects: [], assignments: [] }, undefined, unread);
}

const ANYBODYS = /(?:^|[:=\s])(?:\/private)?(?:\/tmp|\/var\/tmp|\/dev\/shm)\//;

/** Adds options that a program takes from a variable, before those of the line: `TAR_OPTIONS=… tar`. */
export function withVariableOptions(name: string, call: Call): Call {
  const variable = optionVariable(name);
  if (variable === undefined) return call;
  const [word, ...args] = call.argv;
  if (!word) return call;
  const given = call.assignments.find((each) => each.name === variable)?.value ?? onlyValue(variable, call);
  if (!given?.literal) return call;
  const more = given.text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return { ...call, argv: [word, ...more.map((each) => literalWord(each.replace(/['"]/g, ""))), ...args] };
}

function optionVariable(name: string): string | undefined {
  if (name === "tar") return "TAR_OPTIONS";
  if (name === "make") return "MAKEFLAGS";
  return name === "zip" ? "ZIPOPT" : undefined;
}

function onlyValue(variable: string, { scope }: Call): Word | undefined {
  const value = scope.variables.get(variable);
  return value?.options.length === 1 ? value.options[0] : undefined;
}

/** `GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=…`: git settings from variables, in the form of `-c`. */
export function gitVariables({ assignments, scope }: Call): Word[] {
  if (assignments.length === 0 && scope.variables.size === 0) return [];
  const value = (name: string): Word | undefined =>
    assignments.find((each) => each.name === name)?.value ?? scope.variables.get(name)?.options[0];
  const found: Word[] = [];
  for (let at = 0; at < GIT_VARIABLES_MAX; at += 1) {
    const [key, setting] = [value(`GIT_CONFIG_KEY_${at}`), value(`GIT_CONFIG_VALUE_${at}`)];
    if (!key || !setting) break;
    found.push(join(literalWord(`${key.text}=`), setting));
  }
  // `'key'='value' 'key=value'`, the format that git passes to its own subprocesses.
  const packed = value("GIT_CONFIG_PARAMETERS")?.text.matchAll(/'([^'=]+)(?:'=')?=?([^']*)'/g) ?? [];
  for (const [, key = "", setting = ""] of packed) found.push(literalWord(`${key}=${setting}`));
  return found;
}

const GIT_VARIABLES_MAX = 20;
