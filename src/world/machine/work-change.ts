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
  const options = ["--unified=0", "--ignore-all-space", "--ignore-blank-lines", "--no-ext-diff", "--no-textconv"];
  const diff = yield* ask([...off, "diff", ...options, "--no-color", commit, "--"], DIFF_BYTES_MAX);
  const added = yield* ask(["ls-files", "--others", "--exclude-standard", "-z"], DIFF_BYTES_MAX);
  if (diff === undefined || added === undefined) return undefined;
  const paths = added.split("\0").filter((path) => path !== "");
  return [...changedFiles(diff), ...paths.slice(0, NEW_FILES_MAX).map((path) => newFile(path, textOf(root, path)))];
}

function textOf(root: string, path: string): string {
  return plainText(join(root, path), NEW_BYTES_MAX) ?? "(too large to read)";
}
