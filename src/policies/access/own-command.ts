/** Commands that would use or remove Sekisho itself, however they are wrapped. */
import { within } from "../../kernel/paths.ts";
import type { Invocation, Program, ShellReading, Word } from "../../kernel/shell-reading.ts";

/** What an agent may run of us: looking, never granting. Every other verb, also one of a later version, is a person's. */
const OPEN_VERBS: ReadonlySet<string> = new Set([
  "status",
  "explain",
  "audit",
  "judge",
  "policies",
  "try",
  "help",
  "version",
  "--help",
  "-h",
  "--version",
  "-v",
]);

const RUNNERS: ReadonlySet<string> = new Set(["node", "nodejs", "bun", "deno", "tsx", "ts-node"]);
const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "corepack"]);
const REMOVES: ReadonlySet<string> = new Set(["uninstall", "remove", "rm", "un", "unlink", "r", "prune", "dedupe"]);

/** The verb of ours that a shell line would run and that is not open to an agent; undefined when there is none. */
export function reservedVerb(shell: ShellReading, installed: readonly string[]): string | undefined {
  for (const invocation of shell.invocations) {
    const verb = verbOf(invocation, installed);
    if (verb === undefined) continue;
    const [name, ...rest] = verb;
    const isOpen = name === undefined || (name.literal && OPEN_VERBS.has(name.text));
    const prunes = name?.text === "audit" && rest.some(({ text, literal }) => !literal || text === "prune");
    if (!isOpen || prunes) return name?.literal ? name.text : (name?.text ?? "");
  }
  return undefined;
}

/** The words after the program's name when a command is ours: the verb first. */
function verbOf(
  { name, args, word, remote, contained }: Invocation,
  installed: readonly string[],
): readonly Word[] | undefined {
  if (remote || contained) return undefined;
  if (name === "sekisho" || isOurFile(word, installed)) return args.filter(isNotOption);
  if (name === undefined || !(RUNNERS.has(name) || PACKAGE_RUNNERS.has(name))) return undefined;
  if (args.some(({ text }) => REMOVES.has(text)) && args.some(isOurPackage) && PACKAGE_RUNNERS.has(name)) {
    return [{ text: "uninstall", literal: true, glob: false, prefix: "uninstall" }];
  }
  const at = args.findIndex((arg) => isOurFile(arg, installed) || (PACKAGE_RUNNERS.has(name) && isOurPackage(arg)));
  return at < 0 ? undefined : args.slice(at + 1).filter(isNotOption);
}

function isNotOption({ text }: Word): boolean {
  return text !== "--" && !/^--?(json|no-color)$/.test(text);
}

function isOurPackage({ text }: Word): boolean {
  return /^sekisho(@.*)?$/.test(text);
}

function isOurFile({ text }: Word, installed: readonly string[]): boolean {
  return (
    /(^|\/)(sekisho|hook|cli)\.cjs$/.test(text) &&
    (/sekisho/.test(text) || installed.some((place) => within(text, place)))
  );
}

/** What a one-line program would have to say to change one of our places. */
const WRITES =
  /write|unlink|remove|\brm(?:tree|dir|Sync)?\b|rename|replace|truncate|append|chmod|chown|copy|move|symlink|link\(|dump|delete|system|exec|spawn|popen|subprocess|`|open\s*\([^)]*,\s*['"]?[rwax+b]*[wax+]|>\s*['"./~]/i;
const OUR_NAMES =
  /\.claude\/+settings|settings(\.local)?\.json|\.sekisho\b|sekisho\.cjs|state\/+sekisho|config\/+sekisho|disableAllHooks/;

/** A program text handed to an interpreter that names one of our places and could write. */
export function writesToUs({ text }: Program, places: readonly string[]): boolean {
  return WRITES.test(text) && (OUR_NAMES.test(text) || places.some((place) => text.includes(place)));
}
