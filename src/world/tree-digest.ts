/** A digest of a work tree as it stands, made with git in a repository of ours: nothing of the project's is touched. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Digest, Unseen } from "../kernel/facts.ts";
import { endingOf, fileKind } from "../kernel/file-kind.ts";
import type { Errand, Outcome, RunErrand } from "./errand.ts";
import { gitProgram, quietEnvironment } from "./git.ts";
import type { Environment } from "./places.ts";
import { projectKey } from "./project.ts";
import { gitDirectoriesAt, workTreeOf } from "./work-tree.ts";

interface Looking {
  readonly env: Environment;
  readonly places: { readonly project: string; readonly journal: string; readonly home: string };
  readonly digest?: (text: string) => string;
  readonly run?: RunErrand | undefined;
  /** Further endings of code. */
  readonly settings?: { readonly gates: { readonly code_extensions: readonly string[] } };
  readonly deadline: number;
  readonly clock: () => number;
}

/** A gate that waits longer is felt; a tree that takes longer is known by what the tools have said of it. */
const TIME_MS = 2500;
/** For all that is looked at and written down afterwards: several slow trees must not use up the time of an answer. */
const RESERVE_MS = 2000;

/**
 * Git's own settings and filters have no say in a repository that has none of them, and marks in the project's index
 * (`assume-unchanged`) none in an index of ours; only the names of what is tracked are taken from there, so that nobody
 * hides a file by ignoring it. A repository within that has no commit yet is nothing git would add: its files are taken
 * one by one, or an empty `git init` would blind us.
 */
const SCRIPT = `
umask 077
ulimit -t 20 2>/dev/null
d=$1 w=$2 own=$3 i=$4 git=$5
calm="-c core.compression=0 -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.trustctime=true"
g() { GIT_INDEX_FILE=$i "$git" --git-dir="$d" --work-tree="$w" $calm "$@"; }
tracked() { [ ! -f "$own/index" ] || "$git" --git-dir="$own" $calm ls-files -z | g update-index --add --remove -z --stdin; }
anew() { rm -f "$i"; tracked; g add -A .; }
unborn() { find . -name node_modules -prune -o -name .git -prune -print | while IFS= read -r n; do
  [ "$n" = ./.git ] || "$git" --git-dir="$n" $calm rev-parse -q --verify HEAD >/dev/null || printf '%s\n' "\${n%/.git}"
done; }
around() {
  rm -f "$i"; tracked; unborn > "$i.unborn"
  { echo .; sed 's/^/:(exclude,literal)/' "$i.unborn"; } > "$i.spec"
  g add -A --pathspec-from-file="$i.spec" && while IFS= read -r n; do
    find "$n" \\( -name .git -o -name node_modules \\) -prune -o -type f -print0 | g update-index --add -z --stdin
  done < "$i.unborn"
}
rm -f "$i.lock"
{ [ -f "$d/index" ] && cp -p "$d/index" "$i" && g add -A . || anew || around; } >/dev/null 2>&1 || exit 1
g write-tree --missing-ok && g ls-files -s -z > "$i.list"
`;

/** What no check is about, where nobody has said so: a run of one may leave it behind. */
const NEVER = [
  ...["node_modules", ".venv", "__pycache__", "*.pyc", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".eslintcache"],
  ...["coverage", ".nyc_output", ".coverage", ".coverage.*", "htmlcov", "coverage.out", "*.tsbuildinfo", ".hypothesis"],
  ...[".tox", ".nox", "test-results", "playwright-report", "junit.xml", ".DS_Store"],
];

/** `id` names the event: two that look at once must not write over one another. */
export function treeDigest(root: string, id: string, from: Looking): Digest | Unseen {
  const { run, digest, env, places, clock } = from;
  const timeMs = Math.round(Math.min(TIME_MS, from.deadline - clock() - RESERVE_MS));
  if (!run || !digest || timeMs <= 0) return { unseen: "there was no time to look" };
  const git = gitProgram(env, places.project);
  const own = workTreeOf(root)?.own;
  // Without a repository nothing says where the project ends, and a home is none.
  const isBoundless = root === "/" || (own === undefined && `${places.home}/`.startsWith(`${root}/`));
  if (git === undefined || isBoundless) return { unseen: git === undefined ? "there is no git" : "it has no bounds" };
  const ours = join(places.journal, "trees", projectKey(root));
  const index = join(ours, `index.${id.replace(/[^\w-]/g, "_").slice(-80)}`);
  prepare(ours, own);
  const args = ["-c", SCRIPT, "sekisho", ours, root, own ?? "", index, git];
  const outcome = run({ ...SHELL, args, cwd: root, env: environment(env), timeMs, group: true });
  const known = seen.get(outcome);
  if (known) return known;
  try {
    if ("failed" in outcome) return { unseen: outcome.failed };
    const list = readFileSync(`${index}.list`, "utf8");
    keep(ours, index, list, root);
    const entries = withoutTrees(list, root);
    const found = digestOf(outcome.text.trim(), entries, digest, from.settings?.gates.code_extensions);
    seen.set(outcome, found);
    return found;
  } finally {
    for (const end of ["", ".list", ".unborn", ".spec"]) rmSync(`${index}${end}`, { force: true });
    discardObjects(join(ours, "objects"));
  }
}

