/** Which places must not be lost. */

import { clean, within } from "../../kernel/paths.ts";
import { type Text, text } from "../../kernel/text.ts";
import type { Ground } from "./danger.ts";

export type Worth =
  /** Losing it loses the machine or a home (the floor), or the project, its history, what a home is kept for. */
  | { readonly level: "vital"; readonly name: Text; readonly floor?: true }
  /** It is not this project's to remove. */
  | { readonly level: "foreign"; readonly name: Text }
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
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib\d*|proc|root|sbin|sys|usr\/(?:bin|lib\w*|sbin|share|include)|var\/(?:lib|log|spool|mail|db)|System|Library|private\/etc)(?:\/|$)/;
/** Directories that hold everything of a kind, while a thing below them may be anybody's. */
const SHARED =
  /^\/(?:usr|var|opt|home|srv|mnt|media|run|Users|Applications|Volumes|nix|snap|usr\/local|private|private\/var|mnt\/[a-z])$/;
/** As Windows writes it, and as Git Bash does; a lone backslash is the current drive there. */
const DRIVE = /^(?:.*\/)?(?:[A-Za-z]:[\\/]*|\\+)$|^\/[a-z]$/;
const HOMES = /^\/(?:home|Users)\/[^/]+$/;
const TEMPORARY = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/folders)(?:\/|$)/;
const CACHES =
  /(?:^|\/)(?:\.?cache|Caches|\.npm|\.gradle|\.m2|\.cargo\/registry|\.pnpm-store|node_modules|__pycache__)(?:\/|$)/;
const KEEPSAKES =
  /^(?:\.ssh|\.gnupg|\.aws|\.kube|\.config|\.claude|\.password-store|Documents|Desktop|Pictures|Library|\.local)$/;

export function worthOf(path: string, ground: Ground): Worth {
  const place = clean(path);
  if (place === "/") return whole("the whole file system", "ファイルシステム全体");
  if (DRIVE.test(path)) return whole("a whole drive", "ドライブ全体");
  if (within(ground.home, place)) return whole("the home directory", "ホームディレクトリ");
  if (within(ground.project, place) || within(ground.cwd, place)) {
    return vital("the directory you work in", "作業中のディレクトリ");
  }
  if (isHistory(place)) return vital("the git history", "Git の履歴");
  // A scratch project, or a scratch home, is worth what a real one is; only then is it temporary.
  if (TEMPORARY.test(place)) return temporary(place);
  if (HOMES.test(place) || place === "/root") return whole(`the home ${place}`, `ホーム ${place}`);
  if (SHARED.test(place)) return whole(`the system directory ${place}`, `システムディレクトリ ${place}`);
  if (within(place, ground.project) || within(place, ground.cwd)) return ORDINARY;
  if (!within(place, ground.home) && SYSTEM.test(place)) return systemFiles(place);
  return elsewhere(place, ground);
}

function systemFiles(place: string): Worth {
  const all = SYSTEM.exec(place)?.[0] === place;
  return (all ? whole : vital)(`system files in ${place}`, `システムファイル ${place}`);
}

function temporary(place: string): Worth {
  const everything = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/folders)$/.test(place);
  return everything ? foreign("everyone's temporary files", "全員の一時ファイル") : ORDINARY;
}

function isHistory(place: string): boolean {
  return /\/\.git(?:\/(?:objects|refs|packed-refs|HEAD|logs)(?:\/.*)?)?$/.test(place);
}

function elsewhere(place: string, { home }: Ground): Worth {
  if (CACHES.test(place)) return ORDINARY;
  const top = within(place, home) ? place.slice(home.length + 1) : undefined;
  if (top !== undefined && KEEPSAKES.test(top)) return vital(`~/${top}`, `~/${top}`);
  return foreign(`${place}, outside the project`, `プロジェクト外の ${place}`);
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
