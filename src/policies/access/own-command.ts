/** Commands that would use or remove Sekisho itself, however they are wrapped. */

import { type Names, names } from "../../kernel/name-table.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { absolute, shellPattern, within } from "../../kernel/paths.ts";
import type { Invocation, Program, ShellReading, Word } from "../../kernel/shell-reading.ts";
import { OUR_FILES, type OwnPlaces, parentOf } from "./own-place.ts";

/** What an agent may run of us: looking, never granting. Every other verb, also one of a later version, is a person's. */
const OPEN_VERBS = names(
  "status mode trust demo explain audit judge policies stance config try report doctor statusline undo save load export verify certificate evidence gate snapshot " +
    "help version --help -h --version -v",
);

/** Words that make an open verb a person's. */
const RESERVED_WORDS: Readonly<Record<string, readonly string[]>> = {
  audit: ["prune"],
  config: ["set", "unset"],
  doctor: ["--fix", "--accept"],
  undo: ["--force"],
  // Written by our own program, such a file would be seen by no rule about files.
  export: ["--out"],
  trust: ["set"],
  save: ["--file"],
};

const RUNNERS = names("node nodejs bun deno tsx ts-node");
const PACKAGE_RUNNERS = names("npx bunx pnpx npm pnpm yarn bun corepack");
const REMOVES = names("uninstall remove rm un unlink r prune dedupe");
/** Another version, or somebody else's package under our name, in place of the program. */
const REPLACES = names("link ln update upgrade up");
const INSTALLS = names("install i add in");

/** The verb of ours that a shell line would run and that is not open to an agent; undefined when there is none. */
export function reservedVerb(shell: ShellReading, installed: OwnPlaces): string | undefined {
  for (const invocation of shell.invocations) {
    const verb = verbOf(invocation, installed);
    if (verb === undefined) continue;
    const [name, ...rest] = verb;
    const isOpen = name === undefined || (name.literal && OPEN_VERBS.has(name.text));
    const grants = rest.some((word) => isReserved(name?.text ?? "", word)) || endsMode(verb);
    const moves = name?.text === "undo" && movesState(shell);
    if (!isOpen || grants || moves) return name?.literal ? name.text : (name?.text ?? "");
  }
  return undefined;
}

function isReserved(verb: string, { text, literal }: Word): boolean {
  const reserved = Object.hasOwn(RESERVED_WORDS, verb) ? RESERVED_WORDS[verb] : undefined;
  // A stance is shown without a word, and with any word somebody means to set it.
  if (verb === "stance") return !literal || !text.startsWith("-");
  // `--out=x` is `--out`.
  const word = text.startsWith("--") ? text.replace(/=.*$/s, "") : text;
  return reserved !== undefined && (!literal || reserved.includes(word));
}

/** Whoever starts a mode binds himself. To end one, or to bind another session, is a person's. */
function endsMode([name, first, ...rest]: readonly Word[]): boolean {
  if (name?.text !== "mode" || first === undefined) return false;
  if (!first.literal || !/^(?:list|start|--help|-h)$/.test(first.text)) return true;
  return rest.some(({ text }) => /^--session(?:=|$)/.test(text));
}

/** From a state of somebody's making, `undo` would write whatever stands there. */
function movesState({ invocations }: ShellReading): boolean {
  return invocations.some(
    ({ assignments, args, via, name = "" }) =>
      assignments.some((one) => stateVariablesPattern().test(one.name)) ||
      ((via.includes("env") || setsPattern().test(name)) &&
        args.some(({ text, literal }) => !literal || stateSetPattern().test(text))),
  );
}

const stateVariablesPattern = (): RegExp => /^(?:XDG_STATE_HOME|HOME|CLAUDE_PROJECT_DIR)$/;
const stateSetPattern = (): RegExp => /^(?:XDG_STATE_HOME|HOME|CLAUDE_PROJECT_DIR)(?:=|$)/;
const setsPattern = (): RegExp => /^(?:export|declare|typeset|readonly|env)$/;

/** The words after the program's name when a command is ours: the verb first. */
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
/** What tells the number of a process by its name. */
const FINDS_PROCESSES = names("awk cat grep egrep jq lsof pgrep pidof ps sed gsed ss");
const OUR_PROCESSES = /sekisho|gatehouse/i;

/** A command that would end the gatehouse, or tell it to begin anew, by its name: its number alone tells us nothing. */
export function endsUs({ invocations }: ShellReading): string | undefined {
  const meansUs = ({ args, redirects }: Invocation): boolean =>
    [...args, ...redirects.map(({ target }) => target)].some(({ text }) =>
      // `[s]ekisho`, so that a search does not find itself.
      OUR_PROCESSES.test(text.replace(/[[\]]/g, "")),
    );
  const isFound = (): boolean => invocations.some((one) => FINDS_PROCESSES.has(one.name ?? "") && meansUs(one));
  return invocations.find((one) =>
    one.name === "kill" ? isFound() || meansUs(one) : ENDS_BY_NAME.has(one.name ?? "") && meansUs(one),
  )?.name;
}

/** Commands that only look. Of any other that we know nothing about, a name of ours among its words is reason enough. */
const LOOKS = names(
  "[ [[ : . awk base64 basename bat cat cd cmp code column command cut diff dirname du echo egrep env export fd fgrep file find " +
    "fold git grep head hexdump jq less ls lsof md5sum more nl node od pr printf pushd python python3 readlink realpath " +
    "rg sekisho sed gsed sha1sum sha224sum sha256sum sha384sum sha512sum shasum sort source stat strings tac tail test tr tree true " +
    "type wc which xargs xxd yq zcat",
);

