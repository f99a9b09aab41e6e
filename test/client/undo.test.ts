/** Files the agent deleted in a dirty tree are restored: by a person afterwards, or by the agent itself. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash } from "./scripted-model.ts";
import { openStage, type Stage } from "./stage.ts";

/** Committed, changed, untracked and ignored files; links, modes and an empty directory. */
function dirty(): Stage {
  const stage = openStage({
    ".gitignore": "*.o\n",
    "build/committed.txt": "as committed\n",
    "build/changed.txt": "old\n",
  });
  stage.write("build/changed.txt", "new, and never committed\n");
  stage.write("build/deep/untracked.sh", "#!/bin/sh\necho untracked\n");
  stage.write("build/object.o", "ignored, and small\n");
  mkdirSync(join(stage.project, "build/empty"));
  symlinkSync("changed.txt", join(stage.project, "build/link"));
  chmodSync(join(stage.project, "build/deep/untracked.sh"), 0o750);
  return stage;
}

function imageOf(path: string, shown = "."): readonly string[] {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return [`${shown} -> ${readlinkSync(path)}`];
  const head = `${shown} ${(stat.mode & 0o777).toString(8)} ${Math.round(stat.mtimeMs)}`;
  if (!stat.isDirectory()) return [`${head} ${readFileSync(path, "hex")}`];
  return [head, ...readdirSync(path).flatMap((name) => imageOf(join(path, name), `${shown}/${name}`))];
}

describe("rm -rf build in a dirty tree", () => {
  it("is restored byte for byte by a person's `sekisho undo`", async () => {
    const stage = dirty();
    const before = imageOf(join(stage.project, "build"));
    const { requests } = await stage.session([bash("rm -rf build", "gone")]);
    expect(stage.call("gone")).toMatchObject({ outcome: "success", verdict: "pass" });
    expect(existsSync(join(stage.project, "build"))).toBe(false);
    expect(JSON.stringify(requests)).toContain("brings it back");
    expect(stage.sekisho("undo")).toMatchObject({ code: 0, stdout: expect.stringContaining("5 file(s)") });
    expect(imageOf(join(stage.project, "build"))).toEqual(before);
  });

  it("may be restored by the agent itself, but not with --force", async () => {
    const stage = dirty();
    const before = imageOf(join(stage.project, "build"));
    const program = `${process.execPath} ${stage.program}`;
    await stage.session([
      bash("rm -rf build", "gone"),
      bash(`${program} undo --force`, "forced"),
      bash(`${program} undo`, "undone"),
    ]);
    expect(stage.call("forced")).toMatchObject({ outcome: "refused", policies: ["no-tampering"] });
    expect(stage.call("undone")).toMatchObject({ outcome: "success", verdict: "pass" });
    expect(imageOf(join(stage.project, "build"))).toEqual(before);
  });
});
