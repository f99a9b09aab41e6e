/** What a check stands on, by stat and never by content: hashing the programs of a PATH takes seconds. */
import { type BigIntStats, lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Footing } from "../../evidence/ground.ts";
import { within } from "../../lib/paths.ts";
import type { Environment } from "./places.ts";

type Digest = (text: string) => string;

export interface Finder {
  readonly home: string;
  readonly digest: Digest;
}

/** A file of that path, through its links. Undefined when there is none. */
export function fileFooting(path: string, from: Finder, name = path): Footing | undefined {
  const seen = chainAt(path);
  return seen && footing(`file ${name}`, tilde(path, from.home), seen, from.digest);
}

export function textFooting(name: string, value: string, { digest }: Finder): Footing {
  return { name, mark: markOf(`text ${name}`, value, digest) };
}

interface Seen {
  readonly state: string;
  readonly changedAt: number;
}

function footing(key: string, name: string, { state, changedAt }: Seen, digest: Digest): Footing {
  return { name, mark: markOf(key, state, digest), changedAt };
}

function markOf(key: string, state: string, digest: Digest): string {
  const short = (text: string, chars: number): string =>
    Buffer.from(digest(text).slice(0, 16), "hex").toString("base64url").slice(0, chars);
  return short(key, 4) + short(state, 9);
}

export function tilde(path: string, home: string): string {
  return within(path, home) && path !== home ? `~${path.slice(home.length)}` : path;
}

const LINKS_MAX = 8;

/** The states of a path, of every link on the way, and of the file at the end. */
function chainAt(path: string): (Seen & { readonly end: string }) | undefined {
  let [at, state, changedAt] = [path, "", 0];
  for (let turn = 0; turn < LINKS_MAX; turn += 1) {
    const stat = statAt(at);
    if (!stat) return undefined;
    state += `${at}\n${stateOf(stat, at)}\n`;
    changedAt = Math.max(changedAt, Number(stat.ctimeMs));
    if (!stat.isSymbolicLink()) return stat.isFile() ? { state, changedAt, end: at } : undefined;
    at = resolve(dirname(at), readlinkSync(at));
  }
  return undefined;
}

function statAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A part of the path is no directory, or may not be read.
    return undefined;
  }
}

/**
 * A package manager that shares files between projects by hard links changes their ctime from elsewhere, so it does not
 * count for those.
 */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs, nlink }: BigIntStats, path: string): string {
  const isShared = nlink > 1n && path.includes("/node_modules/");
  return [dev, ino, size, mtimeNs, isShared ? "" : ctimeNs].join(" ");
}

/** Where the tools of a language put a project's own programs. */
const BINS = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];

/** Each name twice: in the project, and in the search path. One that is nowhere has a footing as well. */
export function programFootings(
  names: readonly string[],
  root: string,
  env: Environment,
  from: Finder,
): readonly Footing[] {
  const searched = (env["PATH"] ?? "").split(":").filter((path) => path.startsWith("/") && !within(path, root));
  return names.flatMap((name) => [
    {
      ...programAt(
        name,
        BINS.map((bin) => join(root, bin)),
        root,
        from,
      ),
      installed: true,
    },
    programAt(name, searched, "/", from),
  ]);
}

function programAt(name: string, directories: readonly string[], base: string, from: Finder): Footing {
  const path = directories.map((directory) => join(directory, name)).find(isProgram);
  const key = `program ${base === "/" ? "" : "own "}${name}`;
  const chain = path === undefined ? undefined : chainAt(path);
  if (path === undefined || !chain) return { name, mark: markOf(key, "none", from.digest), changedAt: 0 };
  const around = packageAround(chain.end);
  const state = chain.state + (around?.state ?? "");
  const changedAt = Math.max(chain.changedAt, around?.changedAt ?? 0);
  const shown = within(path, base) && base !== "/" ? path.slice(base.length + 1) : tilde(path, from.home);
  return footing(key, shown, { state, changedAt }, from.digest);
}

function isProgram(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}

/** The files of the package that a program belongs to, without the packages below it. */
function packageAround(program: string): Seen | undefined {
  const [, node] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(program) ?? [];
  if (node !== undefined && !node.endsWith("/.bin")) return filesBelow(node, () => true);
  const [, venv] = /^(.*\/\.?venv)\/bin\/[^/]+$/.exec(program) ?? [];
  return venv === undefined ? undefined : pythonAround(venv);
}

/** Files that Python runs at every start, and the test runner itself. */
function pythonAround(venv: string): Seen | undefined {
  const site = entriesIn(join(venv, "lib")).map((version) => join(venv, "lib", version, "site-packages"));
  const seen = site.flatMap((place) => {
    const top = entriesIn(place)
      .filter((name) => /\.(?:pth|py)$/.test(name))
      .map((name) => join(place, name));
    const runner = ["pytest", "_pytest", "pluggy"].flatMap(
      (name) => filesBelow(join(place, name), (file) => file.endsWith(".py")) ?? [],
    );
    return [...top.flatMap((path) => chainAt(path) ?? []), ...runner];
  });
  return together(seen);
}

const FILES_MAX = 3000;
/** Tools keep caches in their own directory. */
const CACHES = /^(?:node_modules|__pycache__|\.cache|\.vite.*)$/;

function filesBelow(directory: string, counts: (name: string) => boolean): Seen | undefined {
  const open = [directory];
  const seen: Seen[] = [];
  for (let at = open.shift(); at !== undefined && seen.length < FILES_MAX; at = open.shift()) {
    for (const name of entriesIn(at)) {
      if (CACHES.test(name)) continue;
      const path = `${at}/${name}`;
      const stat = statAt(path);
      if (stat?.isDirectory()) open.push(path);
      else if (stat && counts(name))
        seen.push({ state: `${path} ${stateOf(stat, path)}\n`, changedAt: Number(stat.ctimeMs) });
    }
  }
  return together(seen);
}

function together(seen: readonly Seen[]): Seen | undefined {
  if (seen.length === 0) return undefined;
  return {
    state: seen.map(({ state }) => state).join(""),
    changedAt: seen.reduce((last, { changedAt }) => Math.max(last, changedAt), 0),
  };
}

function entriesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    // There is none, or it may not be read.
    return [];
  }
}

/** The files in a directory that changed after a time, newest first. */
export function changedFilesIn(directory: string, after: number, max: number): readonly string[] {
  return entriesIn(directory)
    .map((name) => ({ path: join(directory, name), stat: statAt(join(directory, name)) }))
    .filter(({ stat }) => stat !== undefined && Number(stat.ctimeMs) > after)
    .sort((a, b) => Number((b.stat?.ctimeMs ?? 0n) - (a.stat?.ctimeMs ?? 0n)))
    .slice(0, max)
    .map(({ path }) => path);
}

/** The state of the directories in the search path: a program put into one and removed again changes it. */
export function searchedState(env: Environment, root: string, { digest }: Finder): string {
  const directories = (env["PATH"] ?? "").split(":").filter((path) => path.startsWith("/") && !within(path, root));
  const states = directories.map((path) => {
    const stat = statAt(path);
    return stat ? stateOf(stat, path) : "";
  });
  return digest(states.join("\n")).slice(0, 12);
}
