import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { reachedBy } from "../../reading/operation/reached.ts";
import { reachedPaths } from "./reached.ts";

describe("where a path that would be changed leads", () => {
  let root: string;
  beforeEach(() => {
    root = tempDirectory("reached");
    for (const path of ["home/docs/deep", "project/src"]) mkdirSync(join(root, path), { recursive: true });
    symlinkSync(join(root, "home/docs/deep"), join(root, "project/link"));
    symlinkSync(join(root, "home"), join(root, "alias"));
  });

  function reached(command: string, cwd = "project"): readonly (string | undefined)[] {
    const place = { cwd: join(root, cwd), home: join(root, "alias") };
    const operation = operationOf({ kind: "bash", name: "Bash", command, background: false }, place);
    const facts = reachedPaths(operation, [place.home, place.cwd]);
    return operation.effects
      .filter(({ kind }) => kind !== "read")
      .map((effect) => (reachedBy(effect, facts) ?? effect.path).replace(root, ""));
  }

  it.each([
    ["rm -rf link", "/project/link"],
    ["rm -rf link/", "/home/docs/deep"],
    ["rm -rf link/*", "/home/docs/deep/*"],
    ["rm -rf link/..", "/home/docs"],
    ["rm -rf link/../..", "/home"],
    ["rm -rf link/../../docs", "/home/docs"],
    ["cd link && rm -rf ..", "/home/docs"],
    ["cd link && rm -rf ../missing/x", "/home/docs/missing/x"],
    ["rm -rf src/../link/x", "/home/docs/deep/x"],
    ["echo x > link/a", "/home/docs/deep/a"],
    ["chmod -R 777 link", "/home/docs/deep"],
    ["mv link /tmp", "/project/link"],
    ["rm -rf src", "/project/src"],
  ])("%s: %s", (command, expected) => {
    expect(reached(command)[0]).toBe(expected);
  });

  it("the home and the working directory are resolved too, but only when something would be changed", () => {
    const place = { cwd: join(root, "project/link"), home: join(root, "alias") };
    const facts = (command: string) =>
      reachedPaths(operationOf({ kind: "bash", name: "Bash", command, background: false }, place), [
        place.home,
        place.cwd,
      ]);
    expect(facts("rm x")).toMatchObject({
      [place.home]: join(root, "home"),
      [place.cwd]: join(root, "home/docs/deep"),
    });
    expect(facts("ls x")).toEqual({});
  });

  it("nothing is looked up for another machine, for variables, or beyond the limit", () => {
    const place = { cwd: root, home: root };
    const facts = (command: string) =>
      Object.keys(reachedPaths(operationOf({ kind: "bash", name: "Bash", command, background: false }, place), []));
    expect(facts("ssh host rm -rf /x; rm -rf $Y; cat z")).toEqual([]);
    expect(facts(`rm ${Array.from({ length: 200 }, (_, at) => `f${at}`).join(" ")}`)).toHaveLength(64);
  });
});
