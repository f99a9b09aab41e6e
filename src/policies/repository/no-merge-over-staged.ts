import type { Staged } from "../../kernel/facts.ts";
import { beginsMerge, gitSite, gitVerb, siteName } from "../../kernel/git-site.ts";
import { definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { inline, text } from "../../kernel/text.ts";
import { own } from "../../state/session.ts";
import { bash, PLACE } from "../example.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";

/** An agent whose commit was refused by a hook of the repository often reaches for `git merge` next. */
export const noMergeOverStaged = definePolicy({
  id: "no-merge-over-staged",
  on: ["PreToolUse"],
  needs: ["staged", "scripts"],
  why: text(
    "A merge over a filled index mixes into one commit what was never reviewed together, and giving it up can lose what was staged.",
    "ステージ済みの変更の上にマージすると、別々の変更が一つに混ざり、取り消すとステージした内容が失われることがある。",
  ),

  applies: (_, operation) => operation.shell !== undefined,

  check({ event, operation, facts }) {
    const judge = (one: Pick<ReadScript, "operation">): Ruling =>
      rulingOn(one.operation.shell?.invocations ?? [], (merge) =>
        own(facts.staged, siteName(gitSite(merge, event.cwd))),
      );
    const itself = judge({ operation });
    return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
  },

  examples: [
    { expect: "deny", when: bash("git merge main"), given: { staged: { [PLACE]: some("a.ts") } } },
    { expect: "deny", when: bash("npm test && git pull"), given: { staged: { [PLACE]: some("a.ts", "b.ts") } } },
    { expect: "pass", when: bash("git merge main"), given: { staged: { [PLACE]: some() } } },
    { expect: "pass", when: bash("git merge --abort"), given: { staged: { [PLACE]: some("a.ts") } } },
    { expect: "pass", when: bash("git merge main"), given: { staged: { [PLACE]: { unseen: "there is no git" } } } },
  ],
});

function some(...names: readonly string[]): Staged {
  return { count: names.length, names, more: false };
}

function rulingOn(invocations: readonly Invocation[], stagedAt: (merge: Invocation) => Staged | undefined): Ruling {
  const rulings = invocations.flatMap((merge, at) => {
    if (!beginsMerge(merge)) return [];
    const verb = gitVerb(merge) ?? "merge";
    if (stagesBefore(invocations.slice(0, at))) return [overLine(verb)];
    const staged = stagedAt(merge);
    return staged ? [over(staged, verb)] : [];
  });
  return rulings.find(({ decision }) => decision === "deny") ?? rulings[0] ?? pass;
}

/** The newest of the commands before it that fill or empty the index fills it. */
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

/** By its specification this guard never blocks when it cannot see; it says so instead. */
function unseen(cause: string): ReturnType<typeof text> {
  return text(
    `Sekisho could not see whether something is staged (${cause}). Look with \`git status\` before merging.`,
    `ステージ済みの変更を確認できませんでした (${cause})。マージの前に \`git status\` を確認してください。`,
  );
}
