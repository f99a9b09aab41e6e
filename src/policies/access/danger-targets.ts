/** What an effect's target is worth, and the words for losing it. */

import type { Effect } from "../../kernel/operation-effects.ts";
import { type Text, text } from "../../kernel/text.ts";
import { type Danger, forbid, type Ground, never } from "./danger.ts";
import { matchedByGlob, type Worth, wholeOfGlob, worthOf } from "./danger-places.ts";

export const NARROWER = text(
  "Name the directory to remove inside the project, for example `rm -rf ./build`; `git clean -nd` lists what is untracked.",
  "削除する対象をプロジェクト内の具体名で指定してください（例: `rm -rf ./build`）。`git clean -nd` で未追跡ファイルを確認できます。",
);

export function losing({ floor }: Extract<Worth, { level: "vital" }>): (what: Text, fix: Text) => Danger {
  return floor ? never : forbid;
}

export function removes(en: string, ja: string) {
  return text(`This would delete ${en}.`, `${ja}が削除されます。`);
}

/** Items handed over by find or xargs come with everything below them. */
export function isRecursive(effect: Effect): boolean {
  return (
    effect.recursive ||
    (effect.invocation?.via.some((name) => name === "find" || name === "xargs" || name === "parallel") ?? false)
  );
}

export function targetWorth(effect: Effect, ground: Ground): Worth {
  if (!effect.glob) return worthOf(effect.path, ground);
  const { directory, whole } = wholeOfGlob(effect.path);
  const worth = worthOf(directory, ground);
  if (whole) return isRecursive(effect) || worth.level === "ordinary" ? worth : soften(worth);
  const named = isRecursive(effect) ? matchedByGlob(effect.path, ground) : undefined;
  if (named?.level === "vital") return named;
  // `rm /etc/*.conf` takes files of a vital place; `rm *.log` in the project is everyday.
  const inside = directory === ground.cwd || directory === ground.project;
  return inside ? { level: "ordinary" } : soften(worth);
}

function soften(worth: Worth): Worth {
  return worth.level === "vital" ? { level: "foreign", name: worth.name } : worth;
}

export function within(path: string, { project, cwd }: Ground): boolean {
  return `${path}/`.startsWith(`${project}/`) || `${path}/`.startsWith(`${cwd}/`);
}
