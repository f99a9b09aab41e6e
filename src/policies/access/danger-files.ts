/** Deleting, overwriting and re-owning files that nothing brings back. */

import type { Effect } from "../../kernel/operation-effects.ts";
import { shellPattern } from "../../kernel/paths.ts";
import { reachedBy } from "../../kernel/reached.ts";
import { hasOption } from "../../kernel/shell-options.ts";
import { inline, type Text, text } from "../../kernel/text.ts";
import { type Danger, forbid, type Ground, never, question } from "./danger.ts";
import { isOneFile, matchedByGlob, type Worth, wholeOfGlob, worthOf } from "./danger-places.ts";

/** By its letters, and by where they really lead: a link must not hide a root, nor make a stranger of our own. */
export function fileDanger(effect: Effect, ground: Ground): Danger | undefined {
  const spelled = effectDanger(effect, ground);
  const real = reachedBy(effect, ground.reached ?? {});
  if (real === undefined || spelled?.decision === "deny") return spelled;
  return effectDanger({ ...effect, path: real }, ground);
}

function effectDanger(effect: Effect, ground: Ground): Danger | undefined {
  if (effect.kind === "delete") return effect.by === "git" ? undefined : deletion(effect, ground);
  if (effect.kind === "write") return overwriting(effect, ground);
  return effect.kind === "meta" ? ownership(effect, ground) : undefined;
}

const NARROWER = text(
  "Name the directory to remove inside the project, for example `rm -rf ./build`; `git clean -nd` lists what is untracked.",
  "削除する対象をプロジェクト内の具体名で指定してください（例: `rm -rf ./build`）。`git clean -nd` で未追跡ファイルを確認できます。",
);

function deletion(effect: Effect, ground: Ground): Danger | undefined {
  if (effect.by === "mv" && !movesToNothing(effect)) return moving(effect, ground);
  // The shell leaves a quoted `~` alone, and whoever runs the line again without quotes does not.
  if (/^~(?:\/|$)/.test(effect.spelled) && isRecursive(effect)) return uncertain(effect);
  if (!effect.literal) return uncertainDeletion(effect, ground);
  const worth = targetWorth(effect, ground);
  const many = isRecursive(effect) || effect.glob;
  if (worth.level === "vital") return lost(effect, worth);
  if (worth.level !== "foreign" || effect.invocation?.contained) return undefined;
  return many || worth.dear || effect.by === "shred"
    ? question(removes(worth.name.en, worth.name.ja), NARROWER)
    : undefined;
}

function lost(effect: Effect, worth: Extract<Worth, { level: "vital" }>): Danger {
  const words = removes(worth.name.en, worth.name.ja);
  // A container's own root comes back with the next container.
  return effect.elsewhere && effect.invocation?.contained ? question(words, NARROWER) : losing(worth)(words, NARROWER);
}

function losing({ floor }: Extract<Worth, { level: "vital" }>): (what: Text, fix: Text) => Danger {
  return floor ? never : forbid;
}

function removes(en: string, ja: string) {
  return text(`This would delete ${en}.`, `${ja}が削除されます。`);
}

/** Items handed over by find or xargs come with everything below them. */
function isRecursive(effect: Effect): boolean {
  return effect.recursive || (effect.invocation?.via.some((name) => name === "find" || name === "xargs") ?? false);
}

function targetWorth(effect: Effect, ground: Ground): Worth {
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

/** The name depends on something the line does not say: an empty variable turns `$X/` into `/`. */
function uncertainDeletion(effect: Effect, ground: Ground): Danger | undefined {
  const { path, spelled } = effect;
  if (!isRecursive(effect)) return undefined;
  const known = spokenPlace(effect, ground);
  if (known !== undefined) return deletion({ ...effect, ...known, literal: true }, ground);
  if (path === "") return startsUnknown(spelled, ground) ? uncertain(effect) : undefined;
  if (!/[$`\u2026]/.test(spelled)) return isWideName(spelled) ? uncertain(effect) : undefined;
  const narrowed = /\/\u2026(?:\/|$)/.test(spelled);
  if (narrowed && within(path, ground)) return undefined;
  return reachesFar(path, narrowed || /\/$/.test(spelled.split(/[$`]/)[0] ?? ""), ground)
    ? uncertain(effect)
    : undefined;
}

