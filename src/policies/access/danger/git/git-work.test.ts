/** Git commands that throw work away: by what git says would be lost, and by their words where git can't tell. */
import { describe, expect, it } from "vitest";
import type { Discarded } from "../../../../kernel/facts.ts";
import { describePolicy, verdictOf } from "../../../describe-policy.ts";
import { bash } from "../../../example.ts";
import { noDestructiveCommand } from "../no-destructive-command.ts";
import { lossDanger } from "./git-facts.ts";

const NOTHING: Discarded = { files: 0, lines: 0, untracked: 0, commits: 0, stashes: 0, names: [] };
/** The answer of git for one command in a directory. */
const told = (command: string, lost: Partial<Discarded>, cwd = "/home/dev/project") => ({
  discarded: { [[cwd, ...command.split(" ").slice(1)].join("\0")]: { ...NOTHING, ...lost } },
});

const DISCARDING = [
  "git reset --hard",
  "git reset --hard origin/main",
  "git checkout -- .",
  "git checkout .",
  "git checkout -f main",
  "git checkout -- src/a.ts",
  "git restore .",
  "git clean -fd",
  "git stash drop",
  "git stash clear",
  "git branch -D topic",
  "git worktree remove --force ../tree",
];

describePolicy(noDestructiveCommand, ({ asks, denies, passes }) => {
  for (const command of DISCARDING) {
    passes(`${command}, where nothing would be lost`, bash(command), told(command, {}));
    asks(`${command}, where something would be lost`, bash(command), told(command, { files: 1, lines: 2 }));
  }
  denies("git can't tell, and everything is discarded", bash("git reset --hard"));
  asks("git can't tell, and one file is discarded", bash("git checkout -- src/a.ts"));
  denies("the answer is about another directory", bash("git reset --hard"), told("git reset --hard", {}, "/tmp/x"));
  denies("the answer is about other words", bash("git reset --hard HEAD~3"), told("git reset --hard", {}));
  denies("another danger on the line", bash("git reset --hard; rm -rf ~"), told("git reset --hard", {}));
  asks(
    "a clean tree does not excuse skipped checks",
    bash("git commit --no-verify -m x"),
    told("git reset --hard", {}),
  );
  passes("checks skipped in a scratch repository", bash("git commit --no-verify -m x"), {
    ...told("git commit --no-verify -m x", { scratch: true }),
  });
  passes("a scratch repository", bash("git reflog expire --all"), told("git reflog expire --all", { scratch: true }));

  // A name in a temporary directory may be a link to the project, or another work tree of its repository.
  denies("a reset through a name in /tmp", bash("git -C /tmp/x reset --hard"));
  denies("a clean through a name in /tmp", bash("cd /tmp/x && git clean -fd"));
  asks("a branch deleted from a work tree in /tmp", bash("git -C /tmp/x branch -D topic"));

  asks("all files removed, with git's own protection of changes", bash("git rm -r --ignore-unmatch ."));
  denies("all files removed by force", bash("git rm -rf ."));
});

describe("the message about a loss", () => {
  const says = (lost: Partial<Discarded>): string => lossDanger({ ...NOTHING, ...lost })?.what.en ?? "";

  it("counts what is there now", () => {
    expect(says({ files: 2, lines: 31, names: ["a.ts", "b.ts"] })).toBe(
      "2 files, 31 lines are not committed, and this discards them (a.ts, b.ts).",
    );
    expect(says({ files: 5, lines: 9, names: ["a", "b", "c"], untracked: 1 })).toBe(
      "5 files, 9 lines are not committed, and this discards them (a, b, c and 2 more). 1 untracked file would be lost, and git has no copy.",
    );
    expect(says({ commits: 1 })).toContain("1 commit is on no other branch, tag or remote; only git's reflog");
    expect(says({ stashes: 2 })).toBe("2 stashes would be thrown away.");
    expect(says({ untracked: 1, names: ["notes.md"] })).toContain("(notes.md)");
  });

  it("says that undo brings files back", () => {
    const verdict = verdictOf(noDestructiveCommand, bash("git clean -fd"), told("git clean -fd", { untracked: 3 }));
    expect(verdict.objections[0]?.fix.en).toContain("sekisho undo");
  });
});
