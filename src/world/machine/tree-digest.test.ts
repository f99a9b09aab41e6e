import * as childProcess from "node:child_process";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import type { Digest, Unseen } from "../../evidence/tree.ts";
import { driveNow, running } from "../../kernel/drive.ts";
import { sha256Hex } from "../../store/digest.ts";
import { runNow } from "./program.ts";
import { treeDigest } from "./tree-digest.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = tempDirectory("tree");
  root = join(base, "project");
  mkdirSync(join(root, "src"), { recursive: true });
  git("init", "-q");
  write("src/a.ts", "export const a = 1;\n");
  write("README.md", "# a\n");
  write("package.json", "{}\n");
  write(".gitignore", "out/\n");
  git("add", "-A");
  git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "a");
});

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: base } });
}

function write(name: string, text: string): void {
  mkdirSync(join(root, name, ".."), { recursive: true });
  writeFileSync(join(root, name), text);
}

function look(id = "x", at = root): Digest | Unseen {
  const steps = treeDigest(at, id, {
    env: { PATH: process.env["PATH"], HOME: base },
    places: { project: root, journal: join(base, "state"), home: base },
    digest: sha256Hex,
    clock: () => 0,
    deadline: 30_000,
  });
  return driveNow(
    steps,
    running((program) => runNow(program, childProcess)),
  );
}

function seen(id?: string, at?: string): Digest {
  const digest = look(id, at);
  if ("unseen" in digest) throw new Error(digest.unseen);
  return digest;
}

describe("large files", () => {
  const GIB = 2 ** 30;
  const large = (name: string, size: number): void => {
    write(name, "");
    truncateSync(join(root, name), size);
  };

  it("GT-20 do not blind the digest: they count by size and times", () => {
    const before = seen();
    large("data 1.bin", 6 * GIB);
    const [with1, again] = [seen(), seen()];
    expect(again).toEqual(with1);
    expect(with1.tree).not.toBe(before.tree);
    write("src/a.ts", "export const a = 2;\n");
    const changed = seen();
    expect(changed.code).not.toBe(with1.code);
    truncateSync(join(root, "data 1.bin"), 6 * GIB + 1);
    expect(seen().files).not.toBe(changed.files);
    rmSync(join(root, "data 1.bin"));
    write("src/a.ts", "export const a = 1;\n");
    expect(seen()).toEqual(before);
  });

  it("count for a tracked file that becomes large, and not where they are ignored", () => {
    const before = seen();
    large("out/data.bin", 6 * GIB);
    expect(seen()).toEqual(before);
    truncateSync(join(root, "src/a.ts"), 6 * GIB);
    const one = seen();
    expect(one.code).not.toBe(before.code);
    expect(seen("y")).toEqual(one);
    rmSync(join(base, "state"), { recursive: true });
    expect(seen()).toEqual(one);
  });
});

