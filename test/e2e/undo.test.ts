/** Undo of destructive commands, on both lanes of the built program. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { verdictOf } from "./answer.ts";
import { openHouse } from "./house.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

/** Every byte, mode, time and link below a directory; names are read as bytes. */
function imageOf(directory: string): readonly string[] {
  const image = (at: Buffer, shown: string): readonly string[] => {
    const stat = lstatSync(at);
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) return [`${shown} -> ${readlinkSync(at)}`];
    if (!stat.isDirectory()) return [`${shown} ${mode} ${Math.round(stat.mtimeMs)} ${readFileSync(at, "hex")}`];
    const names = readdirSync(at, { encoding: "latin1" }).sort();
    const below = names.flatMap((name) =>
      image(Buffer.concat([at, Buffer.from(`/${name}`, "latin1")]), `${shown}/${name}`),
    );
    return [`${shown}/ ${mode} ${Math.round(stat.mtimeMs)}`, ...below];
  };
  return image(Buffer.from(directory), ".");
}

/** A dirty tree: committed, changed, untracked and ignored files, links, an empty directory, unusual names. */
function dirty(stage: Stage): void {
  stage.write(".gitignore", "*.o\n.env\nnode_modules\n");
  stage.write("src/a.ts", "export const a = 1;\n");
  stage.write("build/committed.txt", "as committed\n");
  stage.write("build/changed.txt", "old\n");
  stage.git("add", ".");
  stage.git("commit", "--quiet", "-m", "first");
  stage.write("build/changed.txt", "new and never committed\n");
  stage.write("build/new/deep/untracked.bin", "\u0000\u0001bytes\n");
  stage.write("build/object.o", "ignored, and small\n");
  stage.write("build/日本語 と\nnewline.txt", "名\n");
  mkdirSync(join(stage.project, "build/empty"));
  symlinkSync("changed.txt", join(stage.project, "build/link"));
  symlinkSync("/nowhere/at/all", join(stage.project, "build/dangling"));
  writeFileSync(Buffer.concat([Buffer.from(join(stage.project, "build/")), Buffer.from([0xff, 0xfe])]), "no text\n");
  chmodSync(join(stage.project, "build/new/deep/untracked.bin"), 0o755);
  utimesSync(join(stage.project, "build/changed.txt"), 1_600_000_000, 1_600_000_000);
}

/** Like the host: asks first, and runs the command when it passes. */
function runs(stage: Stage, command: string): string {
  const answer = stage.bash(command);
  expect({ command, verdict: verdictOf(answer) }).toEqual({ command, verdict: "pass" });
  spawnSync("bash", ["-c", command], { cwd: stage.project, env: stage.env });
  return answer.stdout;
}

describe("rm -rf build in a dirty tree, then undo", () => {
  it("restores it byte for byte on the plain lane", () => {
    const stage = openStage();
    dirty(stage);
    const before = imageOf(join(stage.project, "build"));
    const said = runs(stage, "rm -rf build");
    expect(existsSync(join(stage.project, "build"))).toBe(false);
    expect(said).toContain("sekisho undo");
    const { code, stdout } = stage.sekisho("undo");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("8 file(s)") });
    expect(imageOf(join(stage.project, "build"))).toEqual(before);
    expect(stage.git("status", "--short", "build/committed.txt")).toBe("");
  });

  it("restores it byte for byte on the fast lane, with the same message", async () => {
    const house = openHouse();
    const { stage } = house;
    dirty(stage);
    const before = imageOf(join(stage.project, "build"));
    const { text } = await house.bash("rm -rf build");
    rmSync(join(stage.project, "build"), { recursive: true });
    expect(text).toContain("sekisho undo");
    expect(stage.sekisho("undo").code).toBe(0);
    expect(imageOf(join(stage.project, "build"))).toEqual(before);
  });
});

it("a command that destroys nothing leaves no snapshot and gets no message", () => {
  const stage = openStage();
  dirty(stage);
  for (const command of [
    "ls build",
    "cat src/a.ts > copy.txt",
    "echo x >> build/changed.txt",
    "rm -f not-there",
    "mkdir x",
  ]) {
    expect(runs(stage, command)).toBe("");
  }
  expect(existsSync(join(stage.journal(), "undo"))).toBe(false);
  expect(stage.sekisho("undo")).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing to bring back") });
});

