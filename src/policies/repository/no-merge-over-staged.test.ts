import { describe, expect, it } from "vitest";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, PLACE, write } from "../example.ts";
import { noMergeOverStaged } from "./no-merge-over-staged.ts";

const full = { count: 7, names: ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"], more: false };
const staged = { staged: { [PLACE]: full } };
const clean = { staged: { [PLACE]: { count: 0, names: [], more: false } } };

describePolicy(noMergeOverStaged, ({ denies, passes }) => {
  denies("MD-74 TS-37 a merge with something staged", bash("git merge main"), staged);
  denies("MD-74 a merge later in the line", bash("npm test && git merge main"), staged);
  denies("a merge behind global options", bash("git -c core.editor=true --no-pager merge main"), staged);
  denies("a merge in a shell of its own", bash("sudo env X=1 bash -c 'git merge main'"), staged);
  denies("a merge by an alias of the line", bash("git -c alias.m=merge m main"), staged);
  denies("a merge in a function, a subshell and a pipe", bash("f() { (git merge main | cat); }; f"), staged);
  denies("a merge by its full path", bash("/usr/bin/git merge main"), staged);
  denies("a merge in a substitution", bash('echo "$(git merge main)"'), staged);
  denies("a merge in another directory", bash("git -C /srv/app merge main"), { staged: { "/srv/app": full } });
  denies("a merge after cd", bash("cd /srv/app && git merge main"), { staged: { "/srv/app": full } });
  denies("a merge of a repository named by an option", bash("git --git-dir=/srv/app/.git merge main"), {
    staged: { [`${PLACE} (/srv/app/.git)`]: full },
  });
  denies("a merge of a repository named by a variable", bash("GIT_DIR=/srv/app/.git git merge main"), {
    staged: { [`${PLACE} (/srv/app/.git)`]: full },
  });
  denies("--squash and --no-commit merge all the same", bash("git merge --squash --no-commit topic"), staged);
  denies("a pull, which merges", bash("git pull origin main"), staged);
  denies("a pull that is told not to rebase", bash("git pull --rebase=false"), staged);
  denies("the second of two merges", bash("git -C /srv/a merge x; git -C /srv/b merge y"), {
    staged: { "/srv/a": { count: 0, names: [], more: false }, "/srv/b": full },
  });
  denies("files that the line itself stages", bash("git add -A && git merge main"), clean);
  denies("staged files of which there are too many to count", bash("git merge main"), {
    staged: { [PLACE]: { ...full, more: true } },
  });

  passes("TS-37 a clean index", bash("git merge main"), clean);
  passes("TS-37 MD-74 giving a merge up", bash("git merge --abort"), staged);
  passes("going on with a merge", bash("git merge --continue"), staged);
  passes("leaving a merge as it is", bash("git merge --quit"), staged);
  passes("TS-37 MD-74 git is missing", bash("git merge main"), { staged: { [PLACE]: { unseen: "there is no git" } } });
  passes("a commit between staging and merging", bash("git add -A && git commit -m x && git merge main"), clean);
  passes("a pull that only moves forward", bash("git pull --ff-only"), staged);
  passes("a pull that rebases: git refuses that itself", bash("git pull --rebase origin main"), staged);
  passes("a merge that is only mentioned", bash('echo "git merge main"; git commit -m "git merge main"'), staged);
  passes("other verbs that begin like it", bash("git merge-base HEAD main; git mergetool"), staged);
  passes("a merge on another machine", bash("ssh build git merge main"), staged);
  passes("a merge elsewhere, where nothing is staged", bash("git -C /srv/app merge x"), {
    staged: { "/srv/app": { count: 0, names: [], more: false }, [PLACE]: full },
  });
  passes("a write", write("/home/dev/project/a"), staged);
});

describe("message about staged files", () => {
  it("MD-74 the message names the count and the first five files", () => {
    const [objection] = verdictOf(noMergeOverStaged, bash("git merge main"), staged).objections;
    expect(objection?.what.en).toBe("git merge while 7 file(s) are staged: a.ts, b.ts, c.ts, d.ts, e.ts, ….");
  });

  it("MD-74 an index that cannot be read is reported and blocks nothing", () => {
    const given = { staged: { [PLACE]: { unseen: "it took too long" } } };
    const { decision, notes } = verdictOf(noMergeOverStaged, bash("git merge main"), given);
    expect(decision).toBe("pass");
    expect(notes[0]?.en).toContain("it took too long");
  });

  it("control characters in a file name are removed", () => {
    const given = { staged: { [PLACE]: { count: 1, names: ["\u001b[31mx\ny"], more: false } } };
    const [objection] = verdictOf(noMergeOverStaged, bash("git merge main"), given).objections;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for.
    expect(objection?.what.en).not.toMatch(/[\u0000-\u001f]/);
  });
});
