import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examine } from "./checks.ts";
import { openHouse } from "./example-house.ts";
import { hostLane, hostVersion, judged } from "./look-host.ts";

describe("the version of the host", () => {
  it.each([
    ["2.1.197 (Claude Code)", "fail", /older than 2\.1\.295/],
    ["2.1.325 (Claude Code)", "ok", /2\.1\.325/],
    ["nonsense", "warn", /does not tell its version/],
  ])("output %j is %s", async (words, state, told) => {
    const house = openHouse();
    const client = house.write(join(house.root, "claude"), `#!/bin/sh\necho "${words}"\n`);
    chmodSync(client, 0o755);
    expect(await house.look(hostVersion, { hostProgram: client })).toMatchObject({
      state,
      what: expect.stringMatching(told),
    });
  });

  it("the host checks are skipped when no host is installed", async () => {
    const { look } = openHouse();
    expect((await look(hostVersion)).state).toBe("skip");
    expect((await look(hostLane, { wants: { host: true, measuring: false, integrity: false } })).state).toBe("skip");
  });
});

describe("the result of the trial in the host", () => {
  const fine = { forbidden: "Sekisho refuses this", forbiddenRan: false, harmless: "", harmlessRan: true, ms: 1200 };

  it.each([
    ["all is well", {}, "ok", /in 1\.2 s/],
    ["a question nobody could answer", { forbidden: "Sekisho asks: 1 file is not committed" }, "ok", /in 1\.2 s/],
    [
      "the forbidden command ran",
      { forbidden: "HEAD is now at", forbiddenRan: true },
      "fail",
      /ran a forbidden command/,
    ],
    ["the hook failed", { forbidden: 'failed; blocking because onFailure is "block"' }, "fail", /not on our word/],
    ["nothing may run", { harmlessRan: false, harmless: "blocked" }, "fail", /harmless command did not run: blocked/],
    [
      "the client did not start",
      { forbidden: undefined, problem: "no answer within 15000 ms" },
      "warn",
      /did not play/,
    ],
  ])("%s", (_, fields, state, words) => {
    expect(judged({ ...fine, ...fields } as typeof fine)).toMatchObject({ state, what: expect.stringMatching(words) });
  });

  it("a host that cannot be started gives a warning", async () => {
    const house = openHouse();
    const wants = { host: true, measuring: false, integrity: false };
    const [examined] = await examine(house.premises({ hostProgram: "/nowhere/claude", wants }), [hostLane]);
    expect(examined?.finding).toMatchObject({ state: "warn", what: expect.stringContaining("ENOENT") });
  });
});
