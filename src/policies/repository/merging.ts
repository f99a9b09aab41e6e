/** Rulings on merges in a command or script while changes are staged. Loaded only with the shell reader. */
import type { Facts, Staged } from "../../kernel/facts.ts";
import { deny, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { inline, text } from "../../lib/text.ts";
import { beginsMerge, gitSite, gitVerb, siteName } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";

export function mergesIn({ shell }: Operation, staged: Facts["staged"], cwd: string): Ruling {
  const invocations = shell?.invocations ?? [];
  const rulings = invocations.flatMap((merge, at) => {
    if (merge.name !== "git" || !beginsMerge(merge)) return [];
    const verb = gitVerb(merge) ?? "merge";
    if (stagesBefore(invocations.slice(0, at))) return [overLine(verb)];
    const there = own(staged, siteName(gitSite(merge, cwd)));
    return there ? [over(there, verb)] : [];
  });
  return rulings.find(({ decision }) => decision === "deny") ?? rulings[0] ?? pass;
}

/** True if the last index-changing command before the merge leaves something staged. */
function stagesBefore(before: readonly Invocation[]): boolean {
  const verbs = before.flatMap((invocation) => gitVerb(invocation) ?? []);
  const last = verbs.filter((verb) => /^(?:add|rm|mv|commit|stash|reset)$/.test(verb)).at(-1);
  return last === "add" || last === "rm" || last === "mv";
}

const COMMIT_FIRST = text(
  "Commit them (`git commit`) or put them aside (`git stash push --staged`) in a command of its own, then merge. To undo a merge under way: `git merge --abort`. To only move the branch forward: `git pull --ff-only`.",
  "先に別のコマンドで `git commit` するか `git stash push --staged` で退避してから、マージしてください。途中のマージをやめるには `git merge --abort`、早送りだけなら `git pull --ff-only`。",
);

function over(staged: Staged, verb: string): Ruling {
  if ("unseen" in staged) return { ...pass, notes: [unseen(staged.unseen)] };
  if (staged.count === 0) return pass;
  const count = staged.more ? `more than ${staged.count}` : `${staged.count}`;
  const names = staged.names.map((name) => inline(name, 60)).join(", ");
  const rest = staged.count > staged.names.length || staged.more ? ", …" : "";
  return deny({
    what: text(
      `git ${verb} while ${count} file(s) are staged: ${names}${rest}.`,
      `${staged.count} 個${staged.more ? "以上" : ""}のファイルがステージされたまま git ${verb} を行います: ${names}${rest}。`,
    ),
    fix: COMMIT_FIRST,
  });
}

function overLine(verb: string): Ruling {
  return deny({
    what: text(
      `This line stages files and then runs git ${verb} over them.`,
      `ファイルをステージしたまま git ${verb} を行うコマンドです。`,
    ),
    fix: COMMIT_FIRST,
  });
}

/** The specification says that this policy never blocks when it cannot see the index; it adds a note instead. */
function unseen(cause: string): ReturnType<typeof text> {
  return text(
    `Sekisho could not see whether something is staged (${cause}). Look with \`git status\` before merging.`,
    `ステージ済みの変更を確認できませんでした (${cause})。マージの前に \`git status\` を確認してください。`,
  );
}
