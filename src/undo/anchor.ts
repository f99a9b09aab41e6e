/** A directory below a work tree, opened name by name and never through a link, whatever changes meanwhile. */
import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { raw } from "./bytes.ts";

/** The path of a name in the directory, valid while the directory is open. */
export type At = (name: string) => Buffer;

/** Something that is not a directory is in the way. */
export class Blocked extends Error {}

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** On Linux an open directory is addressed by its descriptor; elsewhere by its path, checked just before. */
const HELD = "/proc/self/fd";

/** Undefined when the directory does not exist and is not to be created. */
export function inDirectory<T>(
  tree: string,
  names: readonly string[],
  missing: "make" | "leave",
  use: (at: At) => T,
): T | undefined {
  const held: number[] = [];
  try {
    let at = enter(held, raw(tree), tree);
    let path = tree;
    for (const name of names) {
      const next = at(name);
      if (!isThere(next)) {
        if (missing === "leave") return undefined;
        mkdirSync(next);
      }
      path = `${path}/${name}`;
      at = enter(held, next, path);
    }
    return use(at);
  } finally {
    for (const fd of held) closeSync(fd);
  }
}

function enter(held: number[], place: Buffer, path: string): At {
  let fd: number;
  try {
    fd = openSync(place, DIRECTORY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENOTDIR") throw new Blocked("a link or a file stands where its directory was");
    throw error;
  }
  held.push(fd);
  const isHeld = existsSync(`${HELD}/${fd}`);
  return (name) => raw(isHeld ? `${HELD}/${fd}/${name}` : `${path}/${name}`);
}

function isThere(place: Buffer): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

/** Splits a path into its directory and its last name. */
export function parted(path: string): { readonly names: readonly string[]; readonly name: string } {
  const names = path.split("/");
  return { names: names.slice(0, -1), name: names.at(-1) ?? "" };
}
