/** Commands that would run or remove Sekisho itself, inside any wrapper. */

import type { HostTraits } from "../../../kernel/host-traits.ts";
import { type Names, names } from "../../../lib/name-table.ts";
import { absolute, shellPattern, within } from "../../../lib/paths.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import type { Invocation, Program, ShellReading, Word } from "../../../reading/shell/parse/reading.ts";
import { OUR_FILES, type OwnPlaces, parentOf } from "./own-place.ts";

/**
 * Subcommands of Sekisho that an agent may run: they read and never grant. All others, including future ones, are for
 * people.
 */
const OPEN_VERBS = names(
  "status mode trust demo explain audit judge policies stance config try report doctor statusline undo save load export verify certificate evidence rules gate handover snapshot playbook pipeline guard state inbox task agents " +
    "help version --help -h --version -v",
);

/** Arguments that reserve an open subcommand for people. */
const RESERVED_WORDS: Readonly<Record<string, readonly string[]>> = {
  audit: ["prune"],
  config: ["set", "unset"],
  doctor: ["--fix", "--accept"],
  undo: ["--force"],
  // No rule about files would see a file that our own program writes.
  export: ["--out"],
  guard: ["trust", "forget"],
  playbook: ["approve", "close", "adopt"],
  // They start agents and answer gates. An agent looks with `graph` and `validate`.
  pipeline: ["run", "resume", "approve", "reject"],
  trust: ["set"],
  save: ["--file"],
};

const RUNNERS = names("node nodejs bun deno tsx ts-node");
const PACKAGE_RUNNERS = names("npx bunx pnpx npm pnpm yarn bun corepack");
const REMOVES = names("uninstall remove rm un unlink r prune dedupe");
/** Replaces the program by another version, or by another package of the same name. */
const REPLACES = names("link ln update upgrade up");
const INSTALLS = names("install i add in");

/** The reserved subcommand that a shell line would run; undefined if there is none. */
export function reservedVerb(shell: ShellReading, installed: OwnPlaces): string | undefined {
  for (const invocation of shell.invocations) {
    const verb = verbOf(invocation, installed);
    if (verb === undefined) continue;
    const [name, ...rest] = verb;
    const isOpen = name === undefined || (name.literal && OPEN_VERBS.has(name.text));
    const grants = rest.some((word) => isReserved(name?.text ?? "", word)) || endsMode(verb) || isForPeople(verb);
    const moves = name?.text === "undo" && movesState(shell, installed.host);
    if (!isOpen || grants || moves) return name?.literal ? name.text : (name?.text ?? "");
  }
  return undefined;
}

function isReserved(verb: string, { text, literal }: Word): boolean {
  const reserved = Object.hasOwn(RESERVED_WORDS, verb) ? RESERVED_WORDS[verb] : undefined;
  // Without an argument `stance` shows the stance; any argument sets it.
  if (verb === "stance") return !literal || !text.startsWith("-");
  // `--out=x` is `--out`.
  const word = text.startsWith("--") ? text.replace(/=.*$/s, "") : text;
  return reserved !== undefined && (!literal || reserved.includes(word));
}

/** An agent may start a mode for its own session. Ending a mode, or starting one in another session, is for people. */
function endsMode([name, first, ...rest]: readonly Word[]): boolean {
  if (name?.text !== "mode" || first === undefined) return false;
  if (!first.literal || !/^(?:list|start|--help|-h)$/.test(first.text)) return true;
  return rest.some(({ text }) => /^--session(?:=|$)/.test(text));
}

/** Other inboxes, messages in the name of others, and a person's word. Words of a message are data and may be anything. */
function isForPeople([name, first, ...rest]: readonly Word[]): boolean {
  if (name?.text === "task") return rest.some(({ text }) => /^--force(?:=|$)/.test(text));
  if (name?.text !== "inbox" || first === undefined) return false;
  return first.text === "import" || rest.some(({ text }) => /^--for(?:=|$)/.test(text));
}

/** With another state directory, `undo` would write whatever files are stored there. */
function movesState({ invocations }: ShellReading, { projectVariable }: HostTraits): boolean {
  const moving = ["XDG_STATE_HOME", "HOME", projectVariable];
  return invocations.some(
    ({ assignments, args, via, name = "" }) =>
      assignments.some((one) => moving.includes(one.name)) ||
      ((via.includes("env") || setsPattern().test(name)) &&
        args.some(({ text, literal }) => !literal || moving.includes(text.replace(/=.*$/s, "")))),
  );
}

const setsPattern = (): RegExp => /^(?:export|declare|typeset|readonly|env)$/;

