/** The list of a snapshot's contents. When read back, it is validated so that a forged one can do no harm. */
import type { Left } from "../kernel/snapshot-request.ts";

/** An entry of a snapshot. `path` is in bytes (see bytes.ts), relative to its work tree. */
export type Entry = {
  /** Index of its work tree. */
  readonly tree: number;
  readonly path: string;
  readonly mtimeMs: number;
} & (
  | { readonly type: "directory"; readonly mode: number }
  | { readonly type: "link"; readonly target: string }
  | {
      readonly type: "file";
      readonly mode: number;
      readonly size: number;
      readonly sha256: string;
      /** Where the content is: a copy in the snapshot, or a git object. */
      readonly copy?: number;
      readonly blob?: string;
      /** The file was written to while it was copied. */
      readonly changed?: true;
    }
);

export type FileEntry = Extract<Entry, { readonly type: "file" }>;

/** A git stash; dropping it loses only its name. */
export interface StashEntry {
  readonly commit: string;
  readonly message: string;
}

export interface Manifest {
  readonly version: 1;
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly command: string;
  /** Absolute paths of the project's work trees. */
  readonly trees: readonly string[];
  readonly entries: readonly Entry[];
  readonly stash?: { readonly tree: number; readonly entries: readonly StashEntry[] };
  readonly left: readonly Left[];
  readonly leftCount: number;
}

/** Undefined unless every part is valid. */
export function readManifest(text: string): Manifest | undefined {
  const value = parsed(text);
  if (!isObject(value) || value["version"] !== 1) return undefined;
  const { id, at, session, command, trees, entries, left, leftCount, stash } = value;
  const isWhole =
    [id, session, command].every((field) => typeof field === "string") &&
    [at, leftCount].every((field) => typeof field === "number") &&
    isList(trees, (tree) => typeof tree === "string" && tree.startsWith("/")) &&
    isList(left, isObject) &&
    isList(entries, (entry) => isEntry(entry, (trees as unknown[]).length)) &&
    (stash === undefined || isStash(stash, (trees as unknown[]).length));
  return isWhole ? (value as unknown as Manifest) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown, holds: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}

function isEntry(value: unknown, trees: number): boolean {
  if (!isObject(value) || !isIndex(value["tree"], trees) || !isInside(value["path"])) return false;
  const { type, mtimeMs, mode, target, size, sha256, copy, blob } = value;
  if (typeof mtimeMs !== "number") return false;
  if (type === "link") return typeof target === "string" && !target.includes("\0") && target !== "";
  if (!isIndex(mode, 0o10000)) return false;
  if (type === "directory") return true;
  return (
    type === "file" &&
    isIndex(size, Number.MAX_SAFE_INTEGER) &&
    /^[0-9a-f]{64}$/.test(String(sha256)) &&
    (isIndex(copy, Number.MAX_SAFE_INTEGER) || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(String(blob)))
  );
}

/** A relative path of plain names: none leads up, out or into git's own directory. */
function isInside(path: unknown): boolean {
  if (typeof path !== "string" || path === "" || /[^\0-\xff]|\0/.test(path)) return false;
  const names = path.split("/");
  return names[0] !== ".git" && names.every((name) => name !== "" && name !== "." && name !== "..");
}

function isStash(value: unknown, trees: number): boolean {
  return (
    isObject(value) &&
    isIndex(value["tree"], trees) &&
    isList(
      value["entries"],
      (entry) =>
        isObject(entry) &&
        /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(String(entry["commit"])) &&
        typeof entry["message"] === "string",
    )
  );
}

function isIndex(value: unknown, end: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < end;
}
