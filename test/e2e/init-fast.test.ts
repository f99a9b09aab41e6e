/** `init` on the fast lane: the daemon runs before any hook is registered with it. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { filesBelow } from "../files.ts";
import { endHouse } from "./house.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { clientOf, LOCAL, runWith, slotsIn } from "./registration.ts";
import { openStage, registeredEvents, type Stage } from "./stage.ts";

const current = { claude: clientOf("2.1.325") };

function openFastStage(): Stage {
  const stage = openStage({ registered: false });
  onTestFinished(() => endHouse(stage));
  return stage;
}

function doorOf({ state }: Stage): { port: number; token: string } {
  const text = fs.readFileSync(join(state, "sekisho", "gatehouse", "door.json"), "utf8");
  return JSON.parse(text) as { port: number; token: string };
}

describe.skipIf(forPeople.skip)(`init --lane fast${forPeople.why}`, () => {
  it.each([[[]], [["--lane", "fast"]]])(
    "with a current host, %j: registers the daemon's address, and the canary is refused there",
    (lane) => {
      const stage = openFastStage();
      const { code, stdout } = runWith(stage, current, "init", "--yes", ...lane);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /fast: a small resident program.*\n.*hooks registered in .*\n.*sent through the hook and refused/,
      );
      const { port, token } = doorOf(stage);
      const wanted = slots(registeredEvents, { ...program, door: { port, token } }, "fast");
      const found = slotsIn(stage.read(LOCAL));
      // A file lists them by event.
      expect(found).toEqual(expect.arrayContaining([...wanted]));
      expect(found).toHaveLength(wanted.length);
      expect(JSON.parse(stage.read(LOCAL) ?? "")).not.toHaveProperty("env");
      const before = stage.read(LOCAL);
      expect(runWith(stage, current, "init", "--yes", ...lane).code).toBe(0);
      expect(stage.read(LOCAL)).toBe(before);
    },
  );

  it("behind a proxy: adds the NO_PROXY exception, and uninstall removes only that", () => {
    const stage = openFastStage();
    const text = '{\n  "env": { "NO_PROXY": "corp", "HTTPS_PROXY": "http://127.0.0.1:1" }\n}\n';
    stage.write(LOCAL, text);
    expect(runWith(stage, current, "init", "--yes").stdout).toContain("env.NO_PROXY there is corp,127.0.0.1");
    expect(JSON.parse(stage.read(LOCAL) ?? "")).toMatchObject({ env: { NO_PROXY: "corp,127.0.0.1" } });
    expect(stage.sekisho("status").stdout).not.toMatch(/PROXY/);
    expect(stage.sekisho("uninstall").code).toBe(0);
    expect(stage.read(LOCAL)).toBe(text);
  });

  it("switches to the plain lane and back, and keeps the other settings", () => {
    const stage = openFastStage();
    stage.write(LOCAL, '{"model":"opus","hooks":{ }}');
    for (const lane of ["fast", "plain", "fast"]) {
      expect(runWith(stage, { ...current }, "init", "--yes", "--lane", lane).code).toBe(0);
    }
    expect(stage.sekisho("uninstall").code).toBe(0);
    expect(stage.read(LOCAL)).toBe('{"model":"opus","hooks":{ }}');
  });

  it("--purge stops the daemon first", () => {
    const stage = openFastStage();
    expect(runWith(stage, current, "init", "--yes").code).toBe(0);
    expect(stage.sekisho("uninstall", "--purge", "--yes").code).toBe(0);
    expect(filesBelow(stage.state)).toEqual([]);
  });
});