/** The words after our program's name, beginning with the subcommand. */
function verbOf(
  { name, args, word, remote, contained }: Invocation,
  installed: OwnPlaces,
): readonly Word[] | undefined {
  if (remote || contained) return undefined;
  if (name === "sekisho" || isOurFile(word, installed)) return args.filter(isNotOption);
  const packages = name !== undefined && PACKAGE_RUNNERS.has(name);
  if (name === undefined || !(packages || RUNNERS.has(name))) return undefined;
  if (packages && args.some(isOurPackage) && exchanges(args)) {
    return [{ text: "uninstall", literal: true, glob: false, prefix: "uninstall" }];
  }
  const at = args.findIndex((arg) => isOurFile(arg, installed) || (packages && isOurPackage(arg)));
  return at < 0 ? undefined : args.slice(at + 1).filter(isNotOption);
}

function exchanges(args: readonly Word[]): boolean {
  const has = (words: Names): boolean => args.some(({ text }) => words.has(text));
  return (
    has(REMOVES) ||
    has(REPLACES) ||
    (has(INSTALLS) && args.some(({ text }) => /^(?:-g|--global|--location=global|global)$/.test(text)))
  );
}

function isNotOption({ text }: Word): boolean {
  return text !== "--" && !/^--?(json|no-color)$/.test(text);
}

function isOurPackage({ text }: Word): boolean {
  return text.startsWith("sekisho") && /^sekisho(@.*)?$/.test(text);
}

function isOurFile({ text, glob }: Word, installed: OwnPlaces): boolean {
  if (glob) {
    const matcher = shellPattern(text.slice(text.lastIndexOf("/") + 1));
    return OUR_FILES.some((file) => matcher.test(file));
  }
  const name = text.slice(text.lastIndexOf("/") + 1);
  return OUR_FILES.includes(name) && (name === "sekisho.cjs" || installed.all.some(({ path }) => within(text, path)));
}

const ENDS_BY_NAME = names("pkill killall skill snice");
/** Commands that find a process id by name. */
const FINDS_PROCESSES = names("awk cat grep egrep jq lsof pgrep pidof ps sed gsed ss");
const OUR_PROCESSES = /sekisho|gatehouse/i;

/** A command that would stop or restart the daemon by name. A bare process id cannot be recognized. */
export function endsUs({ invocations }: ShellReading): string | undefined {
  const meansUs = ({ args, redirects }: Invocation): boolean =>
    [...args, ...redirects.map(({ target }) => target)].some(({ text }) =>
      // Matches `[s]ekisho` too, a pattern that keeps a search from finding itself.
      OUR_PROCESSES.test(text.replace(/[[\]]/g, "")),
    );
  const isFound = (): boolean => invocations.some((one) => FINDS_PROCESSES.has(one.name ?? "") && meansUs(one));
  return invocations.find((one) =>
    one.name === "kill" ? isFound() || meansUs(one) : ENDS_BY_NAME.has(one.name ?? "") && meansUs(one),
  )?.name;
}

/** Commands that only read. Any other unknown command is suspicious if it names one of our files. */
export const LOOKS = names(
  "[ [[ : . awk base64 basename bat cat cd cmp code column command cut diff dirname du echo egrep env export fd fgrep file find " +
    "fold git grep head hexdump jq less ls lsof md5sum more nl node od pr printf pushd python python3 readlink realpath " +
    "rg sekisho sed gsed sha1sum sha224sum sha256sum sha384sum sha512sum shasum sort source stat strings tac tail test tr tree true " +
    "type wc which xargs xxd yq zcat",
);

type Places = Pick<OwnPlaces, "all">;

/** A command in neither table (readers, writers) that gets one of our paths as an argument. */
export function handsOver(shell: ShellReading, effects: readonly Effect[], places: Places): string | undefined {
  for (const invocation of shell.invocations) {
    const { name, args, cwd, remote, contained } = invocation;
    const isKnown = name === undefined || LOOKS.has(name) || changesOf(invocation, effects);
    if (remote || contained || (isKnown && !(name && writesInPlace(name, args)))) continue;
    if (args.some((word) => meansPlace(word, cwd, places))) return name;
  }
  return undefined;
}

function meansPlace({ text, prefix }: Word, cwd: string | undefined, places: Places): boolean {
  const value = valueIn(text);
  return isPlace(value, cwd, places) || (prefix !== value && isPlace(prefix, cwd, places));
}

/** The x of `--file=x` and `of=x`. */
function valueIn(word: string): string {
  const [at, slash] = [word.indexOf("="), word.indexOf("/")];
  return slash < 0 || at < slash ? word.slice(at + 1) : word;
}

/**
 * Changes by the command's own words are judged separately; a read or a redirection says nothing about its other words.
 */
function changesOf(invocation: Invocation, effects: readonly Effect[]): boolean {
  return effects.some(
    ({ invocation: by, kind, spelled }) =>
      by === invocation && kind !== "read" && !invocation.redirects.some(({ target }) => target.text === spelled),
  );
}

/** Git verbs that write to a given path and have no effect rule. */
const GIT_WRITES = names("clone init worktree submodule checkout-index update-index mv");

