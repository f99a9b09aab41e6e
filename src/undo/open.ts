/** Opens a snapshot if it matches the journal's record and lies in the project's own work trees. */
import { createHash } from "node:crypto";
import { constants, fstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { withFile } from "../store/journal/file.ts";
import { bytesOf } from "./bytes.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { shelved } from "./shelf.ts";
import { treeOf } from "./targets.ts";

export interface Opened {
  readonly manifest: Manifest;
  /** Directory of its copies. */
  readonly path: string;
}

const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

export interface Wanted {
  readonly id: string;
  /** SHA-256 of the manifest, from the journal. */
  readonly manifest: string;
}

export function openSnapshot(
  shelf: string,
  { id, manifest: sum }: Wanted,
  project: string,
): Opened | { readonly problem: string } {
  const found = shelved(shelf).find((one) => one.id === id);
  if (!found) return { problem: "its copies are gone: they are kept for a while only" };
  const text = textOf(join(found.path, "manifest.json"));
  if (text === undefined) return { problem: "its list cannot be read" };
  if (createHash("sha256").update(text).digest("hex") !== sum) {
    return { problem: "its list is not the one that was written when it was taken" };
  }
  const manifest = readManifest(text);
  if (!manifest) return { problem: "its list is not one that this version can read" };
  const strange = manifest.trees.find((tree) => !isTreeOf(tree, project));
  if (strange !== undefined) return { problem: `${strange} is no work tree of this project any more` };
  return { manifest, path: found.path };
}

/** The tree itself, not reached through a link. */
function isTreeOf(tree: string, project: string): boolean {
  try {
    return realpathSync.native(tree) === tree && treeOf(bytesOf(tree), project) === bytesOf(tree);
  } catch (error) {
    void error;
    return false;
  }
}

function textOf(path: string): string | undefined {
  try {
    return withFile(path, constants.O_RDONLY, (fd) =>
      fstatSync(fd).size <= MANIFEST_BYTES_MAX ? readFileSync(fd, "utf8") : undefined,
    );
  } catch (error) {
    void error;
    return undefined;
  }
}
