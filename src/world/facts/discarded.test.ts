/** What git would throw away, in real repositories: clean, dirty, scratch, and arranged to deceive. */
import * as child from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { driveNow, running } from "../../kernel/drive.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Discarded } from "../../kernel/facts.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { runNow } from "../machine/program.ts";
import { discardedBy } from "./discarded.ts";

let home: string;
let project: string;
let scratch: string;

beforeEach(() => {
  home = join(tempDirectory("discarded"), "home");
  project = join(home, "project");
  scratch = tempDirectory("elsewhere");
  mkdirSync(project, { recursive: true });
  git(project, "init", "-q", "-b", "main");
  write("a.txt", "one\n");
  write(".gitignore", "ignored/\nnode_modules/\n.env\n");
  commit("first");
});

function git(cwd: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
  return child.execFileSync("git", [...who, ...args], { cwd, env: environment(), encoding: "utf8" });
}

function environment(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
}

function write(name: string, text: string): void {
  mkdirSync(join(project, name, ".."), { recursive: true });
  writeFileSync(join(project, name), text);
}

function commit(subject: string): void {
  git(project, "add", "--all");
  git(project, "commit", "-q", "-m", subject);
}

/** What the answer says about the only discarding command; undefined when there is none. */
function lostBy(command: string): Discarded | undefined {
  const tool = { kind: "bash", name: "Bash", command, background: false } as const;
  const from = {
    event: { name: "PreToolUse", cwd: project, tool } as unknown as HookEvent,
    operation: operationOf(tool, { cwd: project, home }),
    env: environment(),
    places: { project, home },
    deadline: Number.POSITIVE_INFINITY,
    clock: () => 0,
  };
  const found = driveNow(
    discardedBy(from),
    running((program) => runNow(program, child)),
  );
  return Object.values(found)[0];
}

const NOTHING = { files: 0, untracked: 0, commits: 0, stashes: 0 };

describe("on a clean work tree", () => {
  it.each([
    "git reset --hard",
    "git reset --hard HEAD",
    "git status && git reset --hard",
    "git checkout -- .",
    "git checkout .",
    "git checkout -- a.txt",
    "git checkout a.txt 2>/dev/null || echo none",
    "git checkout HEAD -- a.txt && npm run build",
    "git restore .",
    "git restore --source=HEAD --staged --worktree .",
    "git clean -fd",
    "git stash drop",
    "git stash clear",
    "git checkout -f main",
    "git reset --hard 2>&1 | tail -3",
    "git branch -D no-such-branch",
  ])("%s loses nothing", (command) => expect(lostBy(command)).toMatchObject(NOTHING));

  it("a branch that is merged can go", () => {
    git(project, "branch", "topic");
    expect(lostBy("git checkout main && git branch -D topic")).toMatchObject(NOTHING);
  });

  it("ignored directories that a build made are no loss, and other ignored files are", () => {
    write("node_modules/x/index.js", "x");
    expect(lostBy("git clean -fdx")).toMatchObject(NOTHING);
    write(".env", "A=1");
    expect(lostBy("git clean -fdx")).toMatchObject({ untracked: 1, names: [".env"] });
  });

  it("one side of a conflict can be taken", () => {
    git(project, "switch", "-q", "-c", "topic");
    write("a.txt", "topic\n");
    commit("topic");
    git(project, "switch", "-q", "main");
    write("a.txt", "main\n");
    commit("main");
    expect(() => git(project, "merge", "topic")).toThrow();
    expect(lostBy("git checkout --theirs a.txt")).toMatchObject(NOTHING);
    expect(lostBy("git checkout --theirs .gitignore")).toBeUndefined();
  });
});

describe("on a dirty work tree", () => {
  it("changed lines are counted, staged or not", () => {
    write("a.txt", "one\ntwo\nthree\n");
    write("b.txt", "new\n");
    git(project, "add", "b.txt");
    expect(lostBy("git reset --hard")).toMatchObject({ files: 2, lines: 3, names: ["a.txt", "b.txt"] });
    expect(lostBy("git checkout -- .")).toMatchObject({ files: 1, lines: 2 });
    expect(lostBy("git checkout HEAD -- b.txt")).toMatchObject({ files: 1, lines: 1 });
    expect(lostBy("git checkout -- .gitignore")).toMatchObject(NOTHING);
  });

  it("the whole tree counts from a directory below it", () => {
    write("src/x.txt", "x\n");
    commit("second");
    write("a.txt", "two\n");
    expect(lostBy("cd src && git reset --hard")).toMatchObject({ files: 1 });
    expect(lostBy("cd src && git checkout -- .")).toMatchObject(NOTHING);
  });

  it("untracked files and stashes are counted", () => {
    write("new/b.txt", "b\n");
    expect(lostBy("git clean -fd")).toMatchObject({ untracked: 1 });
    expect(lostBy("git clean -f")).toMatchObject(NOTHING);
    git(project, "stash", "push", "--quiet", "--include-untracked");
    expect(lostBy("git stash drop")).toMatchObject({ stashes: 1 });
  });

  it("a removed work tree is looked at there", () => {
    const beside = join(home, "beside");
    git(project, "worktree", "add", "-q", beside);
    expect(lostBy(`git worktree remove --force ${beside}`)).toMatchObject(NOTHING);
    writeFileSync(join(beside, "new.txt"), "x");
    expect(lostBy(`git worktree remove --force ${beside}`)).toMatchObject({ untracked: 1 });
  });
});

