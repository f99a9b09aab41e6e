import { describe, expect, it } from "vitest";
import { FEW } from "../../kernel/name-table.ts";
import { CLOUDS } from "./danger-clouds.ts";
import { CLUSTERS } from "./danger-clusters.ts";
import { FRAMEWORKS } from "./danger-frameworks.ts";
import { KEEPS } from "./danger-keeps.ts";
import { VerbTable } from "./danger-rows.ts";
import { SERVICES } from "./danger-services.ts";

const TEXT = `
borg: confirms; deny delete; ask prune, compact; short r; first borg list; borg info, then …
long: deny a|b,
    c *;
  pass d -n|--namespace
other: = borg
cloud: rented; first cloud list
`;

describe("a table of tools", () => {
  it("has the fields of a row, on one line or on several", () => {
    const table = new VerbTable(TEXT);
    expect(table.get("borg")).toEqual({
      confirms: true,
      deny: ["delete"],
      ask: ["prune", "compact"],
      short: "r",
      first: "borg list; borg info, then …",
    });
    expect(table.get("long")).toEqual({ deny: ["a|b", "c *"], pass: ["d -n|--namespace"], first: "" });
    expect(table.get("other")).toEqual(table.get("borg"));
    expect(table.get("cloud")?.deny).toHaveLength(3);
  });

  it("answers the same whether it is asked for the first time or all day", () => {
    const asked = ["borg", "long", "other", "cloud", "bor", "deny", "pass", "", " ", "long: deny a|b,\n    c"];
    const table = new VerbTable(TEXT);
    for (let times = 0; times <= FEW; times += 1) table.get("borg");
    for (const name of asked) expect(table.get(name)).toEqual(new VerbTable(TEXT).get(name));
  });

  it.each([
    ["clouds", CLOUDS],
    ["clusters", CLUSTERS],
    ["frameworks", FRAMEWORKS],
    ["keeps", KEEPS],
    ["services", SERVICES],
  ])("of %s is written so that every row says something", (_, table) => {
    for (const name of table.names()) {
      const { deny = [], ask = [], pass = [] } = table.get(name) ?? {};
      expect(deny.length + ask.length, name).toBeGreaterThan(0);
      for (const line of [...deny, ...ask, ...pass]) expect(line, name).toMatch(/^\S+(?: \S+)*$/);
      for (const line of [...deny, ...ask, ...pass]) expect(line, name).not.toMatch(/[;,]|\b(?:deny|ask|first) /);
    }
  });
});