it("status shows how much is kept, if anything", () => {
  const stage = openStage();
  dirty(stage);
  expect(stage.sekisho("status").stdout).not.toContain("snapshot(s)");
  runs(stage, "rm -rf build");
  expect(stage.sekisho("status").stdout).toMatch(/Kept +1 snapshot\(s\), \d+.*undo --list/);
  const { snapshots } = JSON.parse(stage.sekisho("status", "--json").stdout);
  expect(snapshots).toMatchObject({ count: 1, bytes: expect.any(Number) });
});

it.skipIf(forPeople.skip)(`uninstall --purge removes this project's snapshots, and no others${forPeople.why}`, () => {
  const stage = openStage();
  dirty(stage);
  runs(stage, "rm -rf build");
  const shelf = join(stage.journal(), "undo");
  const other = join(stage.state, "sekisho", "home+other", "undo");
  cpSync(shelf, other, { recursive: true });
  expect(stage.sekisho("uninstall", "--yes").code).toBe(0);
  expect(existsSync(shelf)).toBe(true);
  expect(stage.sekisho("uninstall", "--purge", "--yes").code).toBe(0);
  expect([existsSync(shelf), existsSync(other)]).toEqual([false, true]);
});

it("overwritten files are kept silently, and files that git has are not kept", () => {
  const stage = openStage();
  dirty(stage);
  for (const command of ["sed -i s/a/b/ src/a.ts", "sed -i s/new/NEW/ build/changed.txt"])
    expect(runs(stage, command)).toBe("");
  const rows = JSON.parse(stage.sekisho("undo", "--list", "--json").stdout);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    files: 1,
    state: "kept",
    command: "sed -i s/new/NEW/ build/changed.txt",
    session: "s1",
  });
});

it("newer files are not overwritten without --force", () => {
  const stage = openStage();
  dirty(stage);
  runs(stage, "rm -rf build");
  stage.write("build/changed.txt", "made anew\n");
  const { code, stdout } = stage.sekisho("undo");
  expect({ code, stdout }).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("something else stands there now"),
  });
  expect(stage.read("build/changed.txt")).toBe("made anew\n");
  expect(stage.read("build/new/deep/untracked.bin")).toBe("\u0000\u0001bytes\n");
});

it.skipIf(forPeople.skip)(
  `with --force a person replaces them, and the replaced files are kept${forPeople.why}`,
  () => {
    const stage = openStage();
    dirty(stage);
    runs(stage, "rm -rf build");
    stage.write("build/changed.txt", "made anew\n");
    expect(stage.sekisho("undo", "--force").code).toBe(0);
    expect(stage.read("build/changed.txt")).toBe("new and never committed\n");
    rmSync(join(stage.project, "build/changed.txt"));
    expect(stage.sekisho("undo").code).toBe(0);
    expect(stage.read("build/changed.txt")).toBe("made anew\n");
    runs(stage, "rm -rf build");
    stage.write("build/changed.txt", "made a third time\n");
    const { keptAs } = JSON.parse(stage.sekisho("undo", "--force", "--json").stdout);
    expect(stage.sekisho("undo", keptAs, "--dry-run").stdout).toContain("build/changed.txt");
  },
);

it("--force is refused in an agent's shell, by the gate and by the program", () => {
  const stage = openStage();
  dirty(stage);
  runs(stage, "rm -rf build");
  const undo = (command: string) => verdictOf(stage.bash(command));
  expect(["sekisho undo", "sekisho undo --list", "sekisho undo abc --dry-run"].map(undo)).toEqual([
    "pass",
    "pass",
    "pass",
  ]);
  const moved = "XDG_STATE_HOME=/tmp/x sekisho undo";
  const forced = ["sekisho undo --force", "sekisho undo x --force", 'sekisho undo "$X"', moved, `env ${moved}`];
  expect(forced.map(undo)).toEqual(forced.map(() => "deny"));
  expect(undo("export XDG_STATE_HOME=/tmp/x; sekisho undo")).toBe("deny");
  const inside = spawnSync(process.execPath, [program.bundle, "undo", "--force"], {
    cwd: stage.project,
    env: { ...stage.env, CLAUDECODE: "1" },
    encoding: "utf8",
  });
  expect(inside).toMatchObject({ status: 1, stderr: expect.stringContaining("for people only") });
});

it("uncommitted changes are kept before a git checkout discards them", () => {
  const stage = openStage();
  dirty(stage);
  // The command needs confirmation, which a person may give.
  expect(verdictOf(stage.bash("git checkout -- build/changed.txt"))).toBe("ask");
  stage.git("checkout", "--", "build/changed.txt");
  expect(stage.read("build/changed.txt")).toBe("old\n");
  // Git has the current content, so replacing it loses nothing.
  expect(stage.sekisho("undo").code).toBe(0);
  expect(stage.read("build/changed.txt")).toBe("new and never committed\n");
});

