/** Overwriting files beyond recovery. */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { hasOption } from "../../../reading/shell/parse/options.ts";
import { type Danger, type DangerContext, forbid, never, question } from "./danger.ts";
import { rewritesGuard } from "./guards.ts";
import { persisting } from "./persistence.ts";
import { isOneFile, worthOf } from "./places.ts";
import { isRecursive, losing, NARROWER, removes, targetWorth, within } from "./targets.ts";

const blockDevicePattern = (): RegExp =>
  /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|md|dm-|mapper\/|sr|mem|kmem|port)/;
const machineFilePattern = (): RegExp =>
  /^(?:\/etc|\/private\/etc|\/boot|\/sys|\/proc|\/bin|\/sbin|\/usr\/(?:bin|sbin|lib)|\/lib\d*)\//;
const logFilePattern = (): RegExp => /^\/var\/(?:log|lib|spool|mail)\//;

export function overwriting(effect: Effect, ground: DangerContext): Danger | undefined {
  const { path, by } = effect;
  if (effect.elsewhere) return undefined;
  if (by === "rsync") return mirroring(effect, ground);
  const guard = rewritesGuard(effect, ground);
  if (guard) return guard;
  if (path.startsWith("/dev/") && blockDevicePattern().test(path)) {
    return never(
      text(`This would overwrite the device ${path}.`, `デバイス ${path} が上書きされます。`),
      text(
        "Write to an image file instead: `dd of=./disk.img`.",
        "代わりにイメージファイルへ書き込んでください: `dd of=./disk.img`。",
      ),
    );
  }
  const system = !within(path, ground) && machineFilePattern().test(path);
  if (!system && !(path.startsWith("/var/") && logFilePattern().test(path))) return emptying(effect, ground);
  if (by === "mkdir" || by === "touch") return undefined;
  const words = text(`This would overwrite the system file ${path}.`, `システムファイル ${path} が上書きされます。`);
  return truncates(effect) ? forbid(words, COPY_FIRST) : question(words, COPY_FIRST);
}

const MIRROR_DRY = text(
  "See what would go first: the same command with `--dry-run --itemize-changes`.",
  "先に同じコマンドに `--dry-run --itemize-changes` を付けて、消えるものを確認してください。",
);

/** Emptying counts as deleting: a key, the history, or everything that find found. */
function emptying(effect: Effect, ground: DangerContext): Danger | undefined {
  if (!effect.literal) return undefined;
  if (!truncates(effect)) return persisting(effect, ground);
  const worth = targetWorth(effect, ground);
  const stays = persisting(effect, ground);
  if (worth.level === "ordinary") return stays;
  const what = text(`This would overwrite ${worth.name.en}.`, `${worth.name.ja}が上書きされます。`);
  if (worth.level === "foreign") return worth.dear ? question(what, KEEP_A_COPY) : stays;
  // Writing to a directory only adds to it, unless each of its files is written.
  const each = isRecursive(effect) && EMPTIES.has(effect.by) && effect.invocation?.via.length !== 0;
  return each || isOneFile(effect.path, ground) ? losing(worth)(what, KEEP_A_COPY) : stays;
}

const EMPTIES = names("truncate tee cp dd sponge");
const KEEP_A_COPY = text(
  "Keep what is there (`cp -a <file> <file>.bak`), and add with `>>` or an edit instead.",
  "元の内容を残し（`cp -a <file> <file>.bak`）、`>>` や編集で追記してください。",
);

/** `rsync --delete` removes every file that the source does not have. */
function mirroring(effect: Effect, ground: DangerContext): Danger | undefined {
  const deletes = effect.invocation?.args.some(({ text: word }) => /^--del(?:ete.*)?$/.test(word)) ?? false;
  const shows = hasOption(effect.invocation?.args ?? [], "n", "--dry-run", "--list-only");
  const remote = /^[^/]+:/.test(effect.spelled);
  if (!deletes || shows) return undefined;
  if (remote) return question(removes("files on another machine", "別のマシン上のファイル"), MIRROR_DRY);
  const worth = worthOf(effect.path, ground);
  if (worth.level !== "vital") return undefined;
  return losing(worth)(removes(worth.name.en, worth.name.ja), NARROWER);
}

const COPY_FIRST = text(
  "Prepare the new version as a file in the project and let the person install it with a backup (`sudo install -b`).",
  "新しい内容をプロジェクト内に用意し、利用者にバックアップ付きで配置してもらってください（`sudo install -b`）。",
);

/** `>` discards the old content; `>>` and in-place edits do not. */
function truncates({ invocation, spelled, by, replaces }: Effect): boolean {
  if (replaces) return true;
  if (invocation?.redirects.some(({ kind, target }) => kind === "write" && target.text === spelled)) return true;
  if (by === "tee") return !(invocation?.args.some(({ text: word }) => word === "-a" || word === "--append") ?? false);
  return (
    by === "dd" ||
    by === "truncate" ||
    by === "cp" ||
    by === "mv" ||
    by === "ln" ||
    by === "install" ||
    by === "openssl"
  );
}
