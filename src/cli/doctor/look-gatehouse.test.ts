import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Probe } from "../../gatehouse/probe.ts";
import { registrationIn } from "../../hosts/claude-code/registered.ts";
import type { GatehouseDoor } from "./check.ts";
import { examine, mend } from "./checks.ts";
import { gatehouse } from "./look-gatehouse.ts";
import { DOOR, type House, openHouse } from "./trial.ts";

/** A gatehouse that is broken until it is mended, and what was done to it. */
function broken(probe: Probe, cure: "start" | "stop" | "move" = "start") {
  const done: string[] = [];
  const healthy: Probe = { state: "up", detail: "", port: cure === "move" ? 50_000 : DOOR.port, ms: 1 };
  const door: GatehouseDoor = {
    probe: async () => (done.includes("start") && done.includes(cure) ? healthy : probe),
    start: async () => {
      done.push("start");
      return { ok: true };
    },
    stop: async () => void done.push("stop"),
    move: async () => {
      done.push("move");
      return { port: 50_000, token: "another-token" };
    },
  };
  return { door, done };
}

const mended = async (house: House, door: GatehouseDoor) =>
  mend(await examine(house.premises({ gatehouse: door }), [gatehouse]), () => house.premises({ gatehouse: door }));

const port = DOOR.port;
const WAYS: readonly (readonly [string, Probe, "warn" | "fail", RegExp, "start" | "stop" | "move"])[] = [
  ["never set up", { state: "none", detail: "" }, "fail", /none was ever set up/, "start"],
  ["down", { state: "down", detail: "connection refused", port }, "fail", /down: connection refused/, "start"],
  ["a stranger", { state: "stranger", detail: "wrong answer", port }, "fail", /a stranger answers on port/, "move"],
  [
    "another version",
    { state: "other-version", detail: "", port, version: "0.9.0" },
    "warn",
    /version 0\.9\.0/,
    "stop",
  ],
  ["slow", { state: "up", detail: "busy", port, ms: 740 }, "warn", /slow: it took 740 ms/, "stop"],
];

describe("a gatehouse broken in five ways", () => {
  it.each(WAYS)("%s: it is named, and --fix mends it", async (_, probe, state, words, cure) => {
    const house = openHouse("fast");
    const { door, done } = broken(probe, cure);
    expect(await house.look(gatehouse, { gatehouse: door })).toMatchObject({
      state,
      what: expect.stringMatching(words),
    });
    expect(await mended(house, door)).toMatchObject([{ id: "gatehouse", ok: true }]);
    expect(done).toContain(cure);
    expect(await house.look(gatehouse, { gatehouse: door })).toMatchObject({ state: "ok" });
  });

  it("a stranger: the hooks get the new port and the new token, and no word of ours tells either token", async () => {
    const house = openHouse("fast");
    const { door } = broken({ state: "stranger", detail: "", port }, "move");
    const told = JSON.stringify(await mended(house, door));
    expect(registrationIn(readFileSync(house.settings, "utf8"))?.door).toEqual({
      port: 50_000,
      token: "another-token",
    });
    expect(readFileSync(house.settings, "utf8")).not.toContain(DOOR.token);
    expect(told).not.toMatch(/token-nobody|another-token/);
  });

  it("one that does not start is not called mended", async () => {
    const house = openHouse("fast");
    const { door } = broken({ state: "down", detail: "", port });
    const dead = { ...door, start: async () => ({ ok: false, reason: "no port is free" }) as const };
    expect(await mended(house, dead)).toMatchObject([{ ok: false, words: expect.stringContaining("no port is free") }]);
  });

  it("one that listens elsewhere than the hooks call is named", async () => {
    const house = openHouse("fast");
    const { door } = broken({ state: "up", detail: "", port: 41_000, ms: 1 });
    expect(await house.look(gatehouse, { gatehouse: door })).toMatchObject({
      state: "fail",
      what: `the hooks call at port ${DOOR.port}, and the gatehouse listens on 41000`,
    });
  });

  it("is nobody's concern on the plain lane", async () => {
    const { door } = broken({ state: "down", detail: "" });
    expect(await openHouse().look(gatehouse, { gatehouse: door })).toMatchObject({ state: "skip" });
  });
});
