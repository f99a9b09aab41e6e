/**
 * The host's own worktrees (`claude -w`) hold committed files only. Hooks in a shared settings file that isn't committed
 * don't run there, and nothing says so.
 */
import { registration } from "../host.ts";
import { committedText } from "./git-sight.ts";
import { settingsPath } from "./scope.ts";

/** The shared file whose hooks a new worktree would lack, if there is one. Hooks in any other file go along. */
export function hooksOutsideWorktrees(
  project: string,
  files: readonly { readonly path: string; readonly text: string | undefined }[],
): string | undefined {
  const registered = files.filter(({ text }) => registration.registrationIn(text) !== undefined);
  const [only] = registered;
  if (only?.path !== settingsPath("project", project) || registered.length > 1) return undefined;
  const committed = committedText(only.path);
  if (committed === "no-git") return undefined;
  return registration.registrationIn(committed) === undefined ? only.path : undefined;
}

export const COMMIT_HOOKS = "Commit it, or register for this machine with `sekisho init --scope local`.";
