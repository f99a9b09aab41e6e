/** Computes a digest of a work tree with git in a repository of our own, so that the project is not touched. */

import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { Digest, Unseen } from "../../evidence/tree.ts";
import { type ProgramRun, run, type Steps } from "../../kernel/effect.ts";
import { endingOf, fileKind } from "../../reading/operation/file-kind.ts";
import { changedSince, type Since } from "./code-lists.ts";
import { gitProgram, quietEnvironment } from "./git.ts";
import type { Environment } from "./places.ts";
import { projectKey } from "./project.ts";
import { gitDirectoriesAt, workTreeOf } from "./work-tree.ts";

interface Looking {
  readonly env: Environment;
  readonly places: { readonly project: string; readonly journal: string; readonly home: string };
  readonly digest?: (text: string) => string;
  /** Additional file extensions that count as code. */
  readonly settings?: { readonly gates: { readonly code_extensions: readonly string[] } };
  readonly deadline: number;
  readonly clock: () => number;
}

/** A longer wait would be noticeable; for slower trees, the tool calls of the session have to do. */
const TIME_MS = 2500;
/** A sparse file of any size is made in no time. */
const LARGE_KB = 16 * 1024;
const LARGE_MAX = 2000;
/** Time for everything after the lookup: several slow trees must not use up the time of the answer. */
const RESERVE_MS = 2000;

/**
 * Our own repository has none of the project's settings and filters, and our own index none of the flags of the
 * project's index (`assume-unchanged`). Only the names of tracked files are taken from the project's index, so that
 * ignoring a tracked file does not hide it. Git refuses to add a nested repository without commits, so its files are
 * added one by one; otherwise an empty `git init` would break the digest. Large files would take too long to read, so
 * they are listed and count by size and times.
 */
const SCRIPT = (): string => `
umask 077
ulimit -t 20 2>/dev/null
d=$1 w=$2 own=$3 i=$4 git=$5
calm="-c core.compression=0 -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.trustctime=true"
g() { GIT_INDEX_FILE=$i "$git" --git-dir="$d" --work-tree="$w" $calm "$@"; }
small() { if [ -s "$i.large" ]; then tr '\\0' '\\n' | grep -vxF -f "$i.large" | tr '\\n' '\\0'; else cat; fi; }
tracked() { [ ! -f "$own/index" ] || "$git" --git-dir="$own" $calm ls-files -z | small | g update-index --add --remove -z --stdin; }
large() { find . \\( -name .git -o -name node_modules \\) -prune -o -type f -size +${LARGE_KB}k -print | head -n ${LARGE_MAX} | sed 's|^[.]/||' > "$i.all"
  [ ! -s "$i.all" ] || { g -c core.quotePath=false check-ignore --stdin < "$i.all"; cat "$i.all"; } | sort | uniq -u; }
anew() { rm -f "$i"; tracked; g add -A "$@"; }
unborn() { find . -name node_modules -prune -o -name .git -prune -print | while IFS= read -r n; do
  [ "$n" = ./.git ] || "$git" --git-dir="$n" $calm rev-parse -q --verify HEAD >/dev/null || printf '%s\n' "\${n%/.git}"
done; }
around() {
  rm -f "$i"; tracked; unborn > "$i.unborn"
  { echo .; cat "$i.unborn" "$i.large" | sed 's/^/:(exclude,literal)/'; } > "$i.spec"
  g add -A --pathspec-from-file="$i.spec" && while IFS= read -r n; do
    find "$n" \\( -name .git -o -name node_modules \\) -prune -o -type f -print0 | g update-index --add -z --stdin
  done < "$i.unborn"
}
rm -f "$i.lock"
[ ! -f "$d/index" ] || cp -p "$d/index" "$i"
large > "$i.large" 2>/dev/null
set -- .
if [ -s "$i.large" ]; then
  { echo .; sed 's/^/:(exclude,literal)/' "$i.large"; } > "$i.small"; set -- --pathspec-from-file="$i.small"
  tr '\\n' '\\0' < "$i.large" | g update-index --force-remove -z --stdin
fi
{ [ -f "$d/index" ] && g add -A "$@" || anew "$@" || around; } >/dev/null 2>&1 || exit 1
g write-tree --missing-ok && g ls-files -s -z > "$i.list"
`;

/** Caches and output that a run of a check may leave behind; ignored unless tracked. */
const NEVER = [
  ...["node_modules", ".venv", "__pycache__", "*.pyc", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".eslintcache"],
  ...["coverage", ".nyc_output", ".coverage", ".coverage.*", "htmlcov", "coverage.out", "*.tsbuildinfo", ".hypothesis"],
  ...[".tox", ".nox", "test-results", "playwright-report", "junit.xml", ".DS_Store"],
];

