/** Rates paths by how much their loss would matter. */

import { clean, shellPattern, within } from "../../../lib/paths.ts";
import { isScratch, isScratchRoot } from "../../../lib/scratch.ts";
import { type Text, text } from "../../../lib/text.ts";
import type { DangerContext } from "./danger.ts";
import { dearThing, homePart, keepsOfHome } from "./home.ts";

export type Worth =
  /** Loss of the machine or a home (floor), or of the project, its history, or valuable contents of a home. */
  | { readonly level: "vital"; readonly name: Text; readonly floor?: true }
  /** Outside this project; `dear` means that not even a single file may be lost. */
  | { readonly level: "foreign"; readonly name: Text; readonly dear?: true }
  | { readonly level: "ordinary" };

const ORDINARY: Worth = { level: "ordinary" };

function vital(en: string, ja: string): Worth {
  return { level: "vital", name: text(en, ja) };
}

function whole(en: string, ja: string): Worth {
  return { level: "vital", name: text(en, ja), floor: true };
}

function foreign(en: string, ja: string): Worth {
  return { level: "foreign", name: text(en, ja) };
}

/** System directories that make up the machine. */
const systemPattern = (): RegExp =>
  /^\/(?:bin|boot|dev|etc|lib\d*|proc|root|sbin|sys|usr\/(?:bin|lib\w*|sbin|share|include)|var\/(?:lib|log|spool|mail|db)|System|Library|private\/etc)(?:\/|$)/;
/** Directories that are shared as a whole, while an entry in them may belong to anyone. */
const sharedPattern = (): RegExp =>
  /^\/(?:usr|var|opt|home|srv|mnt|media|run|Users|Applications|Volumes|nix|snap|usr\/local|private|private\/var|mnt\/[a-z])$/;
/** Drives as Windows and Git Bash write them; there a lone backslash is the current drive. */
const drivePattern = (): RegExp => /^(?:.*\/)?(?:[A-Za-z]:[\\/]*|\\+)$|^\/[a-z]$/;
const homesPattern = (): RegExp => /^\/(?:home|Users)\/[^/]+$/;
const cachesPattern = (): RegExp =>
  /(?:^|\/)(?:\.?cache|Caches|\.npm|\.gradle|\.m2|\.cargo\/registry|\.pnpm-store|node_modules|__pycache__)(?:\/|$)/;

export function worthOf(path: string, ground: DangerContext): Worth {
  const place = clean(path);
  if (place === "/") return whole("the whole file system", "ファイルシステム全体");
  if (isDrive(path)) return whole("a whole drive", "ドライブ全体");
  if (names(ground.home, ground).some((home) => within(home, place)))
    return whole("the home directory", "ホームディレクトリ");
  if (isStand(place, ground)) return vital("the directory you work in", "作業中のディレクトリ");
  const history = historyWorth(place, ground);
  if (history) return history;
  // The checks above come first, because a project or a home in a temporary directory is as valuable as any other.
  if (isScratch(place)) return temporary(place, ground);
  const top = nearRoot(place);
  if (top) return top;
  if (within(place, ground.project) || names(ground.cwd, ground).some((cwd) => within(place, cwd))) return ORDINARY;
  const part = homePart(place, names(ground.home, ground));
  if (part !== undefined) return inHome(place, part, ground);
  return systemPattern().test(place) ? systemFiles(place) : elsewhere(place);
}

/** A cheap test decides for nearly every path before the pattern is needed. */
function isDrive(path: string): boolean {
  return (path.length === 2 || path.includes(":") || path.includes("\\")) && drivePattern().test(path);
}

/** Homes and shared directories are at most two names deep. */
function nearRoot(place: string): Worth | undefined {
  if (place.split("/", 4).length > 3) return undefined;
  if (homesPattern().test(place) || place === "/root") return whole(`the home ${place}`, `ホーム ${place}`);
  return sharedPattern().test(place)
    ? whole(`the system directory ${place}`, `システムディレクトリ ${place}`)
    : undefined;
}

/** A path as written, and its link target if it differs. */
function names(place: string, { reached = {} }: DangerContext): readonly string[] {
  const real = Object.hasOwn(reached, place) ? reached[place] : undefined;
  return real === undefined || real === place ? [place] : [place, real];
}

