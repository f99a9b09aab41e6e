/** The valuable contents of a home directory. */

import { names } from "../../../lib/name-table.ts";
import { within } from "../../../lib/paths.ts";
import type { DangerContext } from "./danger.ts";

/** Directories that hold everything of a kind; the host's own is one of them. */
export function keepsOfHome({ host }: Pick<DangerContext, "host">): readonly string[] {
  const names =
    `.ssh .gnupg .aws .kube .config ${host?.directory ?? ""} .password-store .local .mozilla .thunderbird Documents Desktop ` +
    "Pictures Downloads Music Movies Videos Library";
  return names.split(/ +/);
}

/** The path below a home: the user's own, or another user's on this machine. */
export function homePart(place: string, homes: readonly string[]): string | undefined {
  const home =
    homes.find((each) => each !== "/" && within(place, each)) ??
    /^\/(?:(?:home|Users)\/[^/]+|root)(?=\/)/.exec(place)?.[0];
  return home === undefined ? undefined : place.slice(home.length + 1);
}

const keyPattern = (): RegExp =>
  /^\.(?:ssh\/(?!known_hosts|config|environment|agent|sockets?\/|control)|gnupg\/|password-store\/).+/;
const secretPattern = (): RegExp =>
  /^\.(?:aws\/(?:credentials|config)|kube\/config|docker\/config\.json|netrc|git-credentials|pgpass|npmrc|pypirc|config\/gcloud\/.+|config\/gh\/.+|azure\/.+)$/;
const settingPattern = (): RegExp =>
  /^\.(?:bashrc|bash_profile|profile|zshrc|zprofile|zshenv|vimrc|gitconfig|tmux\.conf|ssh\/(?:config|known_hosts)|config\/fish\/config\.fish)$/;
const pastPattern = (): RegExp =>
  /^\.(?:(?:bash|zsh|python|node_repl|psql|mysql|sqlite|rediscli)_?(?:history|hist)|local\/share\/fish\/fish_history)$/;
const papersPattern = (): RegExp => /^(?:Documents|Desktop|Pictures|Music|Movies|Videos|Library\/Mobile Documents)\/./;
const HOLDS_PAPERS = names("Documents Desktop Pictures Music Movies Videos Library");

/** A single file worth protecting; `key` means that it grants access and cannot be replaced. */
export function dearThing(part: string): "key" | "dear" | undefined {
  if (!part.startsWith(".")) {
    return HOLDS_PAPERS.has(part.slice(0, Math.max(0, part.indexOf("/")))) && papersPattern().test(part)
      ? "dear"
      : undefined;
  }
  if (keyPattern().test(part)) return "key";
  return secretPattern().test(part) || settingPattern().test(part) || pastPattern().test(part) ? "dear" : undefined;
}
