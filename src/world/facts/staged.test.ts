import * as child from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { drive, driveNow, running } from "../../kernel/drive.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Staged } from "../../kernel/facts.ts";
import { programsOfOne } from "../../lanes/gatehouse/programs.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import type { Surroundings } from "../gather.ts";
import { runNow } from "../machine/program.ts";
import { stagedWhereMerged } from "./staged.ts";

let root: string;
let repository: string;

beforeEach(() => {
  root = tempDirectory("staged");
  repository = join(root, "repository");
  mkdirSync(repository);
  git("init", "-q", "-b", "main");
});

function git(...args: readonly string[]): void {
  child.execFileSync("git", args, {
    cwd: repository,
    env: { ...process.env, HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "ignore",
  });
}

function stage(name: string): void {
  writeFileSync(join(repository, name), name);
  git("add", name);
}

function surroundings(command: string, more: Partial<Surroundings> = {}): Surroundings {
  const tool = { kind: "bash", name: "Bash", command, background: false } as const;
  return {
    event: { name: "PreToolUse", cwd: repository, tool } as unknown as HookEvent,
    operation: operationOf(tool, { cwd: repository, home: root }),
    env: { PATH: process.env["PATH"], HOME: root },
    places: { project: repository },
    deadline: Number.POSITIVE_INFINITY,
    clock: () => 0,
    ...more,
  } as Surroundings;
}

/** As the daemon does it. */
async function aside(from: Surroundings): Promise<Record<string, Staged>> {
  return await drive(stagedWhereMerged(from), running(programsOfOne()));
}

async function both(command: string, more: Partial<Surroundings> = {}): Promise<Record<string, Staged>> {
  const from = surroundings(command, more);
  const found = driveNow(
    stagedWhereMerged(from),
    running((program) => runNow(program, child)),
  );
  expect(await aside(from)).toEqual(found);
  return found;
}

describe("staged files, the same on both lanes", () => {
  it("MD-74 TS-37 counts them and names the first five", async () => {
    for (const name of ["a", "b", "c d", "e\nf", "g", "h"]) stage(name);
    const found = await both("git merge x");
    expect(found).toEqual({ [repository]: { count: 6, names: ["a", "b", "c d", "e\nf", "g"], more: false } });
  });

  it("TS-37 finds nothing staged, also before the first commit and from a subdirectory", async () => {
    expect(await both("git merge x")).toEqual({ [repository]: { count: 0, names: [], more: false } });
    mkdirSync(join(repository, "deep"));
    stage("a");
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x");
    expect(Object.values(await both("cd deep && git merge x"))).toEqual([{ count: 0, names: [], more: false }]);
  });

  it("a linked work tree has its own index", async () => {
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x", "--allow-empty");
    git("worktree", "add", "-q", join(root, "tree"), "-b", "topic");
    stage("a");
    const found = await both(`git -C ${join(root, "tree")} merge main`);
    expect(Object.values(found)).toEqual([{ count: 0, names: [], more: false }]);
  });

  it("TS-37 without git, a repository or a directory the fact is unseen, not an error", async () => {
    expect(Object.values(await both("git merge x", { env: { PATH: "/nowhere" } }))).toEqual([
      { unseen: "there is no git" },
    ]);
    expect(Object.values(await both(`git -C ${root} merge x`))[0]).toHaveProperty("unseen");
    expect(Object.values(await both(`git -C ${root}/none merge x`))[0]).toHaveProperty("unseen");
  });

  it("a git inside the project is not run", async () => {
    const bin = join(repository, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), `#!/bin/sh\ntouch ${root}/trap\n`);
    chmodSync(join(bin, "git"), 0o755);
    expect(Object.values(await both("git merge x", { env: { PATH: `${bin}:bin:.` } }))).toEqual([
      { unseen: "there is no git" },
    ]);
    expect(existsSync(join(root, "trap"))).toBe(false);
  });

  it("MD-74 a git that hangs is killed", async () => {
    const bin = join(root, "slow");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexec sleep 60\n");
    chmodSync(join(bin, "git"), 0o755);
    const more = { env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: root }, deadline: 1000 };
    expect(Object.values(await both("git merge x", more))).toEqual([{ unseen: "it took too long" }]);
  });

  it("without time left no program is started", async () => {
    expect(Object.values(await both("git merge x", { deadline: 600 }))[0]).toHaveProperty("unseen");
  });

  it("a list too long to read is cut and still says that files are staged", async () => {
    const bin = join(root, "long");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\nyes a-file-name | head -c 400000 | tr '\\n' '\\0'\n");
    chmodSync(join(bin, "git"), 0o755);
    const more = { env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: root } };
    const [found] = Object.values(await both("git merge x", more));
    expect(found).toMatchObject({ more: true });
    expect(found && "count" in found && found.count > 5).toBe(true);
  });

  it("runs nothing that the repository's settings name, and no setting hides staged files", async () => {
    const trap = join(root, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch ${root}/trap\nexit 1\n`);
    chmodSync(trap, 0o755);
    for (const key of ["core.fsmonitor", "diff.external", "core.pager", "core.sshCommand", "diff.x.textconv"])
      git("config", key, trap);
    git("config", "core.hooksPath", root);
    git("config", "diff.relative", "true");
    git("config", "diff.orderFile", trap);
    writeFileSync(join(repository, ".gitattributes"), "* diff=x filter=x\n");
    git("config", "filter.x.clean", "cat");
    stage("a");
    git("config", "filter.x.clean", trap);
    rmSync(join(root, "trap"), { force: true });
    mkdirSync(join(repository, "deep"));
    const [found] = Object.values(await both("cd deep && git merge x"));
    expect(found).toEqual({ count: 1, names: ["a"], more: false });
    expect(existsSync(join(root, "trap"))).toBe(false);
  });

  it("variables that redirect git are not passed on", async () => {
    stage("a");
    const env = { PATH: process.env["PATH"], HOME: root, GIT_INDEX_FILE: join(root, "none"), GIT_DIR: root };
    expect(Object.values(await both("git merge x", { env }))[0]).toMatchObject({ count: 1 });
  });

  it("many programs at once are run a few at a time, and each is answered", async () => {
    stage("a");
    const from = surroundings("git merge x");
    const found = await Promise.all(Array.from({ length: 12 }, () => aside(from)));
    expect(found.every((one) => JSON.stringify(one) === JSON.stringify(found[0]))).toBe(true);
    expect(found[0]).toMatchObject({ [repository]: { count: 1 } });
  });
});
