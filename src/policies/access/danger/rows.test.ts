import { describe, expect, it } from "vitest";
import { FEW } from "../../../lib/name-table.ts";
import { CLOUDS } from "./clouds.ts";
import { CLUSTERS } from "./clusters.ts";
import { FRAMEWORKS } from "./frameworks.ts";
import { KEEPS } from "./keeps.ts";
import { VerbTable } from "./rows.ts";
import { SERVICES } from "./services.ts";

const TEXT = `
borg: confirms; deny delete; ask prune, compact; short r; first borg list; borg info, then …
long: deny a|b,
    c *;
  pass d -n|--namespace
other: = borg
cloud: rented; first cloud list
`;

describe("a table of tools", () => {
  it("parses the fields of a row on one line or on several", () => {
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

  it("gives the same answers on the first lookup and after many", () => {
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
  ])("every row of %s has an effect", (_, table) => {
    for (const name of table.names()) {
      const { deny = [], ask = [], pass = [] } = table.get(name) ?? {};
      expect(deny.length + ask.length, name).toBeGreaterThan(0);
      for (const line of [...deny, ...ask, ...pass]) expect(line, name).toMatch(/^\S+(?: \S+)*$/);
      for (const line of [...deny, ...ask, ...pass]) expect(line, name).not.toMatch(/[;,]|\b(?:deny|ask|first) /);
    }
  });
});
