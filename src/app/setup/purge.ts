/** Removes Sekisho's data for this project, and the shared data when no other project is left. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { stopGatehouse } from "../../daemon/start.ts";
import type { Places } from "../../kernel/facts.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { Problem } from "../problem.ts";
import { dropIfEmpty } from "./empty-directory.ts";
import { gitSight, SETTINGS_MARK, showToGit } from "./git-sight.ts";
import { NOTES } from "./registration-note.ts";
import { layerPath } from "./scope.ts";

/** Shared entries beside the journals. */
const SHARED: ReadonlySet<string> = new Set(["code-cache", "gatehouse", "person.key", "sessions", "versions", NOTES]);

export interface Remains {
  readonly path: string;
  /** What is there, for the question whether to remove it. */
  readonly words: string;
}

/** What a purge would remove, or undefined when there is nothing. */
export function remainsHere(places: Places): Remains | undefined {
  const { path, words } = journalRemains(places);
  const own = localSettings(places);
  if (!existsSync(path) && own === undefined) return undefined;
  return { path, words: own === undefined ? words : `${words}, and your settings in ${own}` };
}

/** Undefined when there is no journal. Stops the daemon if nothing is left for it. */
export async function purgeJournal(places: Places): Promise<Remains | undefined> {
  const { path, words, isAll } = journalRemains(places);
  if (!existsSync(path)) return undefined;
  if (isAll) await stopGatehouse(process.env);
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw new Problem(`${path} cannot be removed: ${(error as Error).message}`);
  }
  return { path, words };
}

/** Returns the removed file. */
export function purgeSettings(places: Places): string | undefined {
  const path = localSettings(places);
  if (path === undefined) return undefined;
  replaceHostFile(path, rewritableText(path), undefined);
  dropIfEmpty(dirname(path));
  showToGit(path, SETTINGS_MARK);
  return path;
}

/** The project's local settings file, unless git tracks it and it is therefore shared. */
function localSettings(places: Places): string | undefined {
  const path = layerPath("local", places);
  return existsSync(path) && gitSight(path) !== "tracked" ? path : undefined;
}

function journalRemains({ journal }: Places): Remains & { readonly isAll: boolean } {
  const root = stateRoot(process.env);
  const others = namesIn(root).filter((name) => !SHARED.has(name) && join(root, name) !== journal);
  return others.length === 0
    ? { path: root, words: "the journal and everything else that Sekisho remembers", isAll: true }
    : { path: journal, words: `this project's journal; ${others.length} other project(s) keep theirs`, isAll: false };
}

function namesIn(directory: string): readonly string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  try {
    return readdirSync(directory);
  } catch (error) {
    throw new Problem(`${directory} cannot be listed: ${(error as Error).message}. Nothing was removed from it.`);
  }
}