describe("commits that nothing else names", () => {
  it("are lost by a reset to an older commit, and not when another branch has them", () => {
    write("a.txt", "two\n");
    commit("second");
    expect(lostBy("git reset --hard HEAD~1")).toMatchObject({ commits: 1, files: 0 });
    git(project, "branch", "keep");
    expect(lostBy("git reset --hard HEAD~1")).toMatchObject(NOTHING);
    expect(lostBy("git branch -D keep")).toMatchObject(NOTHING);
    git(project, "reset", "-q", "--hard", "HEAD~1");
    expect(lostBy("git branch -D keep")).toMatchObject({ commits: 1, names: ["keep"] });
    expect(lostBy("git branch -f keep main")).toMatchObject({ commits: 1 });
  });

  it("are counted whole where the target is not there yet", () => {
    expect(lostBy("git fetch && git reset --hard origin/topic")).toMatchObject({ commits: 1 });
    git(project, "branch", "keep");
    expect(lostBy("git fetch && git reset --hard origin/topic")).toMatchObject(NOTHING);
    write("a.txt", "dirty\n");
    expect(lostBy("git reset --hard origin/topic")).toMatchObject({ files: 1 });
  });
});

describe("what the state before the line does not tell", () => {
  it.each([
    "mv ~/letters . && git clean -fd",
    "git stash pop && git reset --hard",
    "git add --all && git reset --hard",
    "git rm --cached a.txt && git clean -fd",
    "rm .gitignore && git clean -fd",
    "echo > .gitignore && git clean -fd",
    "git switch topic && git reset --hard HEAD~3",
    "for i in 1 2; do git clean -fd; mv ~/letters .; done",
    "sleep 1 && git clean -fd & mv ~/letters .",
    "git clean -fd | mv ~/letters .",
    "echo $(mv ~/letters .); git clean -fd",
    "git clean -fd; mv ~/letters .; git clean -fd",
    "python3 -c 'print(1)'; git clean -fd",
    "./prepare.sh && git reset --hard",
    "git config core.worktree /home && git clean -fd",
    "git -c core.worktree=/home clean -fd",
    "git --work-tree=/home clean -fd",
    "GIT_WORK_TREE=/home git clean -fd",
    "export GIT_WORK_TREE=/home; git clean -fd",
    "ssh web 'git reset --hard'",
    'git reset --hard "$COMMIT"',
    "git reset --hard --recurse-submodules",
    "git checkout --no-overlay HEAD -- .",
    "git clean -fd -e keep",
    "watch -n1 git reset --hard",
    "bash -c 'git reset --hard'",
    "echo git reset --hard | bash",
    "sudo git reset --hard",
  ])("%s has no answer", (command) => expect(lostBy(command)).toBeUndefined());

  it("changes that git was told not to see have no answer", () => {
    for (const mark of ["--assume-unchanged", "--skip-worktree"]) {
      git(project, "update-index", mark, "a.txt");
      write("a.txt", "hidden\n");
      expect(lostBy("git checkout -- a.txt")).toBeUndefined();
      expect(lostBy("git reset --hard")).toBeUndefined();
      git(project, "update-index", mark.replace("--", "--no-"), "a.txt");
    }
  });

  it("an untracked file in the way of the other commit is lost, ignored or not", () => {
    git(project, "switch", "-q", "-c", "topic");
    write("in-the-way.txt", "theirs\n");
    write(".env", "theirs\n");
    git(project, "add", "--force", ".env");
    commit("topic");
    git(project, "switch", "-q", "main");
    expect(lostBy("git reset --hard topic")).toMatchObject(NOTHING);
    write("in-the-way.txt", "mine\n");
    write(".env", "mine\n");
    expect(lostBy("git reset --hard topic")).toMatchObject({ untracked: 2 });
    expect(lostBy("git checkout topic -- in-the-way.txt")).toMatchObject({ untracked: 1 });
  });

  it("a project without a commit, and a directory that is no repository, have no answer", () => {
    project = join(home, "plain");
    mkdirSync(project);
    expect(lostBy("git reset --hard")).toBeUndefined();
    git(project, "init", "-q");
    expect(lostBy("git reset --hard")).toBeUndefined();
  });
});

