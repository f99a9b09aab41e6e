/** Times that the built program writes and shows do not depend on the time zone it runs in. */
import { describe, expect, it } from "vitest";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const ZONES = ["Asia/Tokyo", "America/St_Johns"];

function shownIn(stage: Stage, zone: string, ...args: readonly string[]): string {
  return stage.run("env", [`TZ=${zone}`, program.node, program.bundle, ...args]).stdout;
}

/** Every text in the output that looks like a time. */
const timesIn = (text: string): readonly string[] => text.match(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^"\s,]*/g) ?? [];

/** Within half an hour of now, in UTC: a wrong zone is off by more. */
function isNow(time: string): boolean {
  return /Z$/.test(time) && Math.abs(Date.parse(time) - Date.now()) < 1_800_000;
}

describe.each(ZONES)("ST-13 a session whose hooks run in %s", (zone) => {
  it("ST-13 shows times in UTC with a Z, the same in every zone", () => {
    const stage = openStage();
    const env = { TZ: zone };
    stage.send("SessionStart", { source: "startup" }, { env });
    stage.send("PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf /" }, tool_use_id: "c" }, { env });
    stage.send("PreCompact", { trigger: "manual" }, { env });
    for (const args of [
      ["audit", "--json", "--kind", "all"],
      ["export", "trust-scores"],
      ["explain", "--last"],
    ]) {
      const times = timesIn(shownIn(stage, zone, ...args));
      expect([args, times.length > 0, times.filter((time) => !isNow(time))]).toEqual([args, true, []]);
    }
    const [first = ""] = timesIn(shownIn(stage, zone, "audit", "--json"));
    const ofDay = ["audit", "--json", "--date", first.slice(0, 10)];
    expect(shownIn(stage, zone, ...ofDay)).toContain(first);
    expect(shownIn(stage, zone, ...ofDay)).toBe(shownIn(stage, "UTC", ...ofDay));
  });
});
