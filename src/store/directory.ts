/** The journal's directory: ours alone, on this machine, and what it holds. */
import { chmodSync, constants, fsyncSync, mkdirSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { faultOf, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { type FileSystemTypeOf, sharedFileSystem } from "./file-system.ts";
import type { StoreFault } from "./store.ts";

export interface SnapshotName {
  readonly segment: number;
  readonly offset: number;
  readonly reducer: string;
  readonly name: string;
}

export interface Listing {
  /** Ascending. */
  readonly segments: readonly number[];
  /** Newest first. */
  readonly snapshots: readonly SnapshotName[];
  /** Snapshots that are being written, or were when their writer died. */
  readonly unfinished: readonly string[];
}

export const UNFINISHED_PREFIX = "snap.new.";

const SEGMENT_NAME = /^journal\.(\d{8})\.jsonl$/;
const SNAPSHOT_NAME = /^snap\.(\d{8})\.(\d{1,15})\.([A-Za-z0-9]+)$/;

/** What is there; nothing at all if the directory does not exist yet. */
export function listDirectory(directory: string): Listing {
  const names = ifThere(() => readdirSync(directory)) ?? [];
  const segments: number[] = [];
  const snapshots: SnapshotName[] = [];
  for (const name of names) {
    const segment = SEGMENT_NAME.exec(name);
    if (segment) segments.push(Number(segment[1]));
    const snapshot = SNAPSHOT_NAME.exec(name);
    if (snapshot) {
      snapshots.push({ segment: Number(snapshot[1]), offset: Number(snapshot[2]), reducer: snapshot[3] ?? "", name });
    }
  }
  return {
    segments: segments.sort((a, b) => a - b),
    snapshots: snapshots.sort((a, b) => b.segment - a.segment || b.offset - a.offset),
    unfinished: names.filter((name) => name.startsWith(UNFINISHED_PREFIX)),
  };
}

/** Makes the directory if need be. A fault if it is not a place where a journal can be kept, as far as that is asked. */
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

/** Who owns the directory can replace what is remembered. */
export function refuseForeign(directory: string): StoreFault | undefined {
  const stat = statOf(directory);
  return stat && foreignOwner(directory, stat.uid);
}

/** A missing directory is the ordinary beginning, and an exception for it costs more than the look. */
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

/** Makes created and removed names last. */
export function syncDirectory(directory: string): void {
  // The directory itself may be reached through a link; only what is in it may not be one.
  withFile(realpathSync(directory), constants.O_RDONLY, fsyncSync);
}