describe("a command that may run in another directory", () => {
  it.each([
    "false && cd ../clean; git reset --hard",
    "[ -d ../clean ] && cd ../clean; git reset --hard",
    "cd ../clean && false && cd ../project; git reset --hard",
    "cd ../clean || cd ../project; git reset --hard",
    "cd ../no-such-place; git reset --hard",
    "mkdir ../no-such-place; cd ../no-such-place; git reset --hard",
    "alias cd=true; cd ../clean && git reset --hard",
    "export CDPATH=..; cd clean && git reset --hard",
    "cd /tmp/no-such-place-at-all || true && git reset --hard",
    "TMPDIR=$PWD; export TMPDIR; cd $(mktemp -d) && git reset --hard",
    "cd $(mktemp -d -p .) && git reset --hard",
    "cd $(mktemp -d ./x.XXX) && git reset --hard",
  ])("%s has no answer", (command) => {
    git(home, "init", "-q", "clean");
    git(join(home, "clean"), "commit", "-q", "--allow-empty", "-m", "x");
    expect(lostBy(command)).toBeUndefined();
  });

  it("is answered for both directories where a `cd` at the beginning may fail", () => {
    expect(lostBy("cd /tmp/no-such-place-at-all; git reset --hard")).toMatchObject(NOTHING);
    write("a.txt", "dirty\n");
    expect(lostBy("cd /tmp/no-such-place-at-all\n git reset --hard")).toMatchObject({ files: 1 });
    expect(lostBy("cd ../no-such-place; git reset --hard")).toBeUndefined();
  });

  it("is answered where the directory is certain", () => {
    write("a.txt", "dirty\n");
    git(home, "clone", "-q", project, "clean");
    expect(lostBy("cd ../clean && git reset --hard")).toMatchObject(NOTHING);
    expect(lostBy("cd ../clean; git status; git reset --hard")).toMatchObject(NOTHING);
    expect(lostBy("(cd ../clean && true) && git reset --hard")).toMatchObject({ files: 1 });
    expect(lostBy(`true; git -C ${home}/clean reset --hard`)).toMatchObject(NOTHING);
    expect(lostBy("D=$(mktemp -d) && cd $D && git init -q && echo x > f && git reset --hard")).toMatchObject({
      scratch: true,
    });
  });
});

describe("a scratch repository", () => {
  const IN = { scratch: true };

  it("may lose everything", () => {
    git(scratch, "init", "-q", "x");
    expect(lostBy(`git -C ${scratch}/x reset --hard`)).toMatchObject(IN);
    expect(lostBy(`cd ${scratch}/x && echo x > f && git add f && git commit -m x && git branch -D y`)).toMatchObject(
      IN,
    );
    expect(lostBy(`git init ${scratch}/new && cd ${scratch}/new && touch f && git clean -fd`)).toMatchObject(IN);
    expect(lostBy("cd /tmp && git init -q no-such-thing && cd no-such-thing && git clean -fd")).toMatchObject(IN);
  });

  it("is not one that leads to the project", () => {
    write("a.txt", "dirty\n");
    symlinkSync(project, join(scratch, "link"));
    expect(lostBy(`git -C ${scratch}/link reset --hard`)).toMatchObject({ files: 1 });
    git(project, "worktree", "add", "-q", "--detach", join(scratch, "tree"));
    git(project, "branch", "topic");
    expect(lostBy(`git -C ${scratch}/tree branch -D topic`)?.scratch).toBeUndefined();
    git(scratch, "init", "-q", "sent");
    git(join(scratch, "sent"), "config", "core.worktree", project);
    expect(lostBy(`git -C ${scratch}/sent clean -fdx`)?.scratch).toBeUndefined();
    git(scratch, "init", "-q", "shared", "--separate-git-dir", join(home, "shared.git"));
    expect(lostBy(`git -C ${scratch}/shared branch -D x`)?.scratch).toBeUndefined();
  });

  it("is not one that the line makes lead elsewhere", () => {
    for (const before of [
      `ln -s ${project} ${scratch}/l`,
      `mkdir ${scratch}/l && echo 'gitdir: ${project}/.git' > ${scratch}/l/.git`,
      `git worktree add ${scratch}/l`,
      `cp -r ${project} ${scratch}/l`,
      `mv ${project} ${scratch}/l`,
      `git init ${scratch}/l && git -C ${scratch}/l config core.worktree ${project}`,
      `git clone ${project} ${scratch}/l`,
      `git -C ${scratch}/x pull`,
      `git init --separate-git-dir=${project}/.git ${scratch}/l`,
    ])
      expect(lostBy(`${before} && git -C ${scratch}/l reset --hard`)?.scratch, before).toBeUndefined();
  });

  it("is not a new one while a person's template decides what is in it", () => {
    git(home, "config", "--global", "init.templateDir", join(scratch, "template"));
    expect(lostBy(`git init ${scratch}/new && git -C ${scratch}/new clean -fdx`)).toBeUndefined();
  });
});