/** A command outside both tables, readers and writers, that is handed one of our places. */
export function handsOver(shell: ShellReading, effects: readonly Effect[], places: OwnPlaces): string | undefined {
  for (const invocation of shell.invocations) {
    const { name, args, cwd, remote, contained } = invocation;
    const isKnown = name === undefined || LOOKS.has(name) || changesOf(invocation, effects);
    if (remote || contained || (isKnown && !(name && writesInPlace(name, args)))) continue;
    if (args.some((word) => meansPlace(word, cwd, places))) return name;
  }
  return undefined;
}

function meansPlace({ text, prefix }: Word, cwd: string | undefined, places: OwnPlaces): boolean {
  const value = text.includes("=") ? text.replace(/^[^=/]*=/, "") : text;
  return isPlace(value, cwd, places) || (prefix !== value && isPlace(prefix, cwd, places));
}

/** What it changes by its own words is judged for itself; that it reads, or is redirected, says nothing of the rest. */
function changesOf(invocation: Invocation, effects: readonly Effect[]): boolean {
  return effects.some(
    ({ invocation: by, kind, spelled }) =>
      by === invocation && kind !== "read" && !invocation.redirects.some(({ target }) => target.text === spelled),
  );
}

/** Of git's verbs, those that put files where they are told and that have no row among the effects. */
const GIT_WRITES = names("clone init worktree submodule checkout-index update-index mv");

/** A patch that stands on the line, and says itself what it changes. */
export function patchesUs({ invocations }: ShellReading): string | undefined {
  const reads = ({ name, args }: Invocation): boolean =>
    name === "patch" || (name === "git" && args.some(({ text }) => text === "apply" || text === "am"));
  return invocations.find((one) => reads(one) && ourNamesPattern().test(one.stdin?.text ?? ""))?.name;
}

/** Readers that have a way of writing. */
function writesInPlace(name: string, args: readonly Word[]): boolean {
  const has = (pattern: RegExp): boolean => args.some(({ text }) => pattern.test(text));
  if (name === "awk") return has(/^-i$|inplace/);
  if (name === "yq") return has(/^(?:-[a-zA-Z]*i|--inplace)$/);
  if (name === "git") return args.some(({ text }) => GIT_WRITES.has(text));
  if (name === "zip" || name === "7z" || name === "7za") return has(/^-\w*[md]|^--(?:move|delete)/);
  return (name === "xxd" && has(/^-r/)) || (name === "sort" && has(/^-o|^--output/));
}

function isPlace(word: string, cwd: string | undefined, places: OwnPlaces): boolean {
  if (word.includes(".sekisho") && /(?:^|[/,])\.sekisho(?:\/|$)/.test(word)) return true;
  const path = word === "" ? undefined : absolute(word, cwd);
  if (path === undefined) return false;
  return places.all.some(
    (place) => within(path, place.path) || (place.kind === "registration" && parentOf(place.path) === path),
  );
}

/** A verb that opens something, as part of a text. */
const spokenPattern = (): RegExp =>
  /\bsekisho(?:\.cjs)?["']?[\s"',\\]+(?:allow|accept|import|hook|pause|cancel|uninstall|down|mode\b[^;|&]{0,80}\bstop|stance[\s"',\\]+[a-z]+|trust\s+set|config\b[^;|&]{0,80}\b(?:un)?set|undo\b[^;|&]{0,80}--force)\b/i;
/** Their words are for readers: a message, a title, a search. */
const TEXT_ONLY = names("apropos gh glab hub man mail notify-send tee tldr wall");
const runsPattern = (): RegExp => /system|exec|spawn|popen|subprocess|pty|`|do script|fork/i;

/**
 * A verb for people that is handed to something which would type it, schedule it or start it elsewhere: there it would
 * no longer stand below the client, and the door for people could not tell.
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

/** What a one-line program would have to say to change one of our places. */
const writesPattern = (): RegExp =>
  /write|main\(|unlink|remove|\brm(?:tree|dir|Sync)?\b|rename|replace|truncate|append|chmod|chown|copy|move|symlink|link\(|dump|delete|system|exec|spawn|popen|subprocess|`|open\s*\([^)]*,\s*['"]?[rwax+b]*[wax+]|>\s*['"./~]/i;
const ourNamesPattern = (): RegExp =>
  /\.claude\b(?!\/+(?:agents|commands|skills))|settings(\.local)?\.json|\.sekisho\b|(?:sekisho|cli|hook(?:-\w+)?|shell)\.cjs|state\/+sekisho|config\/+sekisho|disableAllHooks/;

/** Is there anything in a program that could change a file? */
export function couldWrite(text: string): boolean {
  return writesPattern().test(text);
}

/** A program text handed to an interpreter that names one of our places and could write. */
export function writesToUs({ text }: Program, places: OwnPlaces): boolean {
  return couldWrite(text) && (ourNamesPattern().test(text) || places.all.some(({ path }) => text.includes(path)));
}

/** A line that could not be read whole, and that names us: what it hides is not looked for any further. */
export function namesUsUnread(command: string, shell: ShellReading): boolean {
  return shell.unknown.length > 0 && ourNamesPattern().test(command);
}

/** A text of a tool we know nothing about that names one of our places. */
export function namesUs(words: readonly string[], places: OwnPlaces): string | undefined {
  return words.find((word) => ourNamesPattern().test(word) || places.all.some(({ path }) => word.includes(path)));
}
