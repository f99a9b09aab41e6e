/** An installed copy of the program: its version, and whether its files match the build. */

import { dirname, join } from "node:path";
import { plainFile, plainText } from "../../disk/plain-file.ts";
import { sha256Hex } from "../../store/digest.ts";

export interface Installation {
  readonly bundle: string;
  /** Undefined for a build without a manifest. */
  readonly version?: string;
  /** The built files by name, with their SHA-256. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are missing or differ from the build. */
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  /** The reason why the files cannot be checked. */
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
  const file = plainFile(path, BYTES_MAX);
  return file && !file.cut ? sha256Hex(file.bytes) : undefined;
}

/** Far larger than any file of the program. */
const BYTES_MAX = 64 * 1024 * 1024;

interface Manifest {
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

function manifestIn(directory: string): Manifest | string {
  const path = join(directory, "manifest.json");
  const text = plainText(path, BYTES_MAX);
  if (text === undefined) return `${path} cannot be read`;
  try {
    const { version, files } = JSON.parse(text) as Partial<Manifest>;
    // A manifest that names files in other directories is not ours.
    const isOurs = typeof version === "string" && typeof files === "object" && files !== null && "sekisho.cjs" in files;
    if (!isOurs || Object.keys(files).some((name) => name.includes("/"))) return `${path} is not a list of our files`;
    return { version, files };
  } catch (error) {
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
