/** The journal's directory, private to the user on this machine, and its contents. */
import { chmodSync, constants, fsyncSync, mkdirSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import type { StoreFault } from "../store.ts";
import { faultOf, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { type FileSystemTypeOf, sharedFileSystem } from "./file-system.ts";

export interface SnapshotName {
  /** The part of the state it holds; empty for the ledger. */
  readonly part: string;
  readonly segment: number;
  readonly offset: number;
  readonly reducer: string;
  readonly name: string;
}

export interface Listing {
  /** Ascending. */
  readonly segments: readonly number[];
  /** Snapshots of the ledger and of all parts, newest first. */
  readonly snapshots: readonly SnapshotName[];
  /** Snapshots that are being written, or whose writer died. */
  readonly unfinished: readonly string[];
}

export const UNFINISHED_PREFIX = "snap.new.";

export function segmentName(segment: number): string {
  return `journal.${String(segment).padStart(8, "0")}.jsonl`;
}

/** Version 0.1.0 knows no parts and ignores file names that begin with `part`. */
export function snapshotName(part: string, segment: number, offset: number, reducer: string): string {
  return `${part === "" ? "snap" : `part.${part}`}.${String(segment).padStart(8, "0")}.${offset}.${reducer}`;
}

/** The contents; empty if the directory does not exist yet. */
export function listDirectory(directory: string): Listing {
  const names = ifThere(() => readdirSync(directory)) ?? [];
  const segments: number[] = [];
  const snapshots: SnapshotName[] = [];
  for (const name of names) {
    const segment = segmentNamed(name);
    if (segment !== undefined) segments.push(segment);
    const snapshot = segment === undefined ? snapshotNamed(name) : undefined;
    if (snapshot) snapshots.push(snapshot);
  }
  return {
    segments: segments.sort((a, b) => a - b),
    snapshots: snapshots.sort((a, b) => b.segment - a.segment || b.offset - a.offset),
    unfinished: names.filter((name) => name.startsWith(UNFINISHED_PREFIX)),
  };
}

/** A name is ours if we would write it so. Every event lists the directory, and regular expressions would cost more. */
function segmentNamed(name: string): number | undefined {
  const segment = Number(name.split(".")[1]);
  return Number.isSafeInteger(segment) && name === segmentName(segment) ? segment : undefined;
}

function snapshotNamed(name: string): SnapshotName | undefined {
  const words = name.split(".");
  const [part = ""] = words[0] === "part" ? words.splice(1, 1) : [];
  const [, at, bytes, reducer = ""] = words;
  const [segment, offset] = [Number(at), Number(bytes)];
  const isPlace = Number.isSafeInteger(segment) && Number.isSafeInteger(offset) && offset >= 0;
  if (!isPlace || reducer === "" || name !== snapshotName(part, segment, offset, reducer)) return undefined;
  return { part, segment, offset, reducer, name };
}

/** Creates the directory if needed. Returns a fault if no journal can be kept there, as far as that is checked. */
export function prepareDirectory(directory: string, typeOf: FileSystemTypeOf | undefined): StoreFault | undefined {
  const stat = statOf(directory) ?? made(directory);
  if (stat && !stat.isDirectory()) return faultOf("corrupt", `${directory} is not a directory.`);
  const foreign = stat && foreignOwner(directory, stat.uid);
  if (foreign) return foreign;
  const shared = typeOf && sharedFileSystem(typeOf(directory));
  if (shared !== undefined) {
    return faultOf(
      "network-file-system",
      `${directory} is on a shared file system (${shared}), where two writers can overwrite each other.`,
    );
  }
  if (process.platform !== "win32" && stat && stat.mode & 0o077) chmodSync(directory, 0o700);
  return undefined;
}

function made(directory: string): Stats | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return statOf(directory);
}

/** The owner of the directory could replace the journal. */
export function refuseForeign(directory: string): StoreFault | undefined {
  const stat = statOf(directory);
  return stat && foreignOwner(directory, stat.uid);
}

/** A missing directory is normal at first, and an exception would cost more than the check. */
function statOf(directory: string): Stats | undefined {
  return statSync(directory, { throwIfNoEntry: false });
}

function foreignOwner(directory: string, owner: number): StoreFault | undefined {
  const self = process.geteuid?.();
  if (self === undefined || owner === self) return undefined;
  return faultOf(
    "read-only",
    `${directory} belongs to user ${owner}, and this is user ${self}: what it remembers is not trusted.`,
  );
}

/** Makes created and removed names durable. */
export function syncDirectory(directory: string): void {
  // The directory itself may be a link; only its files must not be.
  withFile(realpathSync(directory), constants.O_RDONLY, fsyncSync);
}
