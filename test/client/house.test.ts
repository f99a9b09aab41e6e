/** The files Sekisho leaves on the machine, and that uninstall removes them. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../files.ts";
import { bash } from "./scripted-model.ts";
import { forbidden, openStage, spokenOf } from "./stage.ts";

describe("after a session", () => {
  it("the state is readable by the user only, and the project has nothing of ours but the hooks", async () => {
    const stage = openStage();
    await stage.session([bash("true"), bash(forbidden)]);
    const state = filesBelow(stage.state, { directories: true }).map((path) => {
      const entry = statSync(join(stage.state, path));
      return [path, entry.isDirectory() ? "directory" : "file", (entry.mode & 0o777).toString(8)];
    });
    expect(state.length).toBeGreaterThan(2);
    for (const [path, kind, mode] of state) expect([path, mode]).toEqual([path, kind === "directory" ? "700" : "600"]);
    expect(filesBelow(stage.project)).toEqual([".claude/settings.local.json", "hello.txt"]);
  });
});

describe("after uninstall", () => {
  it("the host runs as if Sekisho had never been installed", async () => {
    const stage = openStage();
    expect(stage.sekisho("uninstall")).toMatchObject({ code: 0 });
    stage.write("hello.txt", "not committed yet\n");
    const session = await stage.session([bash(forbidden, "reset")]);
    expect(stage.read("hello.txt")).toBe("hello\nworld\n");
    expect(session.told("reset")).toContain("HEAD is now at");
    expect(spokenOf(session)).toEqual([]);
    expect(stage.read(".claude/settings.local.json")).toBeUndefined();
  });
});
