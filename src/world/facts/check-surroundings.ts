/** Settings that decide how a check ends without being part of its command: how its tool runs things. */
import type { Check } from "../../evidence/checks/check.ts";
import type { Tree } from "../machine/project-tree.ts";

/** Rarely edited files that can make every run pass. The configuration of the check itself is not included. */
const FILES: readonly (readonly [tool: RegExp, files: readonly string[]])[] = [
  [/^yarn\b/, [".yarnrc", ".yarnrc.yml"]],
  [/^pnpm\b/, ["pnpm-workspace.yaml"]],
  [/^bun\b/, ["bunfig.toml"]],
  [/^cargo\b/, [".cargo/config.toml", ".cargo/config"]],
  [/^(?:\.\/)?mvnw?\b/, [".mvn/maven.config", ".mvn/jvm.config"]],
  [/\brspec\b/, [".rspec", ".rspec-local"]],
];

const SHAPES: Readonly<Record<string, RegExp>> = {
  ".yarnrc": /^\s*"?(?:yarn-path|script-shell)\b/,
  ".yarnrc.yml": /^\s*(?:yarnPath|plugins|enableScripts|injectEnvironmentFiles)\b|^\s*-?\s*(?:path|spec):/,
  "pnpm-workspace.yaml": /^\s*(?:scriptShell|shellEmulator|nodeOptions|ignoreScripts|enablePrePostScripts)\b/,
};

/** Adds the lines of those files that affect running, each file's lines under its name. */
export function withSurroundings(check: Check, tree: Tree, home: Tree | undefined): Check {
  const files = FILES.flatMap(([tool, names]) => (tool.test(check.command) ? names : []));
  const told = files.flatMap((file) => linesIn(tree, file, SHAPES[file]));
  const own = check.source === "package.json" && home ? linesIn(home, ".npmrc", RUNS_SCRIPTS, "~/") : [];
  const around = [...(check.around === undefined ? [] : [check.around]), ...told, ...own].join("\n");
  return around === "" ? check : { ...check, around };
}

/** `script-shell=/bin/true` makes every script pass. */
export const RUNS_SCRIPTS =
  /^\s*(?:script[-_]shell|shell[-_]emulator|ignore[-_]scripts|if[-_]present|node[-_]options|prefix|dry[-_]run)\b/;

function linesIn(tree: Tree, file: string, shapes: RegExp | undefined, place = ""): readonly string[] {
  const lines = (tree.text(file) ?? "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && (shapes?.test(line) ?? true));
  return lines.length === 0 ? [] : [`# ${place}${file}`, ...lines];
}

/** The lines of a makefile that affect all recipes, plus the full text of the files it includes. */
export function makeSurroundings(tree: Tree, text: string): string {
  const lines = text.replace(/\\\r?\n/g, " ").split(/\r?\n/);
  const governing = lines.filter((line) => GOVERNS.test(line));
  const taken = governing.flatMap((line) => INCLUDES.exec(line)?.[1]?.split(/\s+/) ?? []);
  const names = taken.map((name) => name.replace(/^["']|["']$/g, "")).filter((name) => /^[\w./-]+$/.test(name));
  return [...governing, ...names.slice(0, INCLUDED_MAX).flatMap((name) => [`# ${name}`, tree.text(name) ?? ""])].join(
    "\n",
  );
}

const INCLUDED_MAX = 8;
const INCLUDES = /^(?:[-s]?include|import\??|mod)\s+(.+)$/;
/** `.IGNORE`, `%: SHELL = true`, `define SHELL`, `include x.mk`; in a justfile `set`, `import`. */
const GOVERNS =
  /^(?:[-s]?include|import\??|mod|set|define)\s|^\.(?:IGNORE|ONESHELL|SHELLFLAGS|POSIX|DEFAULT)\b|^[^\t#=:][^#=:]*::?\s*(?:override\s+|export\s+)*[\w.]+\s*[:?+!]{0,3}=/;
