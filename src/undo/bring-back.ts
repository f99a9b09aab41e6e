/** Restores a snapshot: every file is complete and checked before it gets its name, and never goes through a link. */

import { createHash } from "node:crypto";
import {
  chmodSync,
  constants,
  fchmodSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { plainFile } from "../disk/plain-file.ts";
import { withFile } from "../store/journal/file.ts";
import { type At, inDirectory, parted } from "./anchor.ts";
import { bytesOf, raw } from "./bytes.ts";
import { writeAll } from "./copy.ts";
import { objectsOf } from "./git.ts";
import { copyName } from "./keep.ts";
import type { Entry, FileEntry, Manifest } from "./manifest.ts";
import type { Step } from "./plan.ts";

export interface Brought {
  readonly entry: Entry;
  /** Why it was not restored. */
  readonly problem?: string;
}

/** Restores only the given steps; the caller has chosen them. */
export function bringBack(manifest: Manifest, snapshot: string, steps: readonly Step[]): readonly Brought[] {
  const contents = contentsOf(manifest, snapshot, steps);
  const brought = steps.map(({ entry, standing }): Brought => {
    const { names, name } = parted(entry.path);
    try {
      inDirectory(treeOf(manifest, entry), names, "make", (at) => {
        if (entry.type === "file") putFile(entry, at, name, contents(entry), standing !== "missing");
        else if (entry.type === "link") putLink(entry.target, at, name, standing !== "missing");
        else putDirectory(at(name));
      });
      return { entry };
    } catch (error) {
      return { entry, problem: error instanceof Error ? error.message : String(error) };
    }
  });
  settleDirectories(manifest, brought);
  return brought;
}

function treeOf({ trees }: Manifest, { tree }: Entry): string {
  return bytesOf(trees[tree] ?? "");
}

type Contents = (entry: FileEntry) => Buffer;
const GROUP_BYTES_MAX = 32 * 1024 * 1024;
const GROUP_FILES_MAX = 1000;

/** From the snapshot's own files, or from git in groups. */
function contentsOf({ trees }: Manifest, snapshot: string, steps: readonly Step[]): Contents {
  const files = steps.flatMap(({ entry }) => (entry.type === "file" && entry.blob !== undefined ? [entry] : []));
  let group = new Map<string, Buffer>();
  const fetch = (entry: FileEntry): Buffer | undefined => {
    const rest = files.slice(files.indexOf(entry)).filter(({ tree }) => tree === entry.tree);
    const wanted = rest.slice(0, 1).concat(fitting(rest.slice(1, GROUP_FILES_MAX)));
    const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
    const objects = wanted.flatMap(({ blob }) => blob ?? []);
    group = new Map(objectsOf(trees[entry.tree] ?? "", objects, bytes));
    return group.get(entry.blob ?? "");
  };
  return (entry) => {
    const { copy, blob = "" } = entry;
    const content =
      copy === undefined
        ? (group.get(blob) ?? fetch(entry))
        : plainFile(join(snapshot, copyName(copy)), entry.size + 1)?.bytes;
    if (!content) throw new Error(copy === undefined ? "git no longer has it" : "the copy cannot be read");
    if (createHash("sha256").update(content).digest("hex") !== entry.sha256) {
      throw new Error("the copy is damaged");
    }
    return content;
  };
}

function fitting(files: readonly FileEntry[]): readonly FileEntry[] {
  let bytes = 0;
  return files.filter(({ size }) => {
    bytes += size;
    return bytes <= GROUP_BYTES_MAX;
  });
}

function putFile({ mode, mtimeMs }: FileEntry, at: At, name: string, content: Buffer, replaces: boolean): void {
  const temporary = at(temporaryName());
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    withFile(temporary, flags, (fd) => {
      writeAll(fd, content);
      fchmodSync(fd, mode);
      futimesSync(fd, mtimeMs / 1000, mtimeMs / 1000);
    });
    if (replaces) renameSync(temporary, at(name));
    else give(temporary, at(name));
  } finally {
    discard(temporary);
  }
}

/** A link is created atomically and never replaces an existing file. */
function give(temporary: Buffer, place: Buffer): void {
  try {
    linkSync(temporary, place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Error("something else stands there now");
    if (lstatSync(place, { throwIfNoEntry: false })) throw error;
    // The file system has no hard links.
    renameSync(temporary, place);
  }
}

function putLink(target: string, at: At, name: string, replaces: boolean): void {
  if (!replaces) {
    symlinkSync(raw(target), at(name));
    return;
  }
  const temporary = at(temporaryName());
  symlinkSync(raw(target), temporary);
  try {
    renameSync(temporary, at(name));
  } finally {
    discard(temporary);
  }
}

/** Its own mode is set last, because it may forbid writing. */
function putDirectory(place: Buffer): void {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat) {
    mkdirSync(place, { mode: 0o700 });
    return;
  }
  if (!stat.isDirectory()) throw new Error("something else stands there now");
}

/** Deepest first, because adding a file changes the time of its directory. */
function settleDirectories(manifest: Manifest, brought: readonly Brought[]): void {
  const directories = brought.filter(({ entry, problem }) => entry.type === "directory" && problem === undefined);
  for (const { entry } of [...directories].sort((a, b) => b.entry.path.length - a.entry.path.length)) {
    const { names, name } = parted(entry.path);
    inDirectory(treeOf(manifest, entry), [...names, name], "leave", (at) => {
      if (entry.type !== "directory") return;
      chmodSync(at("."), entry.mode);
      utimesSync(at("."), entry.mtimeMs / 1000, entry.mtimeMs / 1000);
    });
  }
}

function temporaryName(): string {
  return `.sekisho-undo.${process.pid}.${Math.floor(Math.random() * 36 ** 6).toString(36)}`;
}

function discard(path: Buffer): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // The file already has its name, or was never created.
    void error;
  }
}
