import { describe, expect, it } from "vitest";
import type { Loss } from "../../kernel/snapshot-request.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, write } from "../example.ts";
import { runSnapshot } from "./run-snapshot.ts";

const PROJECT = "/home/dev/project";

function lossesBy(command: string): readonly Loss[] {
  return verdictOf(runSnapshot, bash(command)).losses ?? [];
}

/** Paths from the project's root, with what tells them apart. */
function briefly(command: string): readonly string[] {
  return lossesBy(command).map((loss) => {
    if (!("path" in loss))
      return [loss.how, ...("paths" in loss ? [...loss.paths, loss.ignored ?? ""] : [])].join(" ").trim();
    const marks = `${loss.recursive ? "/" : ""}${loss.glob ? "*" : ""}${loss.names ? ` ${loss.names}` : ""}`;
    return `${loss.how} ${loss.path.replace(`${PROJECT}/`, "")}${marks}`;
  });
}

describePolicy(runSnapshot);

describe("what a command would take away", () => {
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
  ])("%s: nothing that could be kept", (command) => expect(lossesBy(command)).toEqual([]));

  it("git reset --hard and git clean, once a person lets them pass", () => {
    expect(briefly("git reset --hard HEAD~1")).toEqual(["uncommitted"]);
    expect(briefly("git clean -fdx")).toEqual(["untracked too"]);
    expect(briefly("git clean -fX build")).toEqual(["untracked build only"]);
  });

  it("what is not there is not asked for", () => {
    const given = { standing: { [`${PROJECT}/a`]: false, [`${PROJECT}/b`]: true } };
    const { losses: lost = [] } = verdictOf(runSnapshot, bash("rm a b"), given);
    expect(lost).toMatchObject([{ path: `${PROJECT}/b` }]);
  });

  it("the client's own file tools have checkpoints of their own", () => {
    expect(verdictOf(runSnapshot, write(`${PROJECT}/a.ts`)).losses).toBeUndefined();
  });
});