/** The fast lane comes by again with the same outcome when something else is asked for; the list is gone by then. */
const seen = new WeakMap<Outcome, Digest>();

const SHELL = { program: "/bin/sh" } satisfies Partial<Errand>;

function environment(env: Environment): Readonly<Record<string, string>> {
  return { ...quietEnvironment(env), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
}

/**
 * A repository with nothing in it. Done again it changes nothing: the fast lane comes by twice. Its attributes are stronger
 * than the project's: `ident` would hide whatever stands between `$Id:` and `$`, an encoding would make git fail.
 */
function prepare(ours: string, own: string | undefined): void {
  for (const part of ["info", "objects", "refs"]) mkdirSync(join(ours, part), { recursive: true, mode: 0o700 });
  writeFileSync(join(ours, "HEAD"), "ref: refs/heads/none\n", PRIVATE);
  writeFileSync(join(ours, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", PRIVATE);
  writeFileSync(join(ours, "info/attributes"), "* -ident -filter -working-tree-encoding\n", PRIVATE);
  const excluded = own === undefined ? "" : textOf(join(own, "info/exclude"));
  writeFileSync(join(ours, "info/exclude"), `${NEVER.join("\n")}\n${excluded}`, PRIVATE);
}

const PRIVATE = { mode: 0o600 } as const;

/** A pipe in the project would hold us until the client lets go of the Stop. */
function textOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

/**
 * What was read once is known again by its times, and git compares those by the second: an index with a file in it that
 * was changed in this very second is not kept, or another change in the rest of it would pass unseen. The objects are
 * not needed any more when their names are known.
 */
function keep(ours: string, index: string, list: string, root: string): void {
  const known = textOf(join(ours, "list"));
  if (known === list) return;
  const before = new Set(known.split("\0"));
  const { ctimeMs: now } = lstatSync(index);
  const isSettled = (entry: string): boolean => {
    const changed = lstatSync(join(root, pathIn(entry)), { throwIfNoEntry: false })?.ctimeMs ?? now;
    return Math.floor(changed / 1000) < Math.floor(now / 1000);
  };
  if (!entriesIn(list).every((entry) => before.has(entry) || isSettled(entry))) return;
  renameSync(index, join(ours, "index"));
  writeFileSync(join(ours, "list"), list, PRIVATE);
}

/** Large files stand in packs. Also after a failure: what nobody clears away fills the disk. */
function discardObjects(objects: string): void {
  for (const name of readdirSync(objects)) {
    if (name.length !== 2 && name !== "pack") continue;
    try {
      rmSync(join(objects, name), { recursive: true, force: true });
    } catch (error) {
      // Another event writes there at this moment, and clears it away after itself.
      void error;
    }
  }
}

/** A linked work tree that lies within is a place of its own, and somebody may be at work there. */
function withoutTrees(list: string, root: string): readonly string[] {
  return entriesIn(list).filter((entry) => {
    if (!entry.startsWith("160000 ")) return true;
    const place = join(root, pathIn(entry));
    const { own, common } = gitDirectoriesAt(join(place, ".git")) ?? {};
    return own === common || common !== workTreeOf(root)?.common;
  });
}

function digestOf(
  tree: string,
  entries: readonly string[],
  digest: (text: string) => string,
  endings: readonly string[] = [],
): Digest {
  const part = (of: (path: string) => boolean): string =>
    digest(entries.filter((entry) => of(pathIn(entry))).join("\0")).slice(0, tree.length);
  return {
    tree,
    files: part((path) => fileKind(path, endings) === "code" || isNoDocument(path)),
    code: part((path) => fileKind(path, endings) === "code"),
  };
}

/** A text may be what a program reads (`requirements.txt`): only what is surely for people is left out. */
function isNoDocument(path: string): boolean {
  return fileKind(path) !== "document" || endingOf(path) === "txt";
}

/** `mode object stage<tab>path`. */
function entriesIn(list: string): readonly string[] {
  return list.split("\0").slice(0, -1);
}

function pathIn(entry: string): string {
  return entry.slice(entry.indexOf("\t") + 1);
}
