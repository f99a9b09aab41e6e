/** Lists of the code files of a work tree, kept by their digest, so that two states can be compared file by file. */
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { Digest } from "../../evidence/tree.ts";

/** The digest of the earlier state; undefined only keeps the list of this one. */
export interface Since {
  readonly code: string | undefined;
}

const BYTES_MAX = 8 * 1024 * 1024;
const LISTS_MAX = 12;
const CHANGED_MAX = 400;
const NAME = "code.";

/** `entries` as git lists them: the state of a file, a tab and its path. */
export function changedSince(
  { code: before }: Since,
  now: string,
  entries: readonly string[],
  directory: string,
  digest: (text: string) => string,
): Pick<Digest, "changed"> {
  keep(join(directory, `${NAME}${now}`), entries.join("\0"), directory);
  if (before === undefined || before === "") return {};
  if (before === now) return { changed: [] };
  const text = plainText(join(directory, `${NAME}${before}`), BYTES_MAX);
  // The digest is the list's own, so a list that was tampered with is none.
  if (text === undefined || digest(text).slice(0, before.length) !== before) return {};
  const changed = difference(text.split("\0"), entries);
  return changed.length > CHANGED_MAX ? {} : { changed };
}

function difference(before: readonly string[], now: readonly string[]): readonly string[] {
  const [old, young] = [new Set(before), new Set(now)];
  const either = [...before.filter((entry) => !young.has(entry)), ...now.filter((entry) => !old.has(entry))];
  return [...new Set(either.map((entry) => entry.slice(entry.indexOf("\t") + 1)))];
}

function keep(path: string, text: string, directory: string): void {
  if (text.length > BYTES_MAX || statSync(path, { throwIfNoEntry: false })) return;
  writeFileSync(path, text, { mode: 0o600 });
  const lists = readdirSync(directory)
    .filter((name) => name.startsWith(NAME))
    .map((name) => ({ name, at: statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const old = lists.sort((one, other) => other.at - one.at).slice(LISTS_MAX);
  for (const { name } of old) rmSync(join(directory, name), { force: true });
}