/** A place that is not spelled out and is known all the same: what git says of the repository, `.git` among what find found. */
function spokenPlace(effect: Effect, { project }: Ground): Pick<Effect, "path" | "spelled"> | undefined {
  const { spelled, path, invocation } = effect;
  const found = /\/\u2026\/([^/]+)$/.exec(spelled)?.[1];
  // A pattern of find's matches a leading dot too.
  if (found !== undefined && shellPattern(`-${found}`).test("-.git")) return { path: `${path}/.git`, spelled: found };
  const word = invocation?.args.find(({ text: each }) => each === spelled);
  const said = word?.from?.find(({ name }) => name === "git")?.args.map(({ text: each }) => each);
  if (said?.[0] !== "rev-parse" || !/^\$\([^()]*\)\/?\*?$|^`[^`]*`\/?\*?$/.test(spelled)) return undefined;
  if (said.includes("--show-toplevel")) return { path: project, spelled };
  return said.some((each) => /^--(?:absolute-)?git-(?:common-)?dir$/.test(each))
    ? { path: `${project}/.git`, spelled }
    : undefined;
}

/** With nothing in the variable, `dir/$X` is the open directory itself; `dir/a-$X` is only a thing in it. */
function reachesFar(path: string, open: boolean, ground: Ground): boolean {
  const { level } = worthOf(open ? path : path.replace(/\/[^/]*$/, "") || "/", ground);
  return level === "vital" || (open && level === "foreign");
}

/** `$X`, `$X/` and `$X/*` may be anything; `$X/name` is a name below something, and `${X:?}` is never empty. */
function startsUnknown(spelled: string, ground: Ground): boolean {
  if (/^\$\{\w+:?\?/.test(spelled)) return false;
  const rest = spelled.replace(/^(?:\$\{[^}]*\}|\$\(.*?\)|`[^`]*`|\$\w+|\$[@*])/s, "");
  return !(/^\/[^/*?]+/.test(rest) && worthOf(rest, ground).level !== "vital");
}

/** Where the directory is not known, a name is narrow and a wildcard is not. */
function isWideName(spelled: string): boolean {
  return /^(?:\.{0,2}\/?|[.*/]+)$/.test(spelled);
}

function within(path: string, { project, cwd }: Ground): boolean {
  return `${path}/`.startsWith(`${project}/`) || `${path}/`.startsWith(`${cwd}/`);
}

const GUARDED = '`rm -rf "$' + '{DIR:?}/build"`';

function uncertain({ spelled }: Effect): Danger {
  const name = inline(spelled, 60);
  return question(
    text(
      `This deletes ${name}, and the line does not say what that is.`,
      `${name} を削除しますが、その実体がコマンドから分かりません。`,
    ),
    text(
      `Write the path out, or guard it so that it cannot be empty: ${GUARDED}.`,
      `パスを直接書くか、空にならないよう守ってください: ${GUARDED}。`,
    ),
  );
}

function movesToNothing(effect: Effect): boolean {
  return effect.invocation?.args.some(({ text: word }) => word === "/dev/null") ?? false;
}

function moving(effect: Effect, ground: Ground): Danger | undefined {
  const worth = effect.literal ? targetWorth(effect, ground) : undefined;
  if (worth?.level !== "vital") return undefined;
  return losing(worth)(
    text(`This would move away ${worth.name.en}.`, `${worth.name.ja}が移動されます。`),
    text(
      "Copy what you need with `cp -a`, and leave the original in place.",
      "必要なものだけ `cp -a` でコピーし、元は残してください。",
    ),
  );
}

const BLOCK_DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|md|dm-|mapper\/|sr|mem|kmem|port)/;
const MACHINE_FILE = /^(?:\/etc|\/private\/etc|\/boot|\/sys|\/proc|\/bin|\/sbin|\/usr\/(?:bin|sbin|lib)|\/lib\d*)\//;
const LOG_FILE = /^\/var\/(?:log|lib|spool|mail)\//;

function overwriting(effect: Effect, ground: Ground): Danger | undefined {
  const { path, by } = effect;
  if (effect.elsewhere) return undefined;
  if (by === "rsync") return mirroring(effect, ground);
  if (BLOCK_DEVICE.test(path)) {
    return never(
      text(`This would overwrite the device ${path}.`, `デバイス ${path} が上書きされます。`),
      text(
        "Write to an image file instead: `dd of=./disk.img`.",
        "代わりにイメージファイルへ書き込んでください: `dd of=./disk.img`。",
      ),
    );
  }
  const system = MACHINE_FILE.test(path) && !within(path, ground);
  if (!system && !LOG_FILE.test(path)) return emptying(effect, ground);
  if (by === "mkdir" || by === "touch") return undefined;
  const words = text(`This would overwrite the system file ${path}.`, `システムファイル ${path} が上書きされます。`);
  return truncates(effect) ? forbid(words, COPY_FIRST) : question(words, COPY_FIRST);
}

/** Emptying is deleting: a key, the history, or everything that find found. */
function emptying(effect: Effect, ground: Ground): Danger | undefined {
  if (!effect.literal || !truncates(effect)) return undefined;
  const worth = targetWorth(effect, ground);
  if (worth.level === "ordinary") return undefined;
  const what = text(`This would overwrite ${worth.name.en}.`, `${worth.name.ja}が上書きされます。`);
  if (worth.level === "foreign") return worth.dear ? question(what, KEEP_A_COPY) : undefined;
  // A directory is only written into, except when each of its files is.
  const each = isRecursive(effect) && EMPTIES.has(effect.by) && effect.invocation?.via.length !== 0;
  return each || isOneFile(effect.path, ground) ? losing(worth)(what, KEEP_A_COPY) : undefined;
}

const EMPTIES: ReadonlySet<string> = new Set(["truncate", "tee", "cp", "dd", "sponge"]);
const KEEP_A_COPY = text(
  "Keep what is there (`cp -a <file> <file>.bak`), and add with `>>` or an edit instead.",
  "元の内容を残し（`cp -a <file> <file>.bak`）、`>>` や編集で追記してください。",
);

/** `rsync --delete` removes whatever the source does not have. */
function mirroring(effect: Effect, ground: Ground): Danger | undefined {
  const deletes = effect.invocation?.args.some(({ text: word }) => /^--del(?:ete.*)?$/.test(word)) ?? false;
  const shows = hasOption(effect.invocation?.args ?? [], "n", "--dry-run", "--list-only");
  const remote = /^[^/]+:/.test(effect.spelled);
  const worth = worthOf(effect.path, ground);
  if (!deletes || shows || remote || worth.level !== "vital") return undefined;
  return losing(worth)(removes(worth.name.en, worth.name.ja), NARROWER);
}

const COPY_FIRST = text(
  "Prepare the new version as a file in the project and let the person install it with a backup (`sudo install -b`).",
  "新しい内容をプロジェクト内に用意し、利用者にバックアップ付きで配置してもらってください（`sudo install -b`）。",
);

/** `>` leaves nothing of what was there; `>>` and in-place edits do. */
function truncates({ invocation, spelled, by }: Effect): boolean {
  if (invocation?.redirects.some(({ kind, target }) => kind === "write" && target.text === spelled)) return true;
  if (by === "tee") return !(invocation?.args.some(({ text: word }) => word === "-a" || word === "--append") ?? false);
  return by === "dd" || by === "truncate" || by === "cp" || by === "mv" || by === "ln" || by === "install";
}

function ownership(effect: Effect, ground: Ground): Danger | undefined {
  if (effect.by === "git" || effect.elsewhere || !effect.literal) return undefined;
  const worth = targetWorth(effect, ground);
  if (worth.level !== "vital" || within(effect.path, ground)) return undefined;
  // One directory's own mode matters only where everything passes through it.
  if (!effect.recursive && !/^\/[^/]*$/.test(effect.path)) return undefined;
  return losing(worth)(
    text(
      `This would change permissions of ${worth.name.en}; the old ones are not kept anywhere.`,
      `${worth.name.ja}の権限が変わり、元の値は残りません。`,
    ),
    text(
      "Change the one file or directory that needs it, without -R.",
      "必要なファイルだけを -R なしで変更してください。",
    ),
  );
}
