import { describe, expect, it } from "vitest";
import { actorFrom, actorsNamed, allNames, mayWriteTo, nearest, type RoleSettings, standingOf } from "./names.ts";
import { problemInRole } from "./role.ts";

const army: RoleSettings = { preset: "army", own: [] };
const lead: RoleSettings = { preset: "lead", own: [] };

describe("names of the army", () => {
  it.each([
    ["shogun", ["shogun"]],
    ["karo-roju", ["karo-roju"]],
    ["karo", ["karo-roju"]],
    ["老中", ["karo-roju"]],
    ["ashigaru3", ["ashigaru3"]],
    ["足軽3", ["ashigaru3"]],
    ["足軽３", ["ashigaru3"]],
    ["worker1", ["ashigaru1"]],
    ["heyago", ["ashigaru6", "ashigaru7"]],
    ["部屋子", ["ashigaru6", "ashigaru7"]],
    ["ohariko", ["ohariko"]],
    ["お針子", ["ohariko"]],
    ["roju_reports", ["karo-roju"]],
    ["roju_ohariko", ["karo-roju"]],
    ["ashigaru9", []],
    ["ashigaru0", []],
    ["ashigaru", Array.from({ length: 8 }, (_, n) => `ashigaru${n + 1}`)],
    ["../../etc/passwd", []],
    ["constructor", []],
    ["", []],
  ])("IN-1 %s", (name, actors) => {
    expect(actorsNamed(name, army)).toEqual(actors);
  });

  it("IN-2 nobody skips a level", () => {
    expect(mayWriteTo("ashigaru1", "karo-roju", army)).toBe(true);
    expect(mayWriteTo("ashigaru1", "ashigaru2", army)).toBe(true);
    expect(mayWriteTo("ashigaru1", "shogun", army)).toBe(false);
    expect(mayWriteTo("ashigaru1", "person", army)).toBe(false);
    expect(mayWriteTo("ohariko", "ashigaru1", army)).toBe(false);
    expect(mayWriteTo("shogun", "ashigaru1", army)).toBe(false);
    expect(mayWriteTo("karo-roju", "ashigaru1", army)).toBe(true);
  });

  it("IN-20 shogun and auditor are exempt, and everyone has a supervisor", () => {
    expect(["shogun", "ohariko", "ashigaru1", "karo-roju"].map((one) => standingOf(one, army).isExempt)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(standingOf("ashigaru1", army).supervisor).toBe("karo-roju");
    expect(standingOf("karo-roju", army).supervisor).toBe("shogun");
  });
});

describe("names", () => {
  it("an agent without a role keeps its name, if it is one", () => {
    expect(actorFrom("builder", lead)).toBe("builder");
    expect(actorFrom("足軽1", army)).toBe("ashigaru1");
    expect(["a b", "a/b", "$(id)", "", "workers", "x".repeat(41)].map((name) => actorFrom(name, lead))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect(standingOf("builder", lead)).toMatchObject({ supervisor: "lead", isExempt: false });
  });

  it("of the settings replace the shipped ones of the same name", () => {
    const own = [
      { name: "lead", aliases: ["boss"], exempt: true },
      { name: "tester", supervisor: "lead" },
    ];
    const settings: RoleSettings = { preset: "lead", own };
    expect(actorsNamed("boss", settings)).toEqual(["lead"]);
    expect(standingOf("lead", settings).isExempt).toBe(true);
    expect(actorsNamed("tester", settings)).toEqual(["tester"]);
  });

  it("that are unknown have near ones", () => {
    expect(nearest("worke1", allNames(lead))).toContain("worker1");
    expect(nearest("ashigaru12", allNames(army))[0]).toMatch(/^ashigaru/);
    expect(nearest("zzz", allNames(lead, ["builder"]))).toContain("lead");
  });
});

it.each([
  [{ name: "a b" }, "name"],
  [{ name: "ok", forbid: ["all"] }, "forbid"],
  [{ name: "ok", most: 100 }, "most"],
  [{ name: "ok", supervisor: "../x" }, "supervisor"],
  [{ name: "ok", colour: "red" }, "colour"],
  [{ name: "ok", exempt: "yes" }, "exempt"],
  ["ok", "map"],
])("a role %j is refused for its %s", (value, key) => {
  expect(problemInRole(value)).toContain(key);
});
