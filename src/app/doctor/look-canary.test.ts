import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkSettings } from "../../state/settings/setting-rules.ts";
import type { Run } from "../setup/run.ts";
import { openHouse } from "./example-house.ts";
import { canary, latency } from "./look-canary.ts";

describe("the canary", () => {
  it("runs the registered hook and accepts a refusal, a pass and a read", async () => {
    expect(await openHouse().look(canary)).toMatchObject({ state: "ok" });
  });

  it.each([
    ["lets everything pass", "", /let `sekisho uninstall` pass/, /gate is open/],
    ["refuses everything", "process.exitCode = 2;", /was refused/, /held back/],
    ["crashes", "throw new Error('broken');", /the hook fails: exit code 1/, /fails/],
    ["prints a line before its answer", "console.log('debug');", /not the JSON/, /fails/],
  ])("reports a hook that %s", async (_, content, what, why) => {
    const { look, bundle } = openHouse();
    writeFileSync(bundle, content);
    expect(await look(canary)).toMatchObject({
      state: "fail",
      what: expect.stringMatching(what),
      why: expect.stringMatching(why),
    });
  });

  it("reports a daemon that does not answer, without printing the token", async () => {
    const finding = await openHouse("fast").look(canary);
    expect(finding).toMatchObject({ state: "fail", what: expect.stringContaining("nobody answered") });
    expect(JSON.stringify(finding)).not.toContain("token-nobody");
  });

  it("is skipped where the project has opted out", async () => {
    const settings = checkSettings([{ enabled: false }], []);
    expect((await openHouse().look(canary, { settings })).state).toBe("skip");
  });
});

describe("EH-16 the cost of a hook", () => {
  const taking =
    (ms: number): Run =>
    async () => ({ code: 0, stdout: "", stderr: "", ms });

  it.each([
    [40, "ok"],
    [800, "warn"],
    [7000, "fail"],
  ])("%i ms is %s: our own deadline is 60 %% of the host's", async (ms, state) => {
    const finding = await openHouse().look(latency, { run: taking(ms) });
    expect(finding.state).toBe(state);
    expect(finding.figures?.map(({ hook }) => hook)).toEqual([
      "PreToolUse",
      "PreToolUse (reading)",
      "PostToolUse",
      "ConfigChange",
      "Stop",
    ]);
    expect(finding.figures?.[0]?.measured).toEqual({ runs: 7, p50: ms, p95: ms });
  });

  it("starts no daemon in the scratch state, although the hooks would", async () => {
    const words: string[] = [];
    const run: Run = async (_, args) => {
      words.push(...args);
      return { code: 0, stdout: "", stderr: "", ms: 1 };
    };
    await openHouse("fast").look(latency, { run });
    expect(words).toContain("Stop");
    expect(words).not.toContain("gatehouse");
  });

  it("shows the times from the journal beside the measured ones", async () => {
    const house = openHouse();
    const { store } = house.premises();
    for (const ms of [3, 1, 2]) store.append({ kind: "verdict", event: "Stop", session: "s", decision: "pass", ms }, 1);
    const { figures } = await house.look(latency, { run: taking(1), store });
    expect(figures?.find(({ hook }) => hook === "Stop")?.journal).toEqual({ runs: 3, p50: 2, p95: 3 });
  });
});