/** A patch on the line itself, which names the files it changes. */
export function patchesUs({ invocations }: ShellReading, { host }: OwnPlaces): string | undefined {
  const reads = ({ name, args }: Invocation): boolean =>
    name === "patch" || (name === "git" && args.some(({ text }) => text === "apply" || text === "am"));
  return invocations.find((one) => reads(one) && isOurName(one.stdin?.text ?? "", host))?.name;
}

/** Readers with an option that writes. */
function writesInPlace(name: string, args: readonly Word[]): boolean {
  const has = (pattern: RegExp): boolean => args.some(({ text }) => pattern.test(text));
  if (name === "awk") return has(/^-i$|inplace/);
  if (name === "yq") return has(/^(?:-[a-zA-Z]*i|--inplace)$/);
  if (name === "git") return args.some(({ text }) => GIT_WRITES.has(text));
  if (name === "zip" || name === "7z" || name === "7za") return has(/^-\w*[md]|^--(?:move|delete)/);
  return (name === "xxd" && has(/^-r/)) || (name === "sort" && has(/^-o|^--output/));
}

function isPlace(word: string, cwd: string | undefined, places: Places): boolean {
  if (word.includes(".sekisho") && /(?:^|[/,])\.sekisho(?:\/|$)/.test(word)) return true;
  const path = word === "" ? undefined : absolute(word, cwd);
  if (path === undefined) return false;
  return places.all.some(
    (place) => within(path, place.path) || (place.kind === "registration" && parentOf(place.path) === path),
  );
}

/** A reserved subcommand inside a text. */
const spokenPattern = (): RegExp =>
  /\bsekisho(?:\.cjs)?["']?[\s"',\\[(]+(?:--[\s"',\\]+)?(?:allow|accept|import|hook|pause|cancel|uninstall|down|upgrade|audit[\s"',\\]+prune|mode\b[^;|&]{0,80}\bstop|stance[\s"',\\]+[a-z]+|trust\s+set|guard[\s"',\\]+(?:trust|forget)|playbook[\s"',\\]+(?:approve|adopt|close)|config\b[^;|&]{0,80}\b(?:un)?set|undo\b[^;|&]{0,80}--force)\b/i;
/** Commands whose words are meant for readers: a message, a title, a search. */
export const TEXT_ONLY = names("apropos gh glab hub man mail notify-send tee tldr wall");
const runsPattern = (): RegExp => /system|exec|spawn|popen|subprocess|pty|`|do script|fork/i;

/**
 * A reserved subcommand passed to a program that would type, schedule or start it elsewhere: it would then no longer
 * run below the host, and the check for a person could not detect the agent.
 */
export function passesOnVerb({ invocations, programs }: ShellReading): string | undefined {
  const program = programs.find(({ text }) => speaks(text) && runsPattern().test(text));
  if (program) return `${program.language} program`;
  return invocations.find(({ name = "", args, stdin }) => {
    const namesUs = args.some(({ text }) => text.includes("sekisho"));
    if ((!namesUs && name !== "crontab") || LOOKS.has(name) || TEXT_ONLY.has(name)) return false;
    if (speaks(args.map(({ text }) => text).join(" "))) return true;
    return name === "crontab" && speaks(stdin?.text ?? "");
  })?.name;
}

function speaks(text: string): boolean {
  return text.includes("sekisho") && spokenPattern().test(text);
}

/** Words that a one-line program needs to change one of our files. */
const writesPattern = (): RegExp =>
  /write|main\(|unlink|remove|\brm(?:tree|dir|Sync)?\b|rename|replace|truncate|append|chmod|chown|copy|move|symlink|link\(|dump|delete|system|exec|spawn|popen|subprocess|`|open\s*\([^)]*,\s*['"]?[rwax+b]*[wax+]|>\s*['"./~]/i;
const ourNamesPattern = (): RegExp =>
  /\.sekisho\b|(?:sekisho|cli|hook(?:-\w+)?|shell)\.cjs|state\/+sekisho|config\/+sekisho/;

function isOurName(text: string, { settingsWords }: HostTraits): boolean {
  return settingsWords.test(text) || ourNamesPattern().test(text);
}

/** Whether a program contains anything that could change a file. */
export function couldWrite(text: string): boolean {
  return writesPattern().test(text);
}

/** An inline program that names one of our paths and could write. */
export function writesToUs({ text }: Program, places: OwnPlaces): boolean {
  return couldWrite(text) && (isOurName(text, places.host) || places.all.some(({ path }) => text.includes(path)));
}

/** A line that could not be fully read and that names Sekisho; its hidden part is not examined further. */
export function namesUsUnread(command: string, shell: ShellReading, { host }: OwnPlaces): boolean {
  return shell.unknown.length > 0 && isOurName(command, host);
}

/** A text argument of an unknown tool that names one of our paths. */
export function namesUs(words: readonly string[], places: OwnPlaces): string | undefined {
  return words.find((word) => isOurName(word, places.host) || places.all.some(({ path }) => word.includes(path)));
}
