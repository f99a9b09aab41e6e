/** Saved files are restored in any situation; hostile files are left out and do no harm. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import type { SnapshotOutcome } from "../kernel/snapshot-request.ts";
import type { Loss } from "../reading/operation/losses.ts";
import { inDirectory } from "./anchor.ts";
import { bringBack } from "./bring-back.ts";
import { readManifest } from "./manifest.ts";
import { openSnapshot } from "./open.ts";
import { planOf } from "./plan.ts";
import { begin, finish, retire, shelfOf, shelved } from "./shelf.ts";
import { snapshot } from "./snapshot.ts";

const DAY_MS = 86_400_000;

interface Place {
  readonly root: string;
  readonly project: string;
  readonly journal: string;
}

function place(): Place {
  const root = tempDirectory("undo");
  const [project, journal] = [join(root, "project"), join(root, "state")];
  for (const directory of [project, journal]) mkdirSync(directory);
  return { root, project, journal };
}

function keep({ project, journal }: Place, losses: readonly Loss[], timeMs = 60_000): SnapshotOutcome {
  const retention = { maxAgeMs: 14 * DAY_MS, maxBytes: 1 << 29 };
  const about = { session: "s1", call: "c1", command: "rm -rf build", now: Date.now() };
  return snapshot({ losses, project, directory: journal, timeMs, retention, ...about });
}

function deleting({ project }: Place, path = "build"): Loss {
  return { how: "delete", path: join(project, path), glob: false, recursive: true };
}

function kept(outcome: SnapshotOutcome): Extract<SnapshotOutcome, { is: "kept" }> {
  if (outcome.is !== "kept") throw new Error(JSON.stringify(outcome));
  return outcome;
}

function bring({ project, journal }: Place, outcome: SnapshotOutcome): readonly string[] {
  const opened = openSnapshot(shelfOf(journal), kept(outcome), project);
  if ("problem" in opened) throw new Error(opened.problem);
  const steps = planOf(opened.manifest).filter(({ standing }) => standing === "missing" || standing === "committed");
  return bringBack(opened.manifest, opened.path, steps).flatMap(({ problem }) => problem ?? []);
}

function put({ project }: Place, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), content);
}

type Tree = { readonly [name: string]: Tree | Uint8Array | { readonly link: string } };

const name = fc.string({
  unit: fc.constantFrom("a", "b", " ", "\n", "é", "日", "*", "-", "\\", "'"),
  minLength: 1,
  maxLength: 6,
});
const { tree } = fc.letrec<{ tree: Tree; node: Tree[string] }>((tie) => ({
  tree: fc.dictionary(name, tie("node"), { maxKeys: 5 }) as fc.Arbitrary<Tree>,
  node: fc.oneof(
    { depthSize: "small" },
    fc.uint8Array({ maxLength: 2000 }),
    fc.record({ link: fc.constantFrom("a", "../b", "/etc/passwd", "missing") }),
    tie("tree"),
  ),
}));

function plant(directory: string, content: Tree): void {
  mkdirSync(directory, { recursive: true });
  for (const [child, value] of Object.entries(content)) {
    const path = join(directory, child);
    if (value instanceof Uint8Array) writeFileSync(path, value);
    else if (typeof (value as { link?: unknown }).link === "string") symlinkSync(String(value["link" as never]), path);
    else plant(path, value as Tree);
  }
}

function imageOf(path: string): unknown {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return { link: readlinkSync(path) };
  if (!stat.isDirectory()) return { mode: stat.mode, at: Math.round(stat.mtimeMs), content: readFileSync(path, "hex") };
  const names = readdirSync(path).sort();
  return { mode: stat.mode, at: Math.round(stat.mtimeMs), below: names.map((one) => [one, imageOf(join(path, one))]) };
}

describe("restoring a snapshot", () => {
  it("restores any tree byte for byte, with the same result the second time", () => {
    fc.assert(
      fc.property(tree, (content) => {
        const here = place();
        plant(join(here.project, "build"), content);
        const before = imageOf(join(here.project, "build"));
        const outcome = keep(here, [deleting(here)]);
        rmSync(join(here.project, "build"), { recursive: true });
        expect(bring(here, outcome)).toEqual([]);
        expect(imageOf(join(here.project, "build"))).toEqual(before);
        expect(bring(here, outcome)).toEqual([]);
        expect(imageOf(join(here.project, "build"))).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  it("restores many committed files from git, without copies", () => {
    const here = place();
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=d", "-c", "user.email=d@example.invalid", ...args], { cwd: here.project });
    git("init", "-q");
    for (let at = 0; at < 1200; at++) put(here, `build/${at % 40}/${at}.txt`, `${at}\n`.repeat(at % 7));
    git("add", ".");
    git("commit", "-qm", "x");
    const before = imageOf(join(here.project, "build"));
    const outcome = kept(keep(here, [deleting(here)]));
    expect(outcome).toMatchObject({ copies: 0, bytes: 0, files: 1200 });
    rmSync(join(here.project, "build"), { recursive: true });
    expect(bring(here, outcome)).toEqual([]);
    expect(imageOf(join(here.project, "build"))).toEqual(before);
  });

  it("matches patterns, names and hidden files like the shell", () => {
    const here = place();
    for (const path of ["a.tmp", ".b.tmp", "c.txt", "sub/x.pyc", "sub/y.py"]) put(here, path, path);
    const glob: Loss = { how: "delete", path: join(here.project, "*.tmp"), glob: true, recursive: false };
    expect(kept(keep(here, [glob])).files).toBe(1);
    const found: Loss = { how: "delete", path: here.project, glob: false, recursive: true, names: ["*.pyc"] };
    expect(kept(keep(here, [found])).files).toBe(1);
  });

  it("saves the files that a copy would replace in a directory", () => {
    const here = place();
    for (const path of ["a.txt", "out/a.txt", "out/other.txt"]) put(here, path, path);
    const from = [join(here.project, "a.txt")];
    const loss: Loss = { how: "overwrite", path: join(here.project, "out"), glob: false, recursive: false, from };
    expect(kept(keep(here, [loss]))).toMatchObject({ files: 1, deletes: false });
  });
});

describe("hostile contents", () => {
  it("pipes and sockets are left out and block nothing", () => {
    const here = place();
    put(here, "build/a", "x");
    spawnSync("mkfifo", [join(here.project, "build/pipe")]);
    expect(kept(keep(here, [deleting(here)]))).toMatchObject({
      files: 1,
      left: [{ path: "build/pipe", reason: "special" }],
    });
  });

  it("a huge sparse file is left out for its size", () => {
    const here = place();
    put(here, "build/disk.img", "");
    truncateSync(join(here.project, "build/disk.img"), 2 ** 40);
    put(here, "build/a", "x");
    expect(kept(keep(here, [deleting(here)]))).toMatchObject({ files: 1, left: [{ reason: "size" }] });
  });

  it("files beyond the limit are reported", () => {
    const here = place();
    for (let at = 0; at < 2100; at++) put(here, `build/${at}`, "x");
    expect(kept(keep(here, [deleting(here)]))).toMatchObject({
      files: 2000,
      leftCount: 100,
      left: [{ reason: "number" }, {}, {}],
    });
  });

  it("without time nothing is saved, and that is reported", () => {
    const here = place();
    put(here, "build/a", "x");
    expect(keep(here, [deleting(here)], -1)).toMatchObject({ is: "left", left: [{ reason: "time" }] });
    expect(readdirSync(shelfOf(here.journal), { recursive: true })).toEqual([]);
  });

  it("nothing outside the project's work trees is read, even through a link in the path", () => {
    const here = place();
    mkdirSync(join(here.root, "outside"));
    writeFileSync(join(here.root, "outside/private"), "x");
    symlinkSync(join(here.root, "outside"), join(here.project, "way"));
    for (const path of ["way/private", "../outside/private"]) {
      expect(keep(here, [deleting(here, path)])).toEqual({ is: "empty" });
    }
    const over: Loss = { how: "overwrite", path: join(here.project, "way"), glob: false, recursive: false };
    expect(kept(keep(here, [over])).files).toBe(1);
  });

  it("git's own directory is not saved", () => {
    const here = place();
    put(here, ".git/index.lock", "x");
    expect(keep(here, [deleting(here, ".git/index.lock")])).toEqual({ is: "empty" });
  });

  it("looking starts no configured program", () => {
    const here = place();
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: here.project });
    git("init", "-q");
    put(here, "build/a", "x");
    put(here, "trap.sh", `#!/bin/sh\ntouch ${join(here.root, "sprung")}\n`);
    chmodSync(join(here.project, "trap.sh"), 0o755);
    for (const key of ["core.fsmonitor", "filter.t.clean", "diff.external", "core.pager"]) {
      git("config", key, join(here.project, "trap.sh"));
    }
    put(here, ".gitattributes", "* filter=t\n");
    const losses: readonly Loss[] = [deleting(here), { how: "uncommitted", cwd: here.project, paths: [] }];
    keep(here, losses);
    expect(existsSync(join(here.root, "sprung"))).toBe(false);
  });

  it("two hard links to one file are restored as two files", () => {
    const here = place();
    put(here, "build/a", "x");
    linkSync(join(here.project, "build/a"), join(here.project, "build/b"));
    const outcome = keep(here, [deleting(here)]);
    rmSync(join(here.project, "build"), { recursive: true });
    expect(bring(here, outcome)).toEqual([]);
    expect(readFileSync(join(here.project, "build/b"), "utf8")).toBe("x");
  });

  it("an unusable destination fails the snapshot", () => {
    const here = place();
    put(here, "build/a", "x");
    writeFileSync(join(here.journal, "undo"), "");
    expect(keep(here, [deleting(here)])).toMatchObject({ is: "failed" });
  });
});

describe("a forged manifest", () => {
  const file = { tree: 0, path: "a", type: "file", mode: 0o644, mtimeMs: 1, size: 1, sha256: "0".repeat(64), copy: 0 };
  const list = (entry: object, trees: unknown = ["/p"]): string =>
    JSON.stringify({
      version: 1,
      id: "x",
      at: 1,
      session: "",
      command: "",
      trees,
      entries: [entry],
      left: [],
      leftCount: 0,
    });

  it("a valid manifest is read", () => expect(readManifest(list(file))).toBeDefined());

  it.each([
    ["up", { path: "../a" }],
    ["up in the middle", { path: "a/../../b" }],
    ["absolute", { path: "/etc/passwd" }],
    ["empty", { path: "" }],
    ["a doubled slash", { path: "a//b" }],
    ["git's own", { path: ".git/hooks/post-checkout" }],
    ["a NUL", { path: "a\0b" }],
    ["no bytes", { path: "日" }],
    ["another tree", { tree: 1 }],
    ["a mode beyond modes", { mode: 0o100644 }],
    ["a copy that is a path", { copy: "../../x" }],
    ["an object that is an option", { copy: undefined, blob: "--help" }],
    ["a device", { type: "device" }],
  ])("is rejected: %s", (_, change) => expect(readManifest(list({ ...file, ...change }))).toBeUndefined());

  it("with a tree outside the project is not opened", () => {
    const here = place();
    put(here, "build/a", "x");
    const outcome = kept(keep(here, [deleting(here)]));
    for (const project of [join(here.root, "state"), join(here.project, "build"), "/nowhere"]) {
      expect(openSnapshot(shelfOf(here.journal), outcome, project)).toMatchObject({
        problem: expect.stringMatching(/work tree/),
      });
    }
  });

  it("cannot lead through a link", () => {
    const here = place();
    symlinkSync("/tmp", join(here.project, "way"));
    expect(() => inDirectory(here.project, ["way"], "make", () => "in")).toThrow(/link/);
  });
});

describe("the snapshot directory", () => {
  const shelfWith = (days: readonly number[], bytes: number): string => {
    const shelf = shelfOf(place().journal);
    for (const day of days) finish(shelf, begin(shelf, day * DAY_MS).id, bytes);
    return shelf;
  };

  it("drops snapshots that are too old", () => {
    const shelf = shelfWith([20_000, 20_010, 20_019], 10);
    expect(retire(shelf, 20_020 * DAY_MS, { maxAgeMs: 14 * DAY_MS, maxBytes: 1000 })).toBe(1);
    expect(shelved(shelf).map(({ at }) => at / DAY_MS)).toEqual([20_019, 20_010]);
  });

  it("drops the oldest when they take too much room, and never the newest for its size", () => {
    const shelf = shelfWith([20_000, 20_001, 20_002], 100);
    expect(retire(shelf, 20_003 * DAY_MS, { maxAgeMs: 14 * DAY_MS, maxBytes: 50 })).toBe(2);
    expect(shelved(shelf)).toMatchObject([{ at: 20_002 * DAY_MS, bytes: 100 }]);
  });

  it("never lists an unfinished snapshot, and removes it after a while", () => {
    const shelf = shelfOf(place().journal);
    begin(shelf, Date.now());
    expect(shelved(shelf)).toEqual([]);
    expect(retire(shelf, Date.now(), { maxAgeMs: DAY_MS, maxBytes: 1 })).toBe(0);
    expect(retire(shelf, Date.now() + DAY_MS, { maxAgeMs: DAY_MS, maxBytes: 1 })).toBe(1);
  });
});
