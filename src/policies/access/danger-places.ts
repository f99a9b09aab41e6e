/** Which places must not be lost. */

import { clean, shellPattern, within } from "../../kernel/paths.ts";
import { type Text, text } from "../../kernel/text.ts";
import type { Ground } from "./danger.ts";
import { dearThing, homePart, isKeep, KEEPS_OF_A_HOME } from "./danger-home.ts";

export type Worth =
  /** Losing it loses the machine or a home (the floor), or the project, its history, what a home is kept for. */
  | { readonly level: "vital"; readonly name: Text; readonly floor?: true }
  /** It is not this project's to remove; `dear`: not even one file of it, nor what is in it. */
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

/** System directories whose whole content is the machine. */
const systemPattern = (): RegExp =>
  /^\/(?:bin|boot|dev|etc|lib\d*|proc|root|sbin|sys|usr\/(?:bin|lib\w*|sbin|share|include)|var\/(?:lib|log|spool|mail|db)|System|Library|private\/etc)(?:\/|$)/;
/** Directories that hold everything of a kind, while a thing below them may be anybody's. */
const sharedPattern = (): RegExp =>
  /^\/(?:usr|var|opt|home|srv|mnt|media|run|Users|Applications|Volumes|nix|snap|usr\/local|private|private\/var|mnt\/[a-z])$/;
/** As Windows writes it, and as Git Bash does; a lone backslash is the current drive there. */
const drivePattern = (): RegExp => /^(?:.*\/)?(?:[A-Za-z]:[\\/]*|\\+)$|^\/[a-z]$/;
const homesPattern = (): RegExp => /^\/(?:home|Users)\/[^/]+$/;
const temporaryPattern = (): RegExp => /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/folders)(?:\/|$)/;
const cachesPattern = (): RegExp =>
  /(?:^|\/)(?:\.?cache|Caches|\.npm|\.gradle|\.m2|\.cargo\/registry|\.pnpm-store|node_modules|__pycache__)(?:\/|$)/;

export function worthOf(path: string, ground: Ground): Worth {
  const place = clean(path);
  if (place === "/") return whole("the whole file system", "ファイルシステム全体");
  if (isDrive(path)) return whole("a whole drive", "ドライブ全体");
  if (names(ground.home, ground).some((home) => within(home, place)))
    return whole("the home directory", "ホームディレクトリ");
  if (isStand(place, ground)) return vital("the directory you work in", "作業中のディレクトリ");
  const history = historyWorth(place, ground);
  if (history) return history;
  // A scratch project, or a scratch home, is worth what a real one is; only then is it temporary.
  if (isTemporary(place)) return temporary(place, ground);
  const top = nearRoot(place);
  if (top) return top;
  if (within(place, ground.project) || names(ground.cwd, ground).some((cwd) => within(place, cwd))) return ORDINARY;
  const part = homePart(place, names(ground.home, ground));
  if (part !== undefined) return inHome(place, part);
  return systemPattern().test(place) ? systemFiles(place) : elsewhere(place);
}

/** What is asked before a pattern here answers for nearly every path, and costs next to nothing. */
function isDrive(path: string): boolean {
  return (path.length === 2 || path.includes(":") || path.includes("\\")) && drivePattern().test(path);
}

function isTemporary(place: string): boolean {
  const may = place.startsWith("/tmp") || place.startsWith("/var/") || place.startsWith("/dev/");
  return (may || place.startsWith("/private/")) && temporaryPattern().test(place);
}

/** Neither homes nor what is shared lies deeper than two names. */
function nearRoot(place: string): Worth | undefined {
  if (place.split("/", 4).length > 3) return undefined;
  if (homesPattern().test(place) || place === "/root") return whole(`the home ${place}`, `ホーム ${place}`);
  return sharedPattern().test(place)
    ? whole(`the system directory ${place}`, `システムディレクトリ ${place}`)
    : undefined;
}

/** A place by its letters, and where they really lead. */
function names(place: string, { reached = {} }: Ground): readonly string[] {
  const real = Object.hasOwn(reached, place) ? reached[place] : undefined;
  return real === undefined || real === place ? [place] : [place, real];
}

/** The project, where the command stands, or something around them. */
function isStand(place: string, ground: Ground): boolean {
  return within(ground.project, place) || names(ground.cwd, ground).some((cwd) => within(cwd, place));
}

function systemFiles(place: string): Worth {
  const all = systemPattern().exec(place)?.[0] === place;
  return (all ? whole : vital)(`system files in ${place}`, `システムファイル ${place}`);
}

function temporary(place: string, ground: Ground): Worth {
  const part = homePart(place, names(ground.home, ground));
  if (part !== undefined && dearThing(part) !== undefined) return inHome(place, part);
  const everything = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/folders)$/.test(place);
  return everything ? foreign("everyone's temporary files", "全員の一時ファイル") : ORDINARY;
}

const historyPattern = (): RegExp => /\/\.git(?:\/(?:objects|refs|packed-refs|HEAD|logs|modules|worktrees)(?:\/.*)?)?$/;
/** What is staged, and how the repository is set up: it can be made again, by somebody who knows it. */
const asidePattern = (): RegExp => /\/\.git\/(?:index|config)$/;

function historyWorth(place: string, ground: Ground): Worth | undefined {
  const ours = within(place, ground.project) || names(ground.cwd, ground).some((cwd) => within(place, cwd));
  // A scratch clone may lose its history as it may lose everything else.
  if (!place.includes("/.git") || (!ours && isTemporary(place))) return undefined;
  if (historyPattern().test(place)) return vital("the git history", "Git の履歴");
  return asidePattern().test(place) ? { ...dearPlace(place) } : undefined;
}

/** A vital file, as opposed to a directory that holds such. */
export function isOneFile(path: string, ground: Ground): boolean {
  const part = homePart(clean(path), names(ground.home, ground));
  const isKey = part !== undefined && dearThing(part) === "key" && !part.endsWith("private-keys-v1.d");
  return isKey || /\/\.git\/(?:packed-refs|HEAD|index|refs\/.+|objects\/.+)$/.test(path);
}

function dearPlace(name: string): Extract<Worth, { level: "foreign" }> {
  return { level: "foreign", name: text(name, name), dear: true };
}

function inHome(place: string, part: string): Worth {
  if (cachesPattern().test(place)) return ORDINARY;
  const dear = dearThing(part);
  if (dear === "key" || isKeep(part)) return vital(`~/${part}`, `~/${part}`);
  return dear === undefined ? elsewhere(place) : dearPlace(`~/${part}`);
}

function elsewhere(place: string): Worth {
  return cachesPattern().test(place) ? ORDINARY : foreign(`${place}, outside the project`, `プロジェクト外の ${place}`);
}

/** A pattern made of wildcards alone takes all of its directory. */
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

/** The most precious thing that a pattern would match, of those we know by name: `.g*` is the history, `/h*` the homes. */
export function matchedByGlob(pattern: string, ground: Ground): Worth | undefined {
  const { test } = shellPattern(pattern);
  const known = [
    ...names(ground.home, ground),
    ...names(ground.cwd, ground),
    ground.project,
    `${ground.project}/.git`,
    `${ground.cwd}/.git`,
    ...ROOTS.split(" ").map((name) => `/${name}`),
    ...KEEPS_OF_A_HOME.split(" ").map((name) => `${ground.home}/${name}`),
  ];
  const hit = known.find((path) => test(path));
  return hit === undefined ? undefined : worthOf(hit, ground);
}
