/** `sekisho doctor` drives the real client itself, with a scripted model of its own. */
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

describe("the proof through the client", () => {
  it("holds where the hooks hold, in seconds, and leaves nothing in the person's state", () => {
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

  it("fails where the client does not ask: the gate is open and the doctor says so", () => {
    const stage = openStage(
      { ".claude/settings.json": '{"disableAllHooks": true}' },
      { SEKISHO_CLIENT: clientBinary() },
    );
    expect(proof(stage).lane).toMatchObject({
      state: "fail",
      what: expect.stringContaining("ran a forbidden command"),
    });
  });

  // On the fast lane a program that is gone is still in memory, and the gate holds.
  it.runIf(laneOfRun() === "plain")("sees a hook that cannot start as the client sees it", () => {
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
