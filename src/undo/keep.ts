/** Copies what would be lost into its own directory, within limits; committed files need no copy. */
import { readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Left, LeftReason } from "../kernel/snapshot-request.ts";
import { maskTokens } from "../lib/secrets.ts";
import { isSecretFile } from "../reading/operation/secret-file.ts";
import { contentHoldsKey } from "../world/machine/secret-content.ts";
import { isText, raw, readable } from "./bytes.ts";
import { readThrough } from "./copy.ts";
import type { Found, Node } from "./find.ts";
import { committedIn } from "./git.ts";
import type { Entry } from "./manifest.ts";

export interface KeepBounds {
  readonly filesMax: number;
  readonly bytesMax: number;
  readonly ignoredFilesMax: number;
  readonly ignoredBytesMax: number;
  readonly isLate: () => boolean;
}

export interface Kept {
  readonly entries: readonly Entry[];
  readonly left: readonly Left[];
  readonly bytes: number;
  readonly copies: number;
}

/** Numbered, so that no file name from the work tree is used here. */
export function copyName(number: number): string {
  return `copy.${number}`;
}

/** Throws when the copies cannot be written. */
export function keepNodes({ trees, nodes }: Found, directory: string, bounds: KeepBounds): Kept {
  const committed = trees.map((tree, index) => committedIn(tree, paths(nodes, index)));
  const keeping = { trees, committed, directory, bounds, entries: [], left: [], bytes: 0, copies: 0, spent: [0, 0] };
  // Ignored files come last, so that everything else gets room first.
  for (const node of [...nodes].sort((a, b) => Number(a.ignored) - Number(b.ignored))) keepNode(keeping, node);
  const { entries, left, bytes, copies } = keeping as Keeping;
  return { entries, left, bytes, copies };
}

interface Keeping {
  readonly trees: readonly string[];
  readonly committed: readonly ReadonlyMap<string, string>[];
  readonly directory: string;
  readonly bounds: KeepBounds;
  readonly entries: Entry[];
  readonly left: Left[];
  bytes: number;
  copies: number;
  /** Ignored files and bytes copied so far. */
  spent: number[];
}

function paths(nodes: readonly Node[], tree: number): readonly string[] {
  return nodes.filter((node) => node.tree === tree && node.stat.isFile() && isText(node.path)).map(({ path }) => path);
}

function keepNode(keeping: Keeping, node: Node): void {
  const { tree, path, stat } = node;
  const common = { tree, path, mtimeMs: stat.mtimeMs };
  const name = readable(path);
  const leave = (reason: LeftReason): void => void keeping.left.push({ path: maskTokens(name), reason });
  if (maskTokens(name) !== name) {
    leave("secret");
    return;
  }
  if (stat.isDirectory()) {
    keeping.entries.push({ ...common, type: "directory", mode: stat.mode & 0o777 });
    return;
  }
  if (!stat.isFile() && !stat.isSymbolicLink()) {
    leave("special");
    return;
  }
  if (keeping.bounds.isLate()) {
    leave("time");
    return;
  }
  const whole = `${keeping.trees[tree]}/${path}`;
  try {
    if (stat.isSymbolicLink()) {
      const target = readlinkSync(raw(whole), { encoding: "latin1" });
      if (maskTokens(target) === target) keeping.entries.push({ ...common, type: "link", target });
      else leave("secret");
    } else keepFile(keeping, node, whole, leave);
  } catch (error) {
    if (isOurs(error, keeping.directory)) throw error;
    leave("unreadable");
  }
}

function keepFile(keeping: Keeping, node: Node, whole: string, leave: (reason: LeftReason) => void): void {
  const { tree, path, stat } = node;
  const common = { tree, path, mtimeMs: stat.mtimeMs, type: "file", mode: stat.mode & 0o777 } as const;
  const object = keeping.committed[tree]?.get(path);
  const hashName = object?.length === 64 ? "sha256" : "sha1";
  if (object !== undefined) {
    const { blob, sha256, size, changed } = readThrough(whole, stat, hashName);
    if (blob === object && !changed) {
      // An overwritten file is restored with `git restore`, so only deleted ones are listed.
      if (node.deletes) keeping.entries.push({ ...common, size, sha256, blob });
      return;
    }
  }
  const isSecret = (): boolean => isSecretFile(path) || contentHoldsKey(raw(whole), stat.size);
  const reason = beyond(keeping, node) ?? (isSecret() ? "secret" : undefined);
  if (reason) {
    leave(reason);
    return;
  }
  const copy = keeping.copies;
  const to = join(keeping.directory, copyName(copy));
  const { size, sha256, changed } = readThrough(whole, stat, hashName, to);
  keeping.copies++;
  keeping.bytes += size;
  if (node.ignored) keeping.spent = [(keeping.spent[0] ?? 0) + 1, (keeping.spent[1] ?? 0) + size];
  keeping.entries.push({ ...common, size, sha256, copy, ...(changed && { changed }) });
}

function beyond({ bounds, bytes, copies, spent }: Keeping, { stat, ignored }: Node): LeftReason | undefined {
  const [files = 0, ignoredBytes = 0] = spent;
  if (ignored && (files >= bounds.ignoredFilesMax || ignoredBytes + stat.size > bounds.ignoredBytesMax)) {
    return "ignored";
  }
  if (copies >= bounds.filesMax) return "number";
  return bytes + stat.size > bounds.bytesMax ? "size" : undefined;
}

/** A full or broken destination ends the snapshot; an unreadable file is only left out. */
function isOurs(error: unknown, directory: string): boolean {
  const { code, path } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EROFS" || path?.startsWith(directory) === true;
}
