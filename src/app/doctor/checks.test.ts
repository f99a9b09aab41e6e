import { describe, expect, it } from "vitest";
import { doctorView } from "../../views/doctor.ts";
import type { Check } from "./check.ts";
import { CHECKS, checkView, examine, repairAll } from "./checks.ts";
import { DOOR, openHouse } from "./example-house.ts";

/** Latency is not measured, so the tests do not depend on the speed of the machine. */
const wants = { host: false, measuring: false, integrity: false };

describe("the table of checks", () => {
  it("names each check once", () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
    expect(new Set(CHECKS.map(({ title }) => title)).size).toBe(CHECKS.length);
  });

  it("finds nothing wrong with a healthy installation", async () => {
    const { checks, exitCode, summary } = doctorView(
      { version: "1", project: "/p" },
      (await examine(openHouse().premises({ wants }))).map(checkView),
      [],
    );
    expect(checks.filter(({ state }) => state === "warn" || state === "fail")).toEqual([]);
    expect(exitCode).toBe(0);
    expect(summary).toMatch(/^\d+ fine, \d+ skipped\.$/);
  });

  it("never prints the token, because an agent may run the doctor too", async () => {
    const house = openHouse("fast");
    const told = JSON.stringify((await examine(house.premises({ version: "2.0.0" }))).map(checkView));
    expect(told).toContain('"fail"');
    expect(told).not.toContain(DOOR.token);
  });
});

const broken: Check = {
  id: "broken",
  title: "Broken",
  look() {
    throw new Error("nobody thought of this");
  },
};

describe("a check that throws", () => {
  it("is reported as a failure, and the other checks still run", async () => {
    const [first, second] = await examine(openHouse().premises(), [broken, CHECKS[1] ?? broken]);
    expect(first?.finding).toMatchObject({ state: "fail", what: expect.stringContaining("nobody thought of this") });
    expect(second?.finding.state).toBe("ok");
  });
});

describe("the repair", () => {
  const trouble = { state: "fail", what: "w", why: "y", fix: "f" } as const;

  it("checks again before each repair, because one repair may fix several findings", async () => {
    let isBroken = true;
    const repair = (): string => {
      isBroken = false;
      return "done";
    };
    const check = (id: string): Check => ({
      id,
      title: id,
      look: () => (isBroken ? { ...trouble, repair } : { state: "ok", what: "" }),
    });
    const house = openHouse();
    const examined = await examine(house.premises(), [check("a"), check("b")]);
    expect(await repairAll(examined, () => house.premises())).toEqual([{ id: "a", ok: true, words: "done" }]);
  });

  it("reports a failed repair and skips findings without a repair", async () => {
    const failing: Check = {
      id: "failing",
      title: "Failing",
      look: () => ({
        ...trouble,
        repair: () => {
          throw new Error("no room");
        },
      }),
    };
    const personal: Check = { id: "personal", title: "Personal", look: () => trouble };
    const house = openHouse();
    const examined = await examine(house.premises(), [failing, personal]);
    expect(await repairAll(examined, () => house.premises())).toEqual([{ id: "failing", ok: false, words: "no room" }]);
    expect(examined.map(checkView).map(({ canFix }) => canFix)).toEqual([true, false]);
  });
});
