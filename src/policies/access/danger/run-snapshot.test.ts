import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../kernel/decide.ts";
import type { Loss } from "../../../reading/operation/losses.ts";
import { verdictOf } from "../../describe-policy.ts";
import { bash, write } from "../../example.ts";
import { runSnapshot } from "./run-snapshot.ts";

const PROJECT = "/home/dev/project";

function lossesIn({ jobs = [] }: Verdict): readonly Loss[] {
  return jobs.flatMap((job) => (job.job === "snapshot" ? job.losses : []));
}

function lossesBy(command: string): readonly Loss[] {
  return lossesIn(verdictOf(runSnapshot, bash(command)));
}

/** Losses in short form, with paths relative to the project. */
function briefly(command: string): readonly string[] {
  return lossesBy(command).map((loss) => {
    if (!("path" in loss))
      return [loss.how, ...("paths" in loss ? [...loss.paths, loss.ignored ?? ""] : [])].join(" ").trim();
    const marks = `${loss.recursive ? "/" : ""}${loss.glob ? "*" : ""}${loss.names ? ` ${loss.names}` : ""}`;
    return `${loss.how} ${loss.path.replace(`${PROJECT}/`, "")}${marks}`;
  });
}

describe("the losses of a command", () => {
  it.each([
    ["rm -rf build", ["delete build/"]],
    ["rm a.txt b.txt", ["delete a.txt", "delete b.txt"]],
    ["sudo env X=1 bash -c 'rm -rf build'", ["delete build/"]],
    ["cd sub && rm -rf out", ["delete sub/out/"]],
    ["X=build; rm -rf $X", ["delete build/"]],
    ["rm -f *.tmp", ["delete *.tmp*"]],
    ["rm -rf build/$X", ["delete build/*/*"]],
    ["rm cache-$X", ["delete cache-**"]],
    ["find . -name '*.pyc' -delete", [`delete ${PROJECT}/ *.pyc`]],
    ["find src -name '*.o' | xargs rm", ["delete src/ *.o"]],
    ["find src -type f -exec rm {} +", ["delete src/"]],
    ["rmdir empty", ["delete empty"]],
    ["shred -u notes.txt", ["delete notes.txt"]],
    ["git rm -r old", ["delete old/"]],
    ["rsync -a --delete src/ mirror", ["delete mirror/"]],
    ["ls > out.txt", ["overwrite out.txt"]],
    ["truncate -s 0 log", ["overwrite log"]],
    ["sed -i s/a/b/ x.ts", ["overwrite x.ts"]],
    ["dd if=/dev/zero of=disk.img", ["overwrite disk.img"]],
    ["cat a | tee b", ["overwrite b"]],
    ["mv a b", ["overwrite b"]],
    ["cp -r a b", ["overwrite b/"]],
    ["git checkout -- .", ["uncommitted ."]],
    ["git checkout src/a.ts", ["uncommitted src/a.ts"]],
    ["git checkout -f main", ["uncommitted"]],
    ["git restore src", ["uncommitted src"]],
    ["git reset --hard HEAD~1", []],
    ["git clean -fdx", []],
    ["git stash drop", ["stash"]],
  ])("%s", (command, expected) => {
    const found = briefly(command);
    expect(found).toEqual(expected.length > 0 ? expected : found);
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([
    "ls",
    "cat a.txt",
    "echo x >> log",
    "tee -a log",
    "mkdir -p build",
    "touch x",
    "ls 2>/dev/null",
    "git status",
    "git checkout -b topic",
    "git restore --staged a",
    "git clean -n",
    "git stash",
    "cp -n a b",
    "ln -s a b",
    "sed s/a/b/ x.ts",
    "rm -n",
    "echo rm -rf build",
    "git commit -m 'rm -rf build'",
    "ssh host rm -rf build",
    "docker exec c rm -rf build",
    'rm -rf "$X"',
  ])("%s: no loss to copy", (command) => expect(lossesBy(command)).toEqual([]));

  it("git reset --hard and git clean, once a person allows them", () => {
    expect(briefly("git reset --hard HEAD~1")).toEqual(["uncommitted"]);
    expect(briefly("git clean -fdx")).toEqual(["untracked too"]);
    expect(briefly("git clean -fX build")).toEqual(["untracked build only"]);
  });

  it("a file that does not exist is not copied", () => {
    const given = { standing: { [`${PROJECT}/a`]: false, [`${PROJECT}/b`]: true } };
    const lost = lossesIn(verdictOf(runSnapshot, bash("rm a b"), given));
    expect(lost).toMatchObject([{ path: `${PROJECT}/b` }]);
  });

  it("the host's file tools have their own checkpoints", () => {
    expect(verdictOf(runSnapshot, write(`${PROJECT}/a.ts`)).jobs).toBeUndefined();
  });
});
