/** What the shell's own commands do to the rest of a line. */
import { names } from "./name-table.ts";
import { absolute, fromHome, within } from "./paths.ts";
import { either, type Outcome, quiet, type Sight, type Standing, spoil } from "./shell-proof-state.ts";
import { isHarmless, isLocal, type Said } from "./shell-proof-words.ts";

/** Undefined when it is none that changes anything. */
export function builtin([name, ...args]: readonly Said[], standing: Standing, sight: Sight): Outcome | undefined {
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
      return quiet(words.every(exportsNothing) ? standing : spoil(standing, "environment"));
    case "unset":
      return quiet(words.every(isLocal) ? standing : spoil(standing, "environment"));
    case "source":
    case ".":
      return sourced(args, standing, sight);
    case "printf":
      return words[0]?.startsWith("-v") ? quiet(spoil(standing, "environment")) : undefined;
    case "read":
      return quiet(words.every((word) => word === "-r" || isLocal(word)) ? standing : spoil(standing, "environment"));
    case "return":
    case "logout":
      return quiet(spoil(standing, "branch"));
    default:
      return SPOILING.has(name?.text ?? "") ? quiet(spoil(standing, "environment")) : undefined;
  }
}

/** After them a name may be anything, or the shell another one. */
const SPOILING = names(
  "alias unalias trap eval exec hash rehash enable disable shopt setopt unsetopt emulate autoload zmodload builtin declare typeset local readonly integer float let mapfile readarray getopts vared functions bind noglob nocorrect - fc suspend",
);

const exportsNothing = (word: string): boolean => {
  const at = word.indexOf("=");
  return at > 0 && isHarmless(word.slice(0, at));
};

/** 256 is 0 again, and a trap that was set before may have the last word. */
function exit(words: readonly string[], isOpen: boolean, standing: Standing): Outcome {
  const code = words.length === 1 && !isOpen && /^\d{1,3}$/.test(words[0] ?? "") ? Number(words[0]) : 0;
  const fails = code >= 1 && code <= 255 && standing.spoiled === undefined;
  return fails ? { ...quiet(standing), never: true, leaves: true } : quiet(spoil(standing, "branch"));
}

/** Where it fails one stays; to the root of the work tree one always comes. */
function goTo(args: readonly Said[], standing: Standing, { home, root }: Sight): Outcome {
  const [target, ...more] = args.filter(({ text }) => text !== "-P" && text !== "-L" && text !== "--");
  const isKnown = more.length === 0 && !target?.open && !/^[-+]|[*?[{]/.test(target?.text ?? "");
  const cwd = isKnown ? absolute(fromHome(target?.text ?? home, home), standing.cwd) : undefined;
  const there = { ...standing, cwd };
  const isCertain = cwd === root && !/[^./][^/]*\/(?:.*\/)?\.\./.test(target?.text ?? "");
  return quiet(there, isCertain ? there : either(standing, there));
}

/** The activation of a virtual environment of this project is everyday; whoever judges can look who wrote it. */
function sourced([file, ...more]: readonly Said[], standing: Standing, { root }: Sight): Outcome {
  const path = file && !file.open && more.length === 0 ? absolute(file.text, standing.cwd) : undefined;
  const isOurs = path !== undefined && within(path, root) && path.endsWith("/bin/activate");
  return quiet(isOurs ? { ...standing, sourced: path } : spoil(standing, "environment"));
}

/** Undefined for anything but e, u, x and pipefail. */
export function withOptions(words: readonly string[], standing: Standing): Standing | undefined {
  let after: Standing | undefined = standing;
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

function withNamed(name: string | undefined, isOn: boolean, standing: Standing): Standing | undefined {
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
