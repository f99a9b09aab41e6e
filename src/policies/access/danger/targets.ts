/** Rates the target of an effect, and words its loss. */

import { names } from "../../../lib/name-table.ts";
import { type Text, text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { type Danger, type DangerContext, forbid, never } from "./danger.ts";
import { matchedByGlob, type Worth, wholeOfGlob, worthOf } from "./places.ts";

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

/** Items passed on by find or xargs include everything below them. */
export function isRecursive(effect: Effect): boolean {
  return effect.recursive || (effect.invocation?.via.some((name) => PASSES_ON.has(name)) ?? false);
}

const PASSES_ON = names("find fd fdfind xargs parallel");

export function targetWorth(effect: Effect, ground: DangerContext): Worth {
  if (!effect.glob) return worthOf(effect.path, ground);
  const { directory, whole } = wholeOfGlob(effect.path);
  const worth = worthOf(directory, ground);
  if (whole) return isRecursive(effect) || worth.level === "ordinary" ? worth : soften(worth);
  const named = isRecursive(effect) ? matchedByGlob(effect.path, ground) : undefined;
  if (named?.level === "vital") return named;
  // `rm /etc/*.conf` deletes files in a vital directory; `rm *.log` in the project is ordinary.
  const inside = directory === ground.cwd || directory === ground.project;
  return inside ? { level: "ordinary" } : soften(worth);
}

function soften(worth: Worth): Worth {
  return worth.level === "vital" ? { level: "foreign", name: worth.name } : worth;
}

export function within(path: string, { project, cwd }: DangerContext): boolean {
  return `${path}/`.startsWith(`${project}/`) || `${path}/`.startsWith(`${cwd}/`);
}
