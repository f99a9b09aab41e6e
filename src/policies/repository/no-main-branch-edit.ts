import type { CheckedOut } from "../../kernel/facts.ts";
import { ask, definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { shellPattern, within } from "../../lib/paths.ts";
import { inline, text } from "../../lib/text.ts";
import { changes, type Operation } from "../../reading/operation/operation.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import { bash, edit, PLACE, read } from "../example.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import { arrivesAt, branchChange } from "./branch-change.ts";
import { rewrittenPaths } from "./named-paths.ts";

const MAIN = { root: PLACE, branch: "main" };
const ON_MAIN = { branches: { [PLACE]: MAIN, [`${PLACE}/a.ts`]: MAIN } };

/** For teams whose main branch only takes reviewed work. Off by default: many small projects have no other branch. */
export const noMainBranchEdit = definePolicy({
  id: "no-main-branch-edit",
  on: ["PreToolUse"],
  needs: ["branches", "settings", "places", "scripts"],
  optIn: true,
  why: text(
    "Work on a branch can be looked at, and thrown away, before it is everybody's.",
    "ブランチ上の作業は、全員のものになる前に確認でき、捨てることもできる。",
  ),

  applies: (_, operation) => changes(operation),

  check({ event, operation, facts }) {
    const patterns = facts.settings.branch.protect.map(shellPattern);
    const isKept = (branch: string): boolean => patterns.some((pattern) => pattern.test(branch));
    const at = (path: string | undefined): CheckedOut | undefined => own(facts.branches, path ?? event.cwd);
    const judge = (one: Pick<ReadScript, "operation">): Ruling =>
      rulingOn(one.operation, { cwd: event.cwd, home: facts.places.home, at, isKept });
    const itself = judge({ operation });
    return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
  },

  examples: [
    { expect: "deny", when: edit(`${PLACE}/a.ts`), given: ON_MAIN },
    { expect: "deny", when: bash("git status; echo x > a.ts"), given: ON_MAIN },
    { expect: "ask", when: bash("git push"), given: ON_MAIN },
    { expect: "pass", when: bash("git switch -c topic && npm test"), given: ON_MAIN },
    { expect: "pass", when: read(`${PLACE}/a.ts`), given: ON_MAIN },
    { expect: "pass", when: edit(`${PLACE}/a.ts`), given: { branches: {} } },
  ],
});

interface BranchContext {
  readonly cwd: string;
  readonly home: string;
  readonly at: (path: string | undefined) => CheckedOut | undefined;
  readonly isKept: (branch: string) => boolean;
}

function rulingOn(operation: Operation, standing: BranchContext): Ruling {
  const { at, isKept } = standing;
  const invocations = operation.shell?.invocations ?? [];
  const arrival = invocations.findIndex((invocation) => arrivesAt(invocation, isKept));
  const isAfterArrival = (invocation: Invocation | undefined): boolean =>
    arrival >= 0 && invocation !== undefined && invocations.indexOf(invocation) > arrival;

  const written = writtenPaths(operation, standing);
  const edit = written.find(({ tree, invocation }) => tree && (isKept(tree.branch) || isAfterArrival(invocation)));
  if (edit) return onBranchFirst(inline(edit.spelled, 80), edit.tree?.branch ?? "");
  for (const invocation of invocations) {
    const tree = at(invocation.cwd);
    const isOnKept = tree !== undefined && (isKept(tree.branch) || isAfterArrival(invocation));
    const change = branchChange(invocation, isOnKept, isKept);
    if (change !== "none") return onGit(invocation, change, tree?.branch);
  }
  return pass;
}

interface Written {
  readonly spelled: string;
  readonly tree: CheckedOut | undefined;
  readonly invocation?: Invocation | undefined;
}

/** Build output can be recreated at any time, so writing it is fine on any branch. */
const REBUILT = /(?:^|\/)(?:node_modules|dist|build|target|coverage|\.venv|__pycache__|\.cache|\.pytest_cache)(?:\/|$)/;

function writtenPaths({ effects, shell }: Operation, standing: BranchContext): readonly Written[] {
  const { at } = standing;
  // Changes made by git are judged by its verb.
  const byEffect = effects
    .filter(({ kind, elsewhere, by }) => kind !== "read" && !elsewhere && by !== "git")
    .map(({ path, spelled, invocation }): Written => ({ spelled, tree: at(path), invocation }));
  const named = shell ? rewrittenPaths(shell, standing) : [];
  const byName = named.map(({ path, word, cwd }): Written => {
    const tree = at(cwd);
    // A bare word in a program may be anything; a word with a dot or slash is usually a file.
    return { spelled: path, tree: tree && /[./]/.test(word) && within(path, tree.root) ? tree : undefined };
  });
  return [...byEffect, ...byName].filter(
    ({ spelled, tree }) =>
      !REBUILT.test(tree && spelled.startsWith(tree.root) ? spelled.slice(tree.root.length) : spelled),
  );
}

function onBranchFirst(spelled: string, branch: string): Ruling {
  const name = inline(branch, 60);
  return deny({
    what: text(
      `This would change ${spelled} on the protected branch (checked out: ${name}).`,
      `保護ブランチ上で ${spelled} を変更する操作です (現在: ${name})。`,
    ),
    fix: BRANCH_FIRST,
  });
}

function onGit(invocation: Invocation, change: "needs-a-person" | "needs-a-branch", branch = ""): Ruling {
  const command = inline([invocation.word, ...invocation.args].map((word) => word.text).join(" "), 80);
  const what = text(
    `\`${command}\` would change a protected branch (checked out: ${inline(branch, 60)}).`,
    `\`${command}\` は保護ブランチを変更します (現在: ${inline(branch, 60)})。`,
  );
  return change === "needs-a-branch" ? deny({ what, fix: BRANCH_FIRST }) : ask({ what, fix: BY_REVIEW });
}

const BRANCH_FIRST = text(
  "In a command of its own: `git switch -c <name>`; changes that are not committed come along. Then do it again.",
  "先に別のコマンドで `git switch -c <name>` を実行してください (未コミットの変更は引き継がれます)。その後やり直してください。",
);
const BY_REVIEW = text(
  "Push a branch (`git push -u origin <name>`) and let the person merge it, or let them confirm this.",
  "ブランチを push し (`git push -u origin <name>`)、マージは利用者に任せるか、この操作を確認してもらってください。",
);
