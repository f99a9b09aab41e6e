/** Removes Sekisho's data for this project, and the shared data when no other project is left. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { dropIfEmpty } from "../../app/setup/empty-directory.ts";
import { gitSight, SETTINGS_MARK, showToGit } from "../../app/setup/git-sight.ts";
import { NOTES } from "../../app/setup/registration-note.ts";
import { layerPath } from "../../app/setup/scope.ts";
import { stopGatehouse } from "../../daemon/start.ts";
import type { Places } from "../../kernel/facts.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { CommandError, paint, say, sayWords } from "../print.ts";
import { isAttended } from "./init-questions.ts";

/** Shared entries beside the journals. */
const SHARED: ReadonlySet<string> = new Set(["code-cache", "gatehouse", "person.key", "sessions", "versions", NOTES]);

interface Remains {
  readonly path: string;
  readonly words: string;
  readonly isAll: boolean;
}

export async function confirmPurge(places: Places, yes: boolean): Promise<boolean> {
  const { path, words: remains } = remainsOf(places);
  const own = localSettings(places);
  if (yes || !(existsSync(path) || own)) return true;
  const words = own ? `${remains}, and your settings in ${own}` : remains;
  if (!isAttended()) {
    throw new CommandError(
      `--purge would remove ${path} (${words}), and there is nobody to ask: this is not a terminal.\nSay so: sekisho uninstall --purge --yes`,
    );
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  const sure = await confirm({ message: `Remove ${path}, ${words}? Nothing brings it back.`, initialValue: false });
  return !isCancel(sure) && sure;
}

export async function purge(places: Places): Promise<void> {
  await purgeJournal(remainsOf(places));
  dropLocalSettings(places);
}

async function purgeJournal({ path, words, isAll }: Remains): Promise<void> {
  if (!existsSync(path)) return say("There is no journal to remove.");
  if (isAll) await stopGatehouse(process.env);
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw new CommandError(`${path} cannot be removed: ${(error as Error).message}`);
  }
  sayWords(`${paint.green("✔")} removed ${path}, ${words}`, "  ");
}

/** The project's local settings file, unless git tracks it and it is therefore shared. */
function localSettings(places: Places): string | undefined {
  const path = layerPath("local", places);
  return existsSync(path) && gitSight(path) !== "tracked" ? path : undefined;
}

function dropLocalSettings(places: Places): void {
  const path = localSettings(places);
  if (path === undefined) return;
  replaceHostFile(path, rewritableText(path), undefined);
  dropIfEmpty(dirname(path));
  showToGit(path, SETTINGS_MARK);
  sayWords(`${paint.green("✔")} removed ${path}`, "  ");
}

function remainsOf({ journal }: Places): Remains {
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
    throw new CommandError(`${directory} cannot be listed: ${(error as Error).message}. Nothing was removed from it.`);
  }
}
