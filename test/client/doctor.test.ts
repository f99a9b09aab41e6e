/** `sekisho doctor` runs the real host with a scripted model of its own. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../files.ts";
import { clientBinary } from "./client.ts";
import { laneOfRun, openStage, type Stage } from "./stage.ts";

interface Check {
  readonly id: string;
  readonly state: string;
  readonly what: string;
}

function proof(stage: Stage): { readonly lane: Check | undefined; readonly version: Check | undefined } {
  const { stdout } = stage.sekisho("doctor", "--json");
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return {
    lane: checks.find(({ id }) => id === "client-lane"),
    version: checks.find(({ id }) => id === "client-version"),
  };
}

describe("the doctor's check with the real host", () => {
  it("passes with working hooks, within seconds, and leaves nothing in the user's state", () => {
    const stage = openStage({}, { SEKISHO_CLIENT: clientBinary() });
    const state = () => readdirSync(join(stage.state, "sekisho")).filter((name) => name !== "sessions");
    const before = { records: stage.audit().length, state: state() };
    const { lane, version } = proof(stage);
    expect(version).toMatchObject({ state: "ok" });
    expect(lane).toMatchObject({
      state: "ok",
      what: expect.stringMatching(/refused a forbidden command and ran a harmless one/),
    });
    expect({ records: stage.audit().length, state: state() }).toEqual(before);
    expect(
      existsSync(join(stage.state, "sekisho", "sessions")) ? filesBelow(join(stage.state, "sekisho", "sessions")) : [],
    ).toEqual([]);
    expect(filesBelow(stage.project)).toEqual([".claude/settings.local.json", "hello.txt"]);
  });

  it("fails when the host ignores the hooks: the doctor reports an open gate", () => {
    const stage = openStage(
      { ".claude/settings.json": '{"disableAllHooks": true}' },
      { SEKISHO_CLIENT: clientBinary() },
    );
    expect(proof(stage).lane).toMatchObject({
      state: "fail",
      what: expect.stringContaining("ran a forbidden command"),
    });
  });

  // On the fast lane the deleted program is still in the daemon's memory, and the gate holds.
  it.runIf(laneOfRun() === "plain")("reports a hook that cannot start as the host does", () => {
    const stage = openStage({}, { SEKISHO_CLIENT: clientBinary() });
    stage.write(
      ".claude/settings.local.json",
      (stage.read(".claude/settings.local.json") ?? "").replaceAll(stage.program, "/gone/sekisho.cjs"),
    );
    expect(proof(stage).lane).toMatchObject({
      state: "fail",
      what: expect.stringMatching(/not on our word.*blocking/s),
    });
  });
});
