import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, read, using, write } from "../example.ts";
import { noMainBranchEdit } from "./no-main-branch-edit.ts";

const OTHER = "/home/dev/other";
const TREE = "/home/dev/tree";
const files = ["a.ts", "src/a.ts", "node_modules/x", "dist", "x"];

/** The project on `branch`, another repository on topic, and a work tree of the project on main. */
function on(branch: string) {
  const here = { root: PLACE, branch };
  return {
    branches: {
      [PLACE]: here,
      [`${PLACE}/src`]: here,
      ...Object.fromEntries(files.map((file) => [`${PLACE}/${file}`, here])),
      [OTHER]: { root: OTHER, branch: "topic" },
      [`${OTHER}/a.ts`]: { root: OTHER, branch: "topic" },
      [TREE]: { root: TREE, branch: "main" },
      [`${TREE}/a.ts`]: { root: TREE, branch: "main" },
    },
  };
}

const main = on("main");
const topic = on("topic");

describePolicy(noMainBranchEdit, ({ denies, asks, passes }) => {
  denies("PB-41 an edit on main", edit(`${PLACE}/a.ts`), main);
  denies("PB-41 an edit on master", write(`${PLACE}/a.ts`), on("master"));
  denies("an edit in a work tree that is on main, from one that is not", edit(`${TREE}/a.ts`), topic);
  denies("PB-41 a change beside a harmless git command", bash("rm -rf src/a.ts; git status"), main);
  denies("PB-41 a change before it", bash("git status && sed -i s/a/b/ a.ts"), main);
  denies("PB-41 a redirection of git's own output", bash("git show HEAD:a.ts > a.ts"), main);
  denies("PB-41 git's own option for it", bash("git log --output=a.ts"), main);
  denies("a redirection", bash("cat > a.ts <<'EOF'\nx\nEOF"), main);
  denies("a program", bash(`python3 -c "open('a.ts','w').write('x')"`), main);
  denies("an editor", bash("vim -es -c wq a.ts"), main);
  denies("a change behind wrappers", bash("sudo env X=1 bash -c 'echo x | tee a.ts'"), main);
  denies("a change after going onto main", bash("git checkout main && echo x > a.ts"), topic);
  denies(
    "a change in the same line as the new branch: that step may fail",
    bash("git switch -c t; echo x > a.ts"),
    main,
  );
  denies("a cherry-pick", bash("git cherry-pick abc"), main);
  denies("a patch", bash("git apply x.patch"), main);
  denies("a reset of the branch", bash("git reset --soft HEAD~1"), main);
  denies("git in another directory", bash(`git -C ${TREE} revert HEAD`), topic);

  asks("PB-41 a push on main", bash("git push"), main);
  asks("PB-41 a push on main, named", bash("git push -u origin HEAD"), main);
  asks("PB-41 a merge on main", bash("git merge topic"), main);
  asks("a merge after going onto main", bash("git checkout main && git merge topic"), topic);
  asks("a push that names main", bash("git push origin main"), main);
  asks("a push to main from elsewhere", bash("git push origin HEAD:main"), topic);
  asks("by its full name", bash("git push origin topic:refs/heads/master"), topic);
  asks("a push of all branches", bash("git push --all origin"), main);
  asks("main moved by a fetch", bash("git fetch . topic:main"), topic);
  asks("main moved by hand", bash("git update-ref refs/heads/main abc"), topic);

  passes("PB-41 reading", read(`${PLACE}/a.ts`), main);
  passes("PB-41 steering tools", using({ kind: "control", name: "TodoWrite" }), main);
  passes("PB-41 a subagent", using({ kind: "agent", name: "Agent", agentType: "Explore" }), main);
  passes("PB-41 a skill", using({ kind: "control", name: "Skill" }), main);
  passes("a work tree of its own", using({ kind: "worktree", name: "EnterWorktree" }), main);
  passes("PB-41 the way off main", bash("git switch -c topic"), main);
  passes(
    "PB-41 what git may do on main",
    bash("git fetch && git pull && git add -A && git commit -m x && git stash"),
    main,
  );
  passes("looking", bash("git log -3 && ls && npm test | tail -3"), main);
  passes("giving a merge up", bash("git merge --abort"), main);
  passes("unstaging", bash("git reset HEAD a.ts"), main);
  passes("what is rebuilt", bash("rm -rf node_modules/x dist"), main);
  passes("a file outside of any repository", bash("echo x > /tmp/x"), main);
  passes("another repository", edit(`${OTHER}/a.ts`), main);
  passes("a program that only reads", bash(`python3 -c "print(open('a.ts').read())"`), main);
  passes("a push of another branch", bash("git push origin topic"), main);
  passes("a trial push", bash("git push --dry-run"), main);
  passes("everything on a branch", bash("echo x > a.ts && git commit -am x && git push -u origin topic"), topic);
  passes("a merge on a branch", bash("git merge main"), topic);
  passes("no repository, a detached head, a branch without commits", edit(`${PLACE}/a.ts`), { branches: {} });
  passes("text that only mentions it", bash('git commit -m "echo x > a.ts; git push"'), main);
});

describe("the protected branches", () => {
  it("PB-41 come from a setting, with patterns", () => {
    const settings = {
      ...defaultSettings,
      policies: { "no-main-branch-edit": "on" as const },
      branch: { protect: ["trunk", "release/*"] },
    };
    const decision = (branch: string) =>
      verdictOf(noMainBranchEdit, edit(`${PLACE}/a.ts`), { ...on(branch), settings }).decision;
    expect(["trunk", "release/1.2", "main", "release"].map(decision)).toEqual(["deny", "deny", "pass", "pass"]);
  });

  it("are not enforced unless a person switches the policy on", () => {
    expect(verdictOf(noMainBranchEdit, edit(`${PLACE}/a.ts`), { ...main, settings: defaultSettings }).decision).toBe(
      "pass",
    );
  });
});