/** `id` names the event, so that concurrent lookups do not overwrite each other's files. */
export function* treeDigest(root: string, id: string, from: Looking, since?: Since): Steps<Digest | Unseen> {
  const { digest, env, places, clock } = from;
  const timeMs = Math.round(Math.min(TIME_MS, from.deadline - clock() - RESERVE_MS));
  if (!digest || timeMs <= 0) return { unseen: "there was no time to look" };
  const git = gitProgram(env, places.project);
  const own = workTreeOf(root)?.own;
  // Without a repository the extent of the project is unknown, and a home directory is not a project.
  const isBoundless = root === "/" || (own === undefined && `${places.home}/`.startsWith(`${root}/`));
  if (git === undefined || isBoundless) return { unseen: git === undefined ? "there is no git" : "it has no bounds" };
  const ours = join(places.journal, "trees", projectKey(root));
  const index = join(ours, `index.${id.replace(/[^\w-]/g, "_").slice(-80)}`);
  prepare(ours, own);
  const args = ["-c", SCRIPT(), "sekisho", ours, root, own ?? "", index, git];
  try {
    const outcome = yield* run({ ...SHELL, args, cwd: root, env: environment(env), timeMs, group: true });
    if ("failed" in outcome) return { unseen: outcome.failed };
    const list = plainText(`${index}.list`, LIST_BYTES_MAX);
    if (list === undefined) return { unseen: "there are too many files" };
    keep(ours, index, list, root);
    const large = largeEntries(textOf(`${index}.large`), root);
    const tree = outcome.text.trim();
    const whole = large.length === 0 ? tree : digest([tree, ...large].join("\0")).slice(0, tree.length);
    const endings = from.settings?.gates.code_extensions;
    return digestOf(whole, [...withoutTrees(list, root), ...large], digest, { endings, since, ours });
  } finally {
    for (const end of ["", ".list", ".unborn", ".spec", ".all", ".large", ".small"])
      rmSync(`${index}${end}`, { force: true });
    discardObjects(join(ours, "objects"));
  }
}

/** Like an entry of git's list, with size and times instead of the content's hash. */
function largeEntries(list: string, root: string): readonly string[] {
  return list
    .split("\n")
    .filter((path) => path !== "")
    .map((path) => {
      const stat = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
      const state = stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs] : [];
      return `${state.join(" ")}\t${path}`;
    });
}

const SHELL = { program: "/bin/sh" } satisfies Partial<ProgramRun>;

function environment(env: Environment): Readonly<Record<string, string>> {
  return { ...quietEnvironment(env), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
}

/**
 * A repository with nothing in it. Its attributes are stronger
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

/** Room for a million names. */
const LIST_BYTES_MAX = 128 * 1024 * 1024;

function textOf(path: string): string {
  return plainText(path, LIST_BYTES_MAX) ?? "";
}

/**
 * Git recognizes unchanged files by timestamps in seconds. An index with a file changed in this very second is not
 * kept, or another change within that second would go unnoticed.
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

/** Large files are in packs. Runs after a failure too, since leftover objects would fill the disk. */
function discardObjects(objects: string): void {
  for (const name of readdirSync(objects)) {
    if (name.length !== 2 && name !== "pack") continue;
    try {
      rmSync(join(objects, name), { recursive: true, force: true });
    } catch (error) {
      // Another event is writing there and will clean up itself.
      void error;
    }
  }
}

/** Excludes linked work trees inside this one: they are separate, and another session may be working there. */
function withoutTrees(list: string, root: string): readonly string[] {
  return entriesIn(list).filter((entry) => {
    if (!entry.startsWith("160000 ")) return true;
    const place = join(root, pathIn(entry));
    const { own, common } = gitDirectoriesAt(join(place, ".git")) ?? {};
    return own === common || common !== workTreeOf(root)?.common;
  });
}

interface Detail {
  readonly endings: readonly string[] | undefined;
  readonly since: Since | undefined;
  readonly ours: string;
}

/** Making a script executable changes nothing that a check has read; the digest of the whole tree tells it. */
function withoutModes(entry: string): string {
  return entry.startsWith("100755 ") ? `100644 ${entry.slice(7)}` : entry;
}

function digestOf(
  tree: string,
  all: readonly string[],
  digest: (text: string) => string,
  { endings = [], since, ours }: Detail,
): Digest {
  const entries = all.map(withoutModes);
  const part = (some: readonly string[]): string => digest(some.join("\0")).slice(0, tree.length);
  const isCode = (entry: string): boolean => fileKind(pathIn(entry), endings) === "code";
  const files = part(entries.filter((entry) => isCode(entry) || isNoDocument(pathIn(entry))));
  const code = entries.filter(isCode);
  const found = { tree, files, code: part(code) };
  return since ? { ...found, ...changedSince(since, found.code, code, ours, digest) } : found;
}

/** A .txt file may be input of a program (`requirements.txt`), so it does not count as a document. */
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
