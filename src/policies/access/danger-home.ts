/** What a home is kept for. */

import { names } from "../../kernel/name-table.ts";
import { within } from "../../kernel/paths.ts";

export const KEEPS_OF_A_HOME =
  ".ssh .gnupg .aws .kube .config .claude .password-store .local .mozilla .thunderbird Documents Desktop Pictures " +
  "Downloads Music Movies Videos Library";

/** Everything of a kind, as a whole. */
export function isKeep(part: string): boolean {
  return KEEPS_OF_A_HOME.split(" ").includes(part);
}

/** The path below a home: the user's own, or one of somebody else's on this machine. */
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

/** One thing that is missed even when it goes alone: `key` opens doors that nothing else opens. */
export function dearThing(part: string): "key" | "dear" | undefined {
  if (!part.startsWith(".")) {
    return HOLDS_PAPERS.has(part.slice(0, Math.max(0, part.indexOf("/")))) && papersPattern().test(part)
      ? "dear"
      : undefined;
  }
  if (keyPattern().test(part)) return "key";
  return secretPattern().test(part) || settingPattern().test(part) || pastPattern().test(part) ? "dear" : undefined;
}
