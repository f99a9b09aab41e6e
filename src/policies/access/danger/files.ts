/** Deleting files, or changing their owner or mode, beyond recovery. */

import { names } from "../../../lib/name-table.ts";
import { shellPattern } from "../../../lib/paths.ts";
import { inline, type Text, text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { reachedBy } from "../../../reading/operation/reached.ts";
import { type Danger, type DangerContext, forbid, question } from "./danger.ts";
import { type Worth, worthOf } from "./places.ts";
import { isRecursive, losing, NARROWER, removes, targetWorth, within } from "./targets.ts";
import { overwriting } from "./writes.ts";

/** Judges the path as written and its link target: a link must not hide a root, nor make our own files look foreign. */
export function fileDanger(effect: Effect, ground: DangerContext): Danger | undefined {
  const spelled = effectDanger(effect, ground);
  const real = reachedBy(effect, ground.reached ?? {});
  if (real === undefined || spelled?.decision === "deny") return spelled;
  return effectDanger({ ...effect, path: real }, ground);
}

function effectDanger(effect: Effect, ground: DangerContext): Danger | undefined {
  if (effect.kind === "delete") return effect.by === "git" ? undefined : deletion(effect, ground);
  if (effect.kind === "write") return overwriting(effect, ground);
  return effect.kind === "meta" ? ownership(effect, ground) : undefined;
}

function deletion(effect: Effect, ground: DangerContext): Danger | undefined {
  if (effect.by === "mv" && !movesToNothing(effect)) return moving(effect, ground);
  // The shell does not expand a quoted `~`, but the line may be run again without quotes.
  if (effect.spelled === "~" || effect.spelled.startsWith("~/")) {
    const meant = isRecursive(effect) ? uncertain(effect) : dearAlone(effect, ground);
    if (meant) return meant;
  }
  if (!effect.literal) return uncertainDeletion(effect, ground);
  const worth = targetWorth(effect, ground);
  const many = isRecursive(effect) || effect.glob;
  if (worth.level === "vital") return lost(effect, worth);
  if (worth.level !== "foreign" || effect.invocation?.contained) return undefined;
  return many || worth.dear || effect.by === "shred"
    ? question(removes(worth.name.en, worth.name.ja), NARROWER)
    : undefined;
}

/** `rm "~/Documents/x"` does not touch the home, but asks if the same path in the home matters. */
function dearAlone({ spelled }: Effect, ground: DangerContext): Danger | undefined {
  const worth = worthOf(`${ground.home}${spelled.slice(1)}`, ground);
  const dear = worth.level === "vital" || (worth.level === "foreign" && worth.dear);
  return dear ? question(removes(worth.name.en, worth.name.ja), NARROWER) : undefined;
}

function lost(effect: Effect, worth: Extract<Worth, { level: "vital" }>): Danger {
  const words = removes(worth.name.en, worth.name.ja);
  // A container's own root is recreated with the next container.
  return effect.elsewhere && effect.invocation?.contained ? question(words, NARROWER) : losing(worth)(words, NARROWER);
}

/** The path depends on an unknown value: an empty variable turns `$X/` into `/`. */
function uncertainDeletion(effect: Effect, ground: DangerContext): Danger | undefined {
  const { path, spelled, invocation } = effect;
  if (!isRecursive(effect)) return undefined;
  const known = spokenPlace(effect, ground);
  if (known !== undefined) return deletion({ ...effect, ...known, literal: true }, ground);
  if (invocation?.cwd === undefined && invocation?.via.some((name) => MOVERS.has(name))) return uncertain(effect);
  if (path === "") return startsUnknown(spelled, ground) ? uncertain(effect) : undefined;
  if (!/[$`\u2026]/.test(spelled)) return isWideName(spelled) ? uncertain(effect) : undefined;
  const narrowed = /\/\u2026(?:\/|$)/.test(spelled);
  if (narrowed && within(path, ground)) return inHistory(effect, ground);
  return reachesFar(path, narrowed || /\/$/.test(spelled.split(/[$`]/)[0] ?? ""), ground)
    ? uncertain(effect)
    : undefined;
}

/** `find .git -name '*.pack' -delete` */
function inHistory(effect: Effect, ground: DangerContext): Danger | undefined {
  const worth = /\/\.git(?:\/|$)/.test(effect.path) ? worthOf(effect.path, ground) : undefined;
  return worth?.level === "vital" ? lost(effect, worth) : undefined;
}

/** Wrappers that can change the directory. A plain `cd "$X" && rm -rf build` is too common to ask about. */
const MOVERS = names("env sudo doas");