it("a reset is asked about with what is not committed, and undo brings it back", () => {
  const stage = openStage();
  dirty(stage);
  const answer = stage.bash("git reset --hard");
  expect(verdictOf(answer)).toBe("ask");
  expect(answer.stdout).toContain("1 file, 2 lines are not committed, and this discards them (build/changed.txt).");
  stage.git("reset", "--hard", "--quiet");
  expect(stage.sekisho("undo").code).toBe(0);
  expect(stage.read("build/changed.txt")).toBe("new and never committed\n");
});

it("a dropped stash is restored", () => {
  const stage = openStage();
  dirty(stage);
  stage.git("stash", "push", "--quiet", "-m", "half done");
  expect(verdictOf(stage.bash("git stash drop"))).toBe("ask");
  stage.git("stash", "drop", "--quiet");
  expect(stage.git("stash", "list")).toBe("");
  expect(stage.sekisho("undo").code).toBe(0);
  expect(stage.git("stash", "list")).toContain("half done");
});

it("a refused command leaves no snapshot", () => {
  const stage = openStage();
  dirty(stage);
  expect(verdictOf(stage.bash("git reset --hard --recurse-submodules"))).toBe("deny");
  expect(existsSync(join(stage.journal(), "undo"))).toBe(false);
});

it("secrets are never copied, and the message says so", () => {
  const stage = openStage();
  dirty(stage);
  stage.write("build/.env", "TOKEN=sk-very-secret-0123456789abcdef\n");
  stage.write("build/id_rsa", "-----BEGIN PRIVATE KEY-----\n");
  const answer = stage.bash("rm -rf build");
  // The person may say yes, so the rest is copied before the question.
  expect(verdictOf(answer)).toBe("ask");
  expect(answer.stdout).toMatch(/destroys \.env, id_rsa/);
  for (const name of ["build/.env", "build/id_rsa"])
    expect(answer.stdout).toMatch(new RegExp(`Not kept: .*${name} \\(looks like a secret\\)`));
  const found = spawnSync("grep", ["-rl", "-e", "very-secret", "-e", "BEGIN PRIVATE", stage.state], {
    encoding: "utf8",
  });
  expect(found.stdout).toBe("");
  expect(stage.sekisho("undo", "--dry-run").stdout).toContain("not kept: build/.env (looks like a secret)");
  expect(stage.sekisho("undo").stdout).toContain("2 place(s) were not kept");
});

it("a large ignored directory is skipped, silently if it can be rebuilt", () => {
  const stage = openStage();
  dirty(stage);
  for (let at = 0; at < 600; at++) stage.write(`node_modules/p${at}/index.js`, "x");
  expect(runs(stage, "rm -rf node_modules")).toBe("");
  stage.write("src/old.o", Buffer.alloc(5 * 1024 * 1024).toString());
  expect(runs(stage, "rm -f src/old.o")).toContain("ignored and large");
});

describe("an altered snapshot", () => {
  it.each([
    ["a list that leads out of the tree", (text: string) => text.replace("build/changed.txt", "../../outside.txt")],
    ["another list", (text: string) => text.replace("build/changed.txt", "build/elsewhere.txt")],
  ])("%s", (_, forge) => {
    const stage = openStage();
    dirty(stage);
    runs(stage, "rm -rf build");
    const shelf = join(stage.journal(), "undo");
    const file = join(shelf, readdirSync(shelf)[0] ?? "", "manifest.json");
    writeFileSync(file, forge(readFileSync(file, "utf8")));
    expect(stage.sekisho("undo")).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be brought back") });
    expect(existsSync(join(stage.project, "build"))).toBe(false);
  });

  it("a damaged copy is reported and skipped, and the rest is restored", () => {
    const stage = openStage();
    dirty(stage);
    runs(stage, "rm -rf build");
    const shelf = join(stage.journal(), "undo");
    const snapshot = join(shelf, readdirSync(shelf)[0] ?? "");
    for (const name of readdirSync(snapshot).filter((each) => each.startsWith("copy."))) {
      const content = readFileSync(join(snapshot, name), "utf8");
      if (content.startsWith("new and")) writeFileSync(join(snapshot, name), "forged");
    }
    expect(stage.sekisho("undo")).toMatchObject({ code: 2, stdout: expect.stringContaining("the copy is damaged") });
    expect(existsSync(join(stage.project, "build/changed.txt"))).toBe(false);
    expect(existsSync(join(stage.project, "build/new/deep/untracked.bin"))).toBe(true);
  });

  it("an incomplete snapshot does not count", () => {
    const stage = openStage();
    dirty(stage);
    runs(stage, "rm -rf build");
    const shelf = join(stage.journal(), "undo");
    const [name = ""] = readdirSync(shelf);
    renameSync(join(shelf, name), join(shelf, `new.${name.split(".")[0]}`));
    expect(stage.sekisho("undo").code).toBe(1);
    expect(JSON.parse(stage.sekisho("undo", "--list", "--json").stdout)).toMatchObject([{ state: "expired" }]);
  });
});

