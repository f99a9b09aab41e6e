import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECKS } from "./checks.ts";
import { type House, openHouse } from "./example-house.ts";
import { git } from "./look-git.ts";

/** The directory of a program that says it is git, below `directory`. */
function fakeGit({ write }: House, directory: string, script: string, mode = 0o755): string {
  const bin = join(directory, "bin");
  chmodSync(write(join(bin, "git"), `#!/bin/sh\n${script}\n`), mode);
  return bin;
}

const lookWith = (house: House, PATH: string) => house.look(git, { env: { ...house.premises().env, PATH } });

describe("EH-7 git", () => {
  it("EH-7 is one of the doctor's checks", () => expect(CHECKS).toContain(git));

  it("EH-7 that answers is shown with its version and path", async () => {
    const house = openHouse();
    const bin = fakeGit(house, house.root, "echo git version 2.39.5");
    expect(await lookWith(house, bin)).toEqual({ state: "ok", what: `2.39.5, ${bin}/git` });
    expect((await house.look(git)).state).toBe("ok");
  });

  it("EH-7 that is missing is a warning with what is lost and what to do", async () => {
    expect(await lookWith(openHouse(), "/nowhere")).toMatchObject({
      state: "warn",
      what: expect.stringContaining("no git on the PATH"),
      why: expect.stringContaining("staged before a merge"),
      fix: expect.stringContaining("Install git"),
    });
  });

  it("EH-7 inside the project counts as missing, because the hooks do not run it either", async () => {
    const house = openHouse();
    const bin = fakeGit(house, house.project, "echo git version 9");
    expect((await lookWith(house, bin)).state).toBe("warn");
  });

  it.each([
    ["fails", "echo git version 2; exit 1", 0o755],
    ["answers like something else", "echo hello", 0o755],
    ["may not be run", "echo git version 2", 0o644],
  ])("EH-7 that %s is named", async (_, script, mode) => {
    const house = openHouse();
    const bin = fakeGit(house, house.root, script, mode);
    expect(await lookWith(house, bin)).toMatchObject({ state: "warn", what: expect.stringContaining(`${bin}/git`) });
  });
});