/** A path that is not written out but known: the answer of `git rev-parse`, or `.git` among the results of find. */
function spokenPlace(effect: Effect, { project }: DangerContext): Pick<Effect, "path" | "spelled"> | undefined {
  const { spelled, path, invocation } = effect;
  const found = /\/\u2026\/([^/]+)$/.exec(spelled)?.[1];
  // A pattern of find also matches a leading dot.
  if (found !== undefined && shellPattern(`-${found}`).test("-.git")) return { path: `${path}/.git`, spelled: found };
  const word = invocation?.args.find(({ text: each }) => each === spelled);
  const said = word?.from?.find(({ name }) => name === "git")?.args.map(({ text: each }) => each);
  if (said?.[0] !== "rev-parse" || !/^\$\([^()]*\)\/?\*?$|^`[^`]*`\/?\*?$/.test(spelled)) return undefined;
  if (said.includes("--show-toplevel")) return { path: project, spelled };
  return said.some((each) => /^--(?:absolute-)?git-(?:common-)?dir$/.test(each))
    ? { path: `${project}/.git`, spelled }
    : undefined;
}

/** If the variable is empty, `dir/$X` is the directory itself (`open`); `dir/a-$X` is only an entry in it. */
function reachesFar(path: string, open: boolean, ground: DangerContext): boolean {
  const { level } = worthOf(open ? path : path.replace(/\/[^/]*$/, "") || "/", ground);
  return level === "vital" || (open && level === "foreign");
}

/** `$X`, `$X/` and `$X/*` may be anything; `$X/name` is a name below something, and `${X:?}` is never empty. */
function startsUnknown(spelled: string, ground: DangerContext): boolean {
  if (/^\$\{\w+:?\?/.test(spelled)) return false;
  const rest = spelled.replace(/^(?:\$\{[^}]*\}|\$\(.*?\)|`[^`]*`|\$\w+|\$[@*])/s, "");
  return !(/^\/[^/*?]+/.test(rest) && worthOf(rest, ground).level !== "vital");
}

/** In an unknown directory a plain name is narrow and a wildcard is not. */
function isWideName(spelled: string): boolean {
  return /^(?:\.{0,2}\/?|[.*/]+)$/.test(spelled);
}

const GUARDED = '`rm -rf "$' + '{DIR:?}/build"`';

function uncertain({ spelled }: Effect): Danger {
  const name = inline(spelled, 60);
  // Only a pair of quotes separates the home from a file named `~`.
  return (/^~\/?\*?$/.test(spelled) ? forbid : question)(
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

function moving(effect: Effect, ground: DangerContext): Danger | undefined {
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

function ownership(effect: Effect, ground: DangerContext): Danger | undefined {
  if (effect.by === "git" || effect.elsewhere || !effect.literal) return undefined;
  if (isLocked(effect) && !within(effect.path, ground)) return question(lockedOut(effect), ONE_ONLY);
  const worth = targetWorth(effect, ground);
  if (worth.level !== "vital" || within(effect.path, ground)) return undefined;
  if (!effect.recursive && PROGRAM_FILE.test(effect.path)) return question(permissions(worth), ONE_ONLY);
  // The mode of a single directory matters only at the top level, through which all paths pass.
  if (!effect.recursive && !/^\/[^/]*$/.test(effect.path)) return undefined;
  return losing(worth)(permissions(worth), ONE_ONLY);
}

/** A program that can no longer be executed is as good as deleted. */
function isLocked({ path, invocation }: Effect): boolean {
  const mode = invocation?.args.find(({ text: word }) => /^(?:0*[0-7]{1,3}|[augo]*[-=][rwx]*)$/.test(word))?.text ?? "";
  return /\/s?bin\/[^/]+$/.test(path) && /^0*0$|^0*[0246]{3}$|^[aug]*-\w*x|^[aug]*=[rw]*$/.test(mode);
}

function lockedOut({ path }: Effect): Text {
  return text(`This would keep the program ${path} from running.`, `プログラム ${path} が実行できなくなります。`);
}

const PROGRAM_FILE = /^(?:\/usr)?\/s?bin\/./;

function permissions({ name }: Extract<Worth, { level: "vital" }>): Text {
  return text(
    `This would change permissions of ${name.en}; the old ones are not kept anywhere.`,
    `${name.ja}の権限が変わり、元の値は残りません。`,
  );
}

const ONE_ONLY = text(
  "Change the one file or directory that needs it, without -R.",
  "必要なファイルだけを -R なしで変更してください。",
);