it("a link in place of a directory is not followed", () => {
  const stage = openStage();
  dirty(stage);
  runs(stage, "rm -rf build");
  mkdirSync(join(stage.root, "outside"));
  symlinkSync(join(stage.root, "outside"), join(stage.project, "build"));
  expect(stage.sekisho("undo").code).toBe(2);
  expect(readdirSync(join(stage.root, "outside"))).toEqual([]);
});

it("the target of a link outside the tree is not read", () => {
  const stage = openStage();
  dirty(stage);
  mkdirSync(join(stage.root, "outside"));
  writeFileSync(join(stage.root, "outside/private.txt"), "not the project's\n");
  symlinkSync(join(stage.root, "outside"), join(stage.project, "build/out"));
  runs(stage, "rm -rf build");
  expect(spawnSync("grep", ["-rl", "not the project", stage.state], { encoding: "utf8" }).stdout).toBe("");
  expect(stage.sekisho("undo").code).toBe(0);
  expect(readlinkSync(join(stage.project, "build/out"))).toBe(join(stage.root, "outside"));
});

it("a snapshot that cannot be written blocks nothing and is reported", () => {
  const stage = openStage();
  dirty(stage);
  stage.bash("ls");
  writeFileSync(join(stage.journal(), "undo"), "in the way");
  expect(runs(stage, "rm -rf build")).toContain("could not keep a copy");
  expect(stage.audit("--kind", "error").map(({ reason }) => reason)).toMatchObject([
    expect.stringContaining("run-snapshot"),
  ]);
});

it("a linked work tree belongs to the project; another repository next to it does not", () => {
  const stage = openStage();
  dirty(stage);
  stage.git("worktree", "add", "--quiet", join(stage.root, "linked"), "-b", "other");
  writeFileSync(join(stage.root, "linked/work.txt"), "in the linked tree\n");
  const command = `rm ${join(stage.root, "linked/work.txt")}`;
  runs(stage, command);
  expect(stage.sekisho("undo").code).toBe(0);
  expect(readFileSync(join(stage.root, "linked/work.txt"), "utf8")).toBe("in the linked tree\n");
  mkdirSync(join(stage.root, "stranger/.git"), { recursive: true });
  writeFileSync(join(stage.root, "stranger/file"), "x");
  expect(stage.bash(`rm ${join(stage.root, "stranger/file")}`).stdout).toBe("");
});

it("the list fits 80 columns, and only the user can read the copies", () => {
  const stage = openStage();
  dirty(stage);
  runs(stage, `rm -rf build ${"x".repeat(300)}`);
  const { stdout } = stage.sekisho("undo", "--list");
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[0]?.indexOf("COMMAND")).toBe(lines[1]?.indexOf("rm -rf"));
  expect(statSync(join(stage.journal(), "undo")).mode & 0o077).toBe(0);
});

it("while a snapshot is slow the daemon answers other requests", async () => {
  const stage = openStage();
  const [bin, inside, go] = ["bin", "inside", "go"].map((name) => join(stage.root, name)) as [string, string, string];
  mkdirSync(bin);
  // Stands for any slow program: it waits for the test.
  writeFileSync(join(bin, "git"), `#!/bin/sh\ntouch ${inside}\nuntil [ -e ${go} ]; do sleep 0.02; done\nexit 1\n`);
  chmodSync(join(bin, "git"), 0o755);
  stage.write("build/a.txt", "x\n");
  (stage.env as Record<string, string>)["PATH"] = `${bin}:${stage.env["PATH"]}`;
  const house = openHouse(stage);
  const order: string[] = [];
  const slow = house.bash("rm -rf build").then(({ text }) => order.push(text));
  await until(() => existsSync(inside), "the slow program");
  const other = new Agent();
  await house.bash("ls", {}, { agent: other }).then(() => order.push("ls"));
  writeFileSync(go, "");
  await slow;
  other.destroy();
  expect(order).toEqual(["ls", expect.stringContaining("sekisho undo")]);
});
