/** A copy of the program on the disk: its version, and whether its files are those that were built. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256Hex } from "../store/digest.ts";

export interface Installation {
  readonly bundle: string;
  /** Undefined for a build that brought no list of its files. */
  readonly version?: string;
  /** The built files, by name, with their sums. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are missing or not as they were built. */
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  /** Why nothing can be said about the files. */
  readonly unknown?: string;
}

export function installationOf(bundle: string): Installation {
  const directory = dirname(bundle);
  const manifest = manifestIn(directory);
  if (typeof manifest === "string") return { bundle, files: {}, missing: [], changed: [], unknown: manifest };
  const sums = Object.keys(manifest.files).map((name) => ({ name, sum: sumOf(join(directory, name)) }));
  return {
    bundle,
    version: manifest.version,
    files: manifest.files,
    missing: sums.filter(({ sum }) => sum === undefined).map(({ name }) => name),
    changed: sums.filter(({ name, sum }) => sum !== undefined && sum !== manifest.files[name]).map(({ name }) => name),
  };
}

/** Undefined for a file that cannot be read. */
export function sumOf(path: string): string | undefined {
  try {
    return sha256Hex(readFileSync(path));
  } catch {
    return undefined;
  }
}

interface Manifest {
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

function manifestIn(directory: string): Manifest | string {
  const path = join(directory, "manifest.json");
  try {
    const { version, files } = JSON.parse(readFileSync(path, "utf8")) as Partial<Manifest>;
    // A list that names files elsewhere is none of ours.
    const isOurs = typeof version === "string" && typeof files === "object" && files !== null && "sekisho.cjs" in files;
    if (!isOurs || Object.keys(files).some((name) => name.includes("/"))) return `${path} is not a list of our files`;
    return { version, files };
  } catch (error) {
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
