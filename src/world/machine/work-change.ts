/** What has changed in a work tree since a commit, files that git does not know yet included. */
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { Steps } from "../../kernel/effect.ts";
import { type ChangedFile, changedFiles, newFile } from "../../playbook/diff.ts";
import { type Ask, filtersOff } from "./git-asking.ts";

const DIFF_BYTES_MAX = 16 * 1024 * 1024;
const NEW_FILES_MAX = 500;
const NEW_BYTES_MAX = 1024 * 1024;

/** Undefined where git cannot tell. */
export function* changedSince(root: string, commit: string, ask: Ask): Steps<readonly ChangedFile[] | undefined> {
  const off = filtersOff(yield* ask(["config", "--list", "--name-only", "-z"]));
  if (!off) return undefined;
  const options = ["--unified=0", ...BY_CONTENT, "--src-prefix=a/", "--dst-prefix=b/", "--no-color"];
  const diff = yield* ask([...off, "diff", ...options, commit, "--"], DIFF_BYTES_MAX);
  const added = yield* ask(["ls-files", "--others", "--exclude-standard", "-z"], DIFF_BYTES_MAX);
  if (diff === undefined || added === undefined) return undefined;
  const paths = added.split("\0").filter((path) => path !== "");
  return [...changedFiles(diff), ...paths.slice(0, NEW_FILES_MAX).map((path) => newFile(path, textOf(root, path)))];
}

const BY_CONTENT = ["--ignore-all-space", "--ignore-blank-lines", "--no-ext-diff", "--no-textconv"];
const LIST_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The same as names, for whoever must not miss one: a file that git was told not to look at counts, and so does one that
 * it takes for binary. `written`: files that tools wrote, which count although a list beside the project's own leaves
 * them out.
 */
export function* changedNames(
  root: string,
  commit: string,
  written: readonly string[],
  ask: Ask,
): Steps<readonly string[] | undefined> {
  const off = filtersOff(yield* ask(["config", "--list", "--name-only", "-z"]));
  if (!off) return undefined;
  const here = [`--work-tree=${root}`, "-c", "core.trustctime=true", "-c", "core.checkStat=default", ...off];
  const list = (args: readonly string[]) => ask([...here, ...args], LIST_BYTES_MAX);
  const changed = yield* list(["diff", "--numstat", "-z", "--no-renames", ...BY_CONTENT, commit, "--"]);
  const added = yield* list(["ls-files", "--others", "--exclude-standard", "-z"]);
  const flagged = yield* list(["ls-files", "-v", "-z"]);
  if (changed === undefined || added === undefined || flagged === undefined) return undefined;
  const own = written.length === 0 ? "" : yield* list([...OWN_LISTS, "-z", "--", ...written]);
  return [
    ...new Set([
      ...entriesIn(changed).flatMap(countedIn),
      ...entriesIn(added),
      ...entriesIn(flagged).flatMap(hiddenIn),
    ]),
    ...entriesIn(own ?? ""),
  ];
}

const OWN_LISTS = ["--literal-pathspecs", "ls-files", "--others", "--exclude-per-directory=.gitignore"];

function entriesIn(list: string): readonly string[] {
  return list.split("\0").filter((entry) => entry !== "");
}

/** `1\t2\tpath`, or `-\t-\tpath` for a binary file. Where only blanks changed, both are 0. */
function countedIn(entry: string): readonly string[] {
  const [, lines, path = ""] = /^(\S+\t\S+)\t([\s\S]+)$/.exec(entry) ?? [];
  return lines === undefined || lines === "0\t0" ? [] : [path];
}

/** `h path`: assumed to be unchanged; `S path`: left out of the work tree. */
function hiddenIn(entry: string): readonly string[] {
  return /^[a-zS] /.test(entry) ? [entry.slice(2)] : [];
}

function textOf(root: string, path: string): string {
  return plainText(join(root, path), NEW_BYTES_MAX) ?? "(too large to read)";
}
