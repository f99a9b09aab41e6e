import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST, registrations } from "../../hosts/index.ts";
import { examine, repairAll } from "./checks.ts";
import { buildProgram, type House, openHouse } from "./example-house.ts";
import { node, program } from "./look-program.ts";

const { registrationIn } = registrations[HOST];

const swap = ({ settings }: House, from: string, to: string): void =>
  writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(JSON.stringify(from), JSON.stringify(to)));
const startedBy = ({ settings }: House) => registrationIn(readFileSync(settings, "utf8"))?.programs;
const repaired = async (house: House, check: typeof program) =>
  repairAll(await examine(house.premises(), [check]), () => house.premises());

describe("EH-15 the program that the hooks start", () => {
  it("is shown with its version when it is fine", async () => {
    const { look, bundle } = openHouse();
    expect(await look(program)).toEqual({ state: "ok", what: `1.0.0, ${bundle}` });
  });

  it.each([
    ["gone", "/nowhere/sekisho.cjs", /is not there/],
    ["a relative path", "dist/sekisho.cjs", /relative path/],
  ])("that is %s is reported, and the hooks are pointed to this one", async (_, path, words) => {
    const house = openHouse();
    swap(house, house.bundle, path);
    expect(await house.look(program)).toMatchObject({ state: "fail", what: expect.stringMatching(words) });
    expect(await repaired(house, program)).toMatchObject([
      { ok: true, words: expect.stringContaining("begin them anew") },
    ]);
    expect(startedBy(house)).toEqual([{ node: process.execPath, bundle: house.bundle }]);
    expect((await house.look(program)).state).toBe("ok");
  });

  it("is reported when the hooks start two different ones", async () => {
    const house = openHouse();
    const other = buildProgram(join(house.root, "other"), "1.0.0");
    const text = readFileSync(house.settings, "utf8");
    writeFileSync(house.settings, text.replace(JSON.stringify(house.bundle), JSON.stringify(other)));
    expect(await house.look(program)).toMatchObject({
      state: "fail",
      what: expect.stringContaining("2 different programs"),
    });
    await repaired(house, program);
    expect(startedBy(house)).toHaveLength(1);
  });

  it("gives a warning when it has another version", async () => {
    const { look } = openHouse();
    expect(await look(program, { version: "1.1.0" })).toMatchObject({
      state: "warn",
      what: expect.stringMatching(/version 1\.0\.0 .* this is 1\.1\.0/),
      fix: expect.stringContaining("sekisho upgrade --to this"),
    });
  });

  it("gets its lost exec bit back", async () => {
    const house = openHouse();
    chmodSync(house.bundle, 0o644);
    expect(await house.look(program)).toMatchObject({ state: "warn", what: expect.stringContaining("not executable") });
    await repaired(house, program);
    expect(statSync(house.bundle).mode & 0o100).toBe(0o100);
  });
});

describe("the Node binary that the hooks start", () => {
  const fake = (house: House, words: string): string => {
    const path = house.write(join(house.root, "bin/node"), `#!/bin/sh\necho ${words}\n`);
    chmodSync(path, 0o755);
    swap(house, process.execPath, path);
    return path;
  };

  it("is reported when it was moved, and replaced by the current one", async () => {
    const house = openHouse();
    const path = fake(house, process.version);
    expect((await house.look(node)).state).toBe("ok");
    renameSync(path, `${path}.old`);
    expect(await house.look(node)).toMatchObject({ state: "fail", what: expect.stringContaining("is not there") });
    expect(await repaired(house, node)).toMatchObject([{ ok: true }]);
    expect(startedBy(house)).toEqual([{ node: process.execPath, bundle: house.bundle }]);
  });

  it.each([
    ["too old", "v18.1.0", "fail", /20 is the oldest/],
    ["no Node", "hello", "fail", /does not answer like a Node/],
    ["another one", "v99.0.0", "warn", /Node v99\.0\.0/],
  ])("that is %s is reported", async (_, words, state, told) => {
    const house = openHouse();
    fake(house, words);
    expect(await house.look(node)).toMatchObject({ state, what: expect.stringMatching(told) });
  });

  it("is reported when it is not executable", async () => {
    const house = openHouse();
    chmodSync(fake(house, process.version), 0o644);
    expect(await house.look(node)).toMatchObject({ state: "fail", what: expect.stringContaining("not executable") });
  });
});
