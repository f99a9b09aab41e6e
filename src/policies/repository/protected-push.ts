/** Whether a push updates a protected branch: by its words, by the branch that is checked out, and by git's settings. */
import type { PushSite } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { shellPattern } from "../../lib/paths.ts";
import { gitCommand } from "../../reading/operation/git-command.ts";
import { gitSite, gitVerb, siteName } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { branchAfter, type Push } from "../../reading/operation/push.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import type { Protects } from "./publication.ts";

interface Around {
  readonly command: string;
  readonly cwd: string;
  readonly branches: readonly string[];
  readonly pushes: Readonly<Record<string, PushSite>>;
}

export function protectedIn({ shell }: Operation, { command, cwd, branches, pushes }: Around): Protects {
  const patterns = branches.map(shellPattern);
  return (push, invocation) => {
    const site = own(pushes, siteName(gitSite(invocation, cwd))) ?? {};
    const before = (shell?.invocations ?? []).slice(0, shell?.invocations.indexOf(invocation));
    const isSettled = !before.some(movesPushes) && gitCommand(invocation.args).config.length === 0;
    if (site.scratch && isSettled) return false;
    const isProtected = (name: string): boolean =>
      name === site.main || patterns.some((pattern) => pattern.test(name.replace(/^refs\/heads\//, "")));
    return (
      push.isWide || (push.isBare && !isSettled) || updated(push, site, switchedBy(before, command)).some(isProtected)
    );
  };
}

/** It changes where a push goes, after the repository was looked at. */
function movesPushes(invocation: Invocation): boolean {
  const words = gitVerb(invocation) === undefined ? [] : gitCommand(invocation.args).args.map(({ text }) => text);
  const verb = gitVerb(invocation);
  if (verb === "config") return words.some((word) => /^(?:push|branch|remote)\./.test(word));
  if (verb === "remote") return words.length > 0 && words[0] !== "-v";
  return verb === "branch" && words.some((word) => /^(?:-u|--set-upstream)/.test(word));
}

function updated({ branches, isBare }: Push, { current, target }: PushSite, switched: Switched): readonly string[] {
  const here = isBare ? (target ?? current) : current;
  const standing = [...(switched.isSure ? [] : [here ?? ""]), ...switched.to];
  return branches.flatMap((name) => (name === "HEAD" || name === "@" ? standing : [name]));
}

interface Switched {
  readonly to: readonly string[];
  /** The branch was made, and the push runs only if that worked. */
  readonly isSure: boolean;
}

function switchedBy(before: readonly Invocation[], command: string): Switched {
  const last = before.flatMap((invocation) => branchAfter(invocation) ?? []).at(-1);
  const isChained = /^(?:[^;\n|&]|&&)*$/.test(command.replace(/2>&1/g, ""));
  return { to: last ? [last.name] : [], isSure: last?.isMade === true && isChained };
}
