import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Probe } from "../../daemon/probe.ts";
import { HOST, registrations } from "../../hosts/index.ts";
import type { GatehouseDoor } from "./check.ts";
import { examine, repairAll } from "./checks.ts";
import { DOOR, type House, openHouse } from "./example-house.ts";
import { gatehouse } from "./look-gatehouse.ts";

const { registrationIn } = registrations[HOST];

const MOVED = { port: 50_000, token: "another-token" };

/** A daemon that stays broken until the right repair is done, and a log of the calls. */
function broken(probe: Probe, cure: "start" | "stop" | "move" = "start") {
  const done: string[] = [];
  const healthy: Probe = { state: "up", detail: "", port: cure === "move" ? MOVED.port : DOOR.port, ms: 1 };
  const door: GatehouseDoor = {
    probe: async () => (done.includes("start") && done.includes(cure) ? healthy : probe),
    start: async () => {
      done.push("start");
      return { ok: true };
    },
    stop: async () => void done.push("stop"),
    move: async () => {
      done.push("move");
      return MOVED;
    },
    door: () => (done.includes("move") ? MOVED : DOOR),
    log: "/state/gatehouse.log",
  };
  return { door, done };
}

const repaired = async (house: House, door: GatehouseDoor) =>
  repairAll(await examine(house.premises({ gatehouse: door }), [gatehouse]), () => house.premises({ gatehouse: door }));

const port = DOOR.port;
const WAYS: readonly (readonly [string, Probe, "warn" | "fail", RegExp, "start" | "stop" | "move"])[] = [
  ["never set up", { state: "none", detail: "" }, "fail", /there is no door to it/, "move"],
  [
    "down",
    { state: "down", detail: "refused", port, isVacant: true },
    "fail",
    /down: nobody listens.*refused/,
    "start",
  ],
  ["silent, and gone once it is ended", { state: "down", detail: "no answer", port }, "fail", /silent: .*no/, "stop"],
  ["a stranger", { state: "stranger", detail: "wrong answer", port }, "fail", /a stranger answers on port/, "move"],
  [
    "another version",
    { state: "other-version", detail: "", port, version: "0.9.0" },
    "warn",
    /version 0\.9\.0/,
    "start",
  ],
  ["slow", { state: "up", detail: "busy", port, ms: 740 }, "warn", /slow: it took 740 ms/, "stop"],
];

describe("a broken daemon", () => {
  it.each(WAYS)("%s: the doctor reports it, and --fix repairs it", async (_, probe, state, words, cure) => {
    const house = openHouse("fast");
    const { door, done } = broken(probe, cure);
    expect(await house.look(gatehouse, { gatehouse: door })).toMatchObject({
      state,
      what: expect.stringMatching(words),
    });
    expect(await repaired(house, door)).toMatchObject([{ id: "gatehouse", ok: true }]);
    expect(done).toContain(cure);
    expect(await house.look(gatehouse, { gatehouse: door })).toMatchObject({ state: "ok" });
  });

  it("a stranger on the port: the hooks get a new port and token, and the output shows neither token", async () => {
    const house = openHouse("fast");
    const { door } = broken({ state: "stranger", detail: "", port }, "move");
    const told = JSON.stringify(await repaired(house, door));
    expect(registrationIn(readFileSync(house.settings, "utf8"))?.door).toEqual({
      port: 50_000,
      token: "another-token",
    });
    expect(readFileSync(house.settings, "utf8")).not.toContain(DOOR.token);
    expect(told).not.toMatch(/token-nobody|another-token/);
  });

  it("a daemon that does not start is reported as a failed repair", async () => {
    const house = openHouse("fast");
    const { door } = broken({ state: "down", detail: "", port, isVacant: true });
    const dead = { ...door, start: async () => ({ ok: false, reason: "no port is free" }) as const };
    expect(await repaired(house, dead)).toMatchObject([
      { ok: false, words: expect.stringContaining("no port is free") },
    ]);
  });

  it.each([
    ["port", { ...DOOR, port: 41_000 }, `the hooks call at port ${DOOR.port}, and the gatehouse's is 41000`],
    [
      "token",
      { ...DOOR, token: "the-token-of-now" },
      `the hooks call at port ${DOOR.port} with another token than the gatehouse's`,
    ],
  ])("hooks with another %s than the daemon's are reported and rewritten", async (_, kept, what) => {
    const house = openHouse("fast");
    const { door } = broken({ state: "up", detail: "", port: kept.port, ms: 1 });
    const there = { ...door, door: () => kept };
    expect(await house.look(gatehouse, { gatehouse: there })).toMatchObject({ state: "fail", what });
    expect(await repaired(house, there)).toMatchObject([{ ok: true }]);
    expect(registrationIn(readFileSync(house.settings, "utf8"))?.door).toEqual(kept);
    expect(await house.look(gatehouse, { gatehouse: there })).toMatchObject({ state: "ok" });
  });

  it("a newer daemon is reported and left running", async () => {
    const { door } = broken({ state: "up", detail: "", port, ms: 1, version: "1.2.0" });
    const found = await openHouse("fast").look(gatehouse, { gatehouse: door });
    expect(found).toMatchObject({ state: "warn", what: expect.stringMatching(/version 1\.2\.0 is running.*newer/) });
    expect(found).not.toHaveProperty("repair");
  });

  it("the check is skipped on the plain lane", async () => {
    const { door } = broken({ state: "down", detail: "" });
    expect(await openHouse().look(gatehouse, { gatehouse: door })).toMatchObject({ state: "skip" });
  });
});
