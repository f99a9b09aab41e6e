/** Takes a snapshot: finds and saves what would be lost, and reports what it could not save. Blocks; never throws. */
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Left, SnapshotOutcome, SnapshotRequest } from "../kernel/snapshot-request.ts";
import type { Loss } from "../reading/operation/losses.ts";
import { isRebuildable } from "../reading/operation/rebuildable.ts";
import { readable } from "./bytes.ts";
import { type Bounds, findNodes } from "./find.ts";
import { type KeepBounds, type Kept, keepNodes } from "./keep.ts";
import type { Manifest } from "./manifest.ts";
import { begin, finish, retire, shelfOf } from "./shelf.ts";
import { stashOf } from "./stash.ts";
import { targetsOf } from "./targets.ts";

const BOUNDS = {
  nodesMax: 20_000,
  filesMax: 2000,
  bytesMax: 64 * 1024 * 1024,
  ignoredFilesMax: 500,
  ignoredBytesMax: 4 * 1024 * 1024,
} as const;

/** Limits for the list of left-out files. */
const LEFT_MAX = 50;
const LEFT_TOLD_MAX = 3;

export function snapshot(request: SnapshotRequest): SnapshotOutcome {
  const { losses, project, directory, now, timeMs } = request;
  const ends = Date.now() + timeMs;
  const bounds: Bounds & KeepBounds = { ...BOUNDS, isLate: () => Date.now() > ends };
  const shelf = shelfOf(directory);
  let started: { readonly id: string; readonly path: string } | undefined;
  try {
    const found = findNodes(targetsOf(losses, project), bounds);
    const stash = losses.some(({ how }) => how === "stash") ? stashOf(losses, project) : undefined;
    if (found.nodes.length === 0 && found.left.length === 0 && !stash) return { is: "empty" };
    started = begin(shelf, now);
    const kept = keepNodes(found, started.path, bounds);
    const left = [...found.left, ...kept.left];
    const trees = [...found.trees.map(readable), ...(stash ? [stash.tree] : [])];
    const aside = stash && { stash: { tree: trees.length - 1, entries: stash.entries } };
    const manifest = { ...listOf(request, started.id, trees, kept, left), ...aside };
    return shelve(shelf, manifest, kept, left, tells(losses, found.nodes));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { is: "failed", problem };
  } finally {
    // A complete snapshot was renamed, so anything left under this name is unfinished.
    if (started) discardAll(started.path);
    tidy(shelf, request);
  }
}

function listOf(
  { now, session, command }: SnapshotRequest,
  id: string,
  trees: readonly string[],
  { entries }: Kept,
  left: readonly Left[],
): Manifest {
  return {
    version: 1,
    id,
    at: now,
    session,
    command,
    trees,
    entries,
    left: left.slice(0, LEFT_MAX),
    leftCount: left.length,
  };
}

function shelve(
  shelf: string,
  manifest: Manifest,
  kept: Kept,
  left: readonly Left[],
  deletes: boolean,
): SnapshotOutcome {
  const { id, entries, stash } = manifest;
  // Rebuildable files are not worth mentioning.
  const worth = left.filter(({ path, reason }) => !(reason === "ignored" && isRebuildable(path)));
  const told = { deletes, leftCount: worth.length, left: worth.slice(0, LEFT_TOLD_MAX) };
  const files = entries.filter(({ type }) => type !== "directory").length + (stash?.entries.length ?? 0);
  const isBare = files === 0 && !(deletes && entries.length > 0);
  if (isBare) return worth.length === 0 ? { is: "empty" } : { is: "left", ...told };
  const text = JSON.stringify(manifest);
  writeFileSync(join(shelf, `new.${id}`, "manifest.json"), text, { flag: "wx", mode: 0o600 });
  finish(shelf, id, kept.bytes + Buffer.byteLength(text));
  const sum = createHash("sha256").update(text).digest("hex");
  return { is: "kept", id, manifest: sum, files, bytes: kept.bytes, copies: kept.copies, ...told };
}

/** Everyday overwrites are saved without a note. */
function tells(losses: readonly Loss[], nodes: readonly { readonly deletes: boolean }[]): boolean {
  return nodes.some(({ deletes }) => deletes) || losses.some(({ how }) => how === "uncommitted" || how === "stash");
}

function discardAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // Its name marks it as unfinished, and the next snapshot tries again.
    void error;
  }
}

function tidy(shelf: string, { now, retention }: SnapshotRequest): void {
  try {
    retire(shelf, now, retention);
  } catch (error) {
    // The next snapshot tries again.
    void error;
  }
}