/** The project, the current directory, or a directory that contains one of them. */
function isStand(place: string, ground: DangerContext): boolean {
  return within(ground.project, place) || names(ground.cwd, ground).some((cwd) => within(cwd, place));
}

function systemFiles(place: string): Worth {
  const all = systemPattern().exec(place)?.[0] === place;
  return (all ? whole : vital)(`system files in ${place}`, `システムファイル ${place}`);
}

function temporary(place: string, ground: DangerContext): Worth {
  const part = homePart(place, names(ground.home, ground));
  if (part !== undefined && dearThing(part) !== undefined) return inHome(place, part, ground);
  return isScratchRoot(place) ? foreign("everyone's temporary files", "全員の一時ファイル") : ORDINARY;
}

const historyPattern = (): RegExp => /\/\.git(?:\/(?:objects|refs|packed-refs|HEAD|logs|modules|worktrees)(?:\/.*)?)?$/;
/** The index and the configuration of a repository, which can be recreated with some knowledge. */
const asidePattern = (): RegExp => /\/\.git\/(?:index|config)$/;

function historyWorth(place: string, ground: DangerContext): Worth | undefined {
  const ours = within(place, ground.project) || names(ground.cwd, ground).some((cwd) => within(place, cwd));
  // A clone in a temporary directory may lose its history like everything else there.
  if (!place.includes("/.git") || (!ours && isScratch(place))) return undefined;
  if (historyPattern().test(place)) return vital("the git history", "Git の履歴");
  return asidePattern().test(place) ? { ...dearPlace(place) } : undefined;
}

/** A single vital file, as opposed to a directory that contains such files. */
export function isOneFile(path: string, ground: DangerContext): boolean {
  const part = homePart(clean(path), names(ground.home, ground));
  const isKey = part !== undefined && dearThing(part) === "key" && !part.endsWith("private-keys-v1.d");
  return isKey || /\/\.git\/(?:packed-refs|HEAD|index|refs\/.+|objects\/.+)$/.test(path);
}

function dearPlace(name: string): Extract<Worth, { level: "foreign" }> {
  return { level: "foreign", name: text(name, name), dear: true };
}

function inHome(place: string, part: string, ground: DangerContext): Worth {
  if (cachesPattern().test(place)) return ORDINARY;
  const dear = dearThing(part);
  if (dear === "key" || keepsOfHome(ground).includes(part)) return vital(`~/${part}`, `~/${part}`);
  return dear === undefined ? elsewhere(place) : dearPlace(`~/${part}`);
}

function elsewhere(place: string): Worth {
  return cachesPattern().test(place) ? ORDINARY : foreign(`${place}, outside the project`, `プロジェクト外の ${place}`);
}

/** A pattern of wildcards alone covers its whole directory. */
export function wholeOfGlob(path: string): { readonly directory: string; readonly whole: boolean } {
  const segments = path.split("/");
  const at = segments.findIndex((segment) => /[*?[{]|[@!+]\(/.test(segment));
  if (at < 0) return { directory: path, whole: true };
  const whole = segments
    .slice(at)
    .every((segment) => /^[.*?{},]*$/.test(segment.replace(/!\(.*\)/g, "*").replace(/\[[^\]]*\]/g, "?")));
  return { directory: segments.slice(0, at).join("/") || "/", whole };
}

const ROOTS = "bin boot dev etc home lib lib64 opt proc root sbin srv sys usr var Users Library System Applications";

/** The most valuable known path that a pattern matches: `.g*` matches the history, `/h*` the homes. */
export function matchedByGlob(pattern: string, ground: DangerContext): Worth | undefined {
  const { test } = shellPattern(pattern);
  const known = [
    ...names(ground.home, ground),
    ...names(ground.cwd, ground),
    ground.project,
    `${ground.project}/.git`,
    `${ground.cwd}/.git`,
    ...ROOTS.split(" ").map((name) => `/${name}`),
    ...keepsOfHome(ground).map((name) => `${ground.home}/${name}`),
  ];
  const hit = known.find((path) => test(path));
  return hit === undefined ? undefined : worthOf(hit, ground);
}
