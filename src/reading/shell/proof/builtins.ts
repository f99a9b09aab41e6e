/** The effect of shell builtins on the rest of a line. */
import { names } from "../../../lib/name-table.ts";
import { absolute, fromHome, within } from "../../../lib/paths.ts";
import { either, type PartResult, quiet, type ShellState, type Sight, spoil } from "./state.ts";
import { isHarmless, isLocal, type Said } from "./words.ts";

/** Undefined if the command is not a builtin that affects the rest. */
export function builtin([name, ...args]: readonly Said[], standing: ShellState, sight: Sight): PartResult | undefined {
  const words = args.map(({ text }) => text);
  const isOpen = args.some(({ open }) => open);
  switch (name?.text) {
    case "cd":
    case "pushd":
      return goTo(args, standing, sight);
    case "popd":
      return quiet({ ...standing, cwd: undefined });
    case "exit":
      return exit(words, isOpen, standing);
    case "false":
      return { ...quiet(standing), never: standing.spoiled === undefined };
    case "set":
      return quiet((isOpen ? undefined : withOptions(words, standing)) ?? spoil(standing, "environment"));
    case "export":
      return binding(sight.isAuthored || words.every(exportsNothing), standing);
    case "unset":
      return binding(sight.isAuthored || words.every(isLocal), standing);
    case "source":
    case ".":
      return sourced(args, standing, sight);
    case "printf":
      return words[0]?.startsWith("-v") ? quiet(spoil(standing, "environment")) : undefined;
    case "read":
      return binding(
        words.every((word) => word === "-r" || isLocal(word)),
        standing,
      );
    case "return":
    case "logout":
      return quiet(spoil(standing, "branch"));
    default:
      return SPOILING.has(name?.text ?? "") ? quiet(spoil(standing, "environment")) : undefined;
  }
}

function binding(isFree: boolean, standing: ShellState): PartResult {
  return quiet(isFree ? standing : spoil(standing, "environment"));
}

/** Builtins after which a name may mean anything, or another shell may run. */
const SPOILING = names(
  "alias unalias trap eval exec hash rehash enable disable shopt setopt unsetopt emulate autoload zmodload builtin declare typeset local readonly integer float let mapfile readarray getopts vared functions bind noglob nocorrect - fc suspend",
);

const exportsNothing = (word: string): boolean => {
  const at = word.indexOf("=");
  return at > 0 && isHarmless(word.slice(0, at));
};

/** `exit 256` means 0, and a trap set earlier may change the exit code. */
function exit(words: readonly string[], isOpen: boolean, standing: ShellState): PartResult {
  const code = words.length === 1 && !isOpen && /^\d{1,3}$/.test(words[0] ?? "") ? Number(words[0]) : 0;
  const fails = code >= 1 && code <= 255 && standing.spoiled === undefined;
  return fails ? { ...quiet(standing), never: true, leaves: true } : quiet(spoil(standing, "branch"));
}

/** If `cd` fails the directory stays the same. Changing to the root of the work tree cannot fail. */
function goTo(args: readonly Said[], standing: ShellState, { home, root }: Sight): PartResult {
  const [target, ...more] = args.filter(({ text }) => text !== "-P" && text !== "-L" && text !== "--");
  const isKnown = more.length === 0 && !target?.open && !/^[-+]|[*?[{]/.test(target?.text ?? "");
  const cwd = isKnown ? absolute(fromHome(target?.text ?? home, home), standing.cwd) : undefined;
  const there = { ...standing, cwd };
  const isCertain = cwd === root && !/[^./][^/]*\/(?:.*\/)?\.\./.test(target?.text ?? "");
  return quiet(there, isCertain ? there : either(standing, there));
}

/** Activating a virtual environment of this project is common; the caller can check who wrote the file. */
function sourced([file, ...more]: readonly Said[], standing: ShellState, { root, isAuthored }: Sight): PartResult {
  if (isAuthored) return quiet(standing);
  const path = file && !file.open && more.length === 0 ? absolute(file.text, standing.cwd) : undefined;
  const isOurs = path !== undefined && within(path, root) && path.endsWith("/bin/activate");
  return quiet(isOurs ? { ...standing, sourced: path } : spoil(standing, "environment"));
}

/** Undefined for any option but e, u, x and pipefail. */
export function withOptions(words: readonly string[], standing: ShellState): ShellState | undefined {
  let after: ShellState | undefined = standing;
  for (let at = 0; at < words.length && after; at += 1) {
    const [, sign = "", letters = ""] = /^([-+])([euxo]+)$/.exec(words[at] ?? "") ?? [];
    if (letters === "") return undefined;
    if (letters.includes("e")) after = { ...after, errexit: sign === "-" };
    if (!letters.includes("o")) continue;
    at += 1;
    after = withNamed(words[at], sign === "-", after);
  }
  return after;
}

function withNamed(name: string | undefined, isOn: boolean, standing: ShellState): ShellState | undefined {
  switch (name) {
    case "pipefail":
      return { ...standing, pipefail: isOn };
    case "errexit":
      return { ...standing, errexit: isOn };
    case "nounset":
    case "xtrace":
      return standing;
    default:
      return undefined;
  }
}
