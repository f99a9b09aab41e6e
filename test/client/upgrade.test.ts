/** Upgrading to another copy of the program and back while a session is running. */
import { renameSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { bash } from "./scripted-model.ts";
import { forbidden, openStage } from "./stage.ts";

/** The host re-reads its settings about every second. */
const REREAD_MS = 2500;

describe("upgrade in a running session", () => {
  it("moves the hooks and back again without a veto of our own; the gate holds throughout", async () => {
    const stage = openStage();
    const first = dirname(stage.program);
    stage.write("hello.txt", "not committed yet\n");
    const session = await stage.session([
      bash("echo before", "before"),
      async () => {
        expect(stage.sekisho("upgrade", "--to", "this")).toMatchObject({ code: 0, stderr: "" });
        await sleep(REREAD_MS);
        // The old program is gone, so a hook that still starts it would block.
        renameSync(first, `${first}.gone`);
        return bash("echo moved", "moved");
      },
      bash(forbidden, "forbidden-moved"),
      async () => {
        renameSync(`${first}.gone`, first);
        expect(stage.sekisho("upgrade", "--back")).toMatchObject({ code: 0, stderr: "" });
        await sleep(REREAD_MS);
        return bash("echo back", "back");
      },
      bash(forbidden, "forbidden-back"),
    ]);
    expect([session.told("before"), session.told("moved"), session.told("back")]).toEqual(["before", "moved", "back"]);
    for (const call of ["forbidden-moved", "forbidden-back"]) expect(session.told(call)).toContain("Sekisho refuses");
    expect(stage.read("hello.txt")).toBe("not committed yet\n");
    expect(stage.audit().filter(({ kind }) => kind === "config-veto")).toEqual([]);
    expect(
      stage
        .audit()
        .filter(({ kind }) => kind === "action")
        .map(({ event }) => event),
    ).toEqual(["init", "stance", "upgrade", "upgrade-back"]);
  });
});