describe("the digest of a work tree", () => {
  it("is the tree object that a commit would have", () => {
    expect(seen().tree).toBe(git("rev-parse", "HEAD^{tree}").trim());
    write("src/b.ts", "new\n");
    const { tree } = seen();
    git("add", "-A");
    git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "b");
    expect(tree).toBe(git("rev-parse", "HEAD^{tree}").trim());
  });

  it("PL-44 changes with any file, however it was written, and reverts with it", () => {
    const before = seen();
    write("src/a.ts", "export const a = 2;\n");
    const changed = seen();
    expect(changed.code).not.toBe(before.code);
    expect(changed.files).not.toBe(before.files);
    write("src/a.ts", "export const a = 1;\n");
    expect(seen()).toEqual(before);
  });

  it("differs for a change of the same length with the same mtime", () => {
    const before = seen();
    const time = new Date(1_700_000_000_000);
    write("src/a.ts", "export const a = 3;\n");
    utimesSync(join(root, "src/a.ts"), time, time);
    const after = seen();
    write("src/a.ts", "export const a = 4;\n");
    utimesSync(join(root, "src/a.ts"), time, time);
    expect(new Set([before.code, after.code, seen().code]).size).toBe(3);
  });

  it("a tracked file cannot be hidden by a flag in the project's index", () => {
    git("update-index", "--assume-unchanged", "src/a.ts");
    const before = seen();
    write("src/a.ts", "hidden\n");
    expect(seen().code).not.toBe(before.code);
    git("update-index", "--no-assume-unchanged", "src/a.ts");
    git("update-index", "--skip-worktree", "src/a.ts");
    write("src/a.ts", "hidden again\n");
    expect(seen().code).not.toBe(before.code);
  });

  it("GT-24 documents change the tree digest but not the files or code digest", () => {
    const before = seen();
    write("README.md", "# b\n");
    write("docs/x.md", "x\n");
    const after = seen();
    expect(after.tree).not.toBe(before.tree);
    expect(after).toMatchObject({ files: before.files, code: before.code });
  });

  it("a script that becomes executable changes the tree digest only", () => {
    const before = seen();
    chmodSync(join(root, "src/a.ts"), 0o755);
    const after = seen();
    expect(after.tree).not.toBe(before.tree);
    expect(after).toMatchObject({ files: before.files, code: before.code });
  });

  it("GT-10 settings change the files digest but not the code digest", () => {
    const before = seen();
    write("package.json", '{"name":"x"}\n');
    const after = seen();
    expect(after.files).not.toBe(before.files);
    expect(after.code).toBe(before.code);
  });

  it("new, renamed and deleted files count; ignored files and caches do not", () => {
    const before = seen();
    write("out/a.js", "x");
    write("node_modules/x/index.js", "x");
    write("__pycache__/a.pyc", "x");
    expect(seen()).toEqual(before);
    write("src/c.ts", "");
    const withNew = seen();
    rmSync(join(root, "src/a.ts"));
    expect(new Set([before.code, withNew.code, seen().code]).size).toBe(3);
  });

  it("a tracked file cannot be hidden by ignoring it", () => {
    const before = seen();
    write(".git/info/exclude", "*\n");
    write("src/a.ts", "hidden\n");
    expect(seen().code).not.toBe(before.code);
  });

  it("changes nothing in the project and keeps no copies", () => {
    const index = git("ls-files", "-s");
    const status = git("status", "--porcelain");
    write("src/a.ts", "changed\n");
    seen();
    expect(git("ls-files", "-s")).toBe(index);
    expect(git("status", "--porcelain")).toBe(`${status} M src/a.ts\n`);
    const [ours = ""] = readdirSync(join(base, "state/trees"));
    expect(readdirSync(join(base, "state/trees", ours, "objects"))).toEqual([]);
    const others = readdirSync(join(base, "state/trees", ours)).filter((name) => !/^(?:index|list)$/.test(name));
    expect(others.sort()).toEqual(["HEAD", "config", "info", "objects", "refs"]);
  });

  it("works while another event writes objects in the same directory", async () => {
    const wanted = seen();
    const [ours = ""] = readdirSync(join(base, "state/trees"));
    const place = join(base, "state/trees", ours, "objects", "eb");
    const script = 'n=0; while [ -d "$2" ]; do mkdir -p "$1"; : > "$1/$n"; n=$((n + 1)); done 2>/dev/null';
    const writer = childProcess.spawn("sh", ["-c", script, "sh", place, join(base, "state")], { stdio: "ignore" });
    const ended = new Promise((resolve) => writer.once("exit", resolve));
    try {
      for (let at = 0; at < 20; at += 1) expect(seen(`at-${at}`)).toEqual(wanted);
    } finally {
      writer.kill("SIGKILL");
      await ended;
    }
  });

  it("runs nothing that the repository names", () => {
    const mark = join(base, "ran");
    git("config", "filter.evil.clean", `touch ${mark}; cat`);
    git("config", "core.fsmonitor", `touch ${mark}`);
    write(".gitattributes", "*.ts filter=evil\n");
    write("src/a.ts", "filtered\n");
    seen();
    expect(existsSync(mark)).toBe(false);
  });

  it("is separate for a linked work tree", () => {
    git("worktree", "add", "-q", join(base, "linked"), "-b", "other");
    writeFileSync(join(base, "linked/src/a.ts"), "other\n");
    expect(seen("x", join(base, "linked")).code).not.toBe(seen().code);
  });

  it("works without a repository, but not for the home directory or /", () => {
    rmSync(join(root, ".git"), { recursive: true });
    const before = seen();
    write("src/a.ts", "2\n");
    expect(seen().code).not.toBe(before.code);
    expect(look("x", "/")).toHaveProperty("unseen");
    expect(look("x", base)).toHaveProperty("unseen");
  });

  it("concurrent lookups do not disturb each other", () => {
    write("src/a.ts", "both\n");
    const one = seen("one");
    const lock = join(base, "state/trees", readdirSync(join(base, "state/trees"))[0] ?? "", "index.two.lock");
    writeFileSync(lock, "");
    expect(seen("one")).toEqual(one);
    // A lock left by a killed process must not make later lookups fail.
    expect(seen("two")).toEqual(one);
  });

  it("a nested repository without commits neither breaks the lookup nor hides files", () => {
    execFileSync("git", ["init", "-q", "in side"], { cwd: root });
    const before = seen();
    write("src/a.ts", "changed\n");
    const changed = seen();
    expect(changed.code).not.toBe(before.code);
    write("in side/b.ts", "new\n");
    expect(seen().code).not.toBe(changed.code);
  });

  it.each(["* ident", "*.ts working-tree-encoding=UTF-16", "*.ts filter=none"])(
    "the project's attribute %j hides nothing",
    (attribute) => {
      write(".gitattributes", `${attribute}\n`);
      write("src/a.ts", "/* $Id: */ one(); /* $ */\n");
      const before = seen();
      write("src/a.ts", "/* $Id: */ two(); /* $ */\n");
      expect(seen().code).not.toBe(before.code);
    },
  );

  it("a nested linked work tree is separate: a commit there changes nothing here", () => {
    git("worktree", "add", "-q", "trees/one");
    const before = seen();
    const name = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    git("-C", "trees/one", ...name, "commit", "-q", "--allow-empty", "-m", "b");
    expect(seen().files).toBe(before.files);
  });

  it("output of a test run changes nothing unless it is tracked", () => {
    const before = seen();
    for (const name of ["coverage/lcov.info", ".coverage", "htmlcov/a.js", "a.tsbuildinfo", "junit.xml"])
      write(name, "x");
    expect(seen().files).toBe(before.files);
    git("add", "-f", "junit.xml");
    rmSync(join(base, "state"), { recursive: true });
    expect(seen().files).not.toBe(before.files);
  });

  it("a pipe in place of the exclude file does not block", () => {
    rmSync(join(root, ".git/info/exclude"), { force: true });
    mkdirSync(join(root, ".git/info"), { recursive: true });
    execFileSync("mkfifo", [join(root, ".git/info/exclude")]);
    expect(look()).toHaveProperty("code");
  });

  it("a corrupt cached index is rebuilt", () => {
    const before = seen();
    const ours = join(base, "state/trees", readdirSync(join(base, "state/trees"))[0] ?? "");
    writeFileSync(join(ours, "index"), "garbage");
    expect(seen()).toEqual(before);
  });

  it("handles names with spaces, quotes and non-ASCII letters", () => {
    const before = seen();
    write("src/a b'\"\u00e9.ts", "x");
    const after = seen();
    expect(after.code).not.toBe(before.code);
  });

  it("reports that it cannot look instead of guessing", () => {
    const blind = {
      digest: sha256Hex,
      env: {},
      places: { project: root, journal: base, home: base },
      clock: () => 0,
      deadline: 9_000,
    };
    const answered = running(() => ({ text: "", cut: false }));
    expect(driveNow(treeDigest(root, "x", blind), answered)).toEqual({ unseen: "there is no git" });
    const late = { ...blind, env: { PATH: process.env["PATH"] }, deadline: 0 };
    expect(driveNow(treeDigest(root, "x", late), answered)).toEqual({ unseen: "there was no time to look" });
  });
});
