import { describe, expect, it } from "vitest";
import { defaultSettings } from "../state/settings.ts";
import { knownStance, STANCES, type Stance, stanceNamed } from "../state/stance.ts";
import type { Domain } from "./operation-domain.ts";
import { type Standing, stanceInForce, standingOf } from "./stance.ts";

/** As the specification has it; control-plane tools are open in every stance. */
const TABLE: Readonly<Record<Domain, readonly [planning: Standing, building: Standing, auditing: Standing]>> = {
  file_read: ["open", "open", "open"],
  file_write: ["denied", "open", "denied"],
  file_write_src: ["denied", "open", "denied"],
  docs_write: ["open", "open", "denied"],
  test_run: ["open", "open", "denied"],
  git_read: ["open", "open", "open"],
  git_local: ["open", "gated", "denied"],
  git_remote: ["denied", "denied", "denied"],
  shell_exec: ["denied", "gated", "denied"],
  control: ["open", "open", "open"],
  external: ["open", "open", "denied"],
  _global: ["open", "open", "denied"],
};

describe("TR-62 TS-11 what a stance leaves open", () => {
  it.each(Object.entries(TABLE))("TR-62 TS-11 %s", (domain, standings) => {
    expect(STANCES.map((stance) => standingOf(stance, domain, { remote: "deny" }))).toEqual(standings);
  });

  it("TR-62 by default git's remotes are what the settings of `publish` say while building, and closed otherwise", () => {
    expect(STANCES.map((stance) => standingOf(stance, "git_remote", { remote: "publish" }))).toEqual([
      "denied",
      "open",
      "denied",
    ]);
  });

  it("TR-66 TS-11 the control plane is open in every stance, and a domain of a later version only where the rest is", () => {
    for (const stance of STANCES) expect(standingOf(stance, "control", { remote: "deny" })).toBe("open");
    expect(STANCES.map((stance) => standingOf(stance, "telepathy", { remote: "deny" }))).toEqual([
      "open",
      "open",
      "denied",
    ]);
  });
});

describe("TR-61 the word for a stance", () => {
  it("TR-61 TS-11 may be of any case and have space around it; one that is none is the strictest", () => {
    expect([" Planning\n", "BUILDING", "auditing", "", "build", "constructor"].map(stanceNamed)).toEqual([
      "planning",
      "building",
      "auditing",
      "auditing",
      "auditing",
      "auditing",
    ]);
    expect(knownStance("build")).toBeUndefined();
  });

  it("TR-66 TS-11 where no person has set one, the settings say, and it is known to be implicit", () => {
    expect(stanceInForce(undefined, defaultSettings)).toEqual({ stance: "building", isImplicit: true });
    expect(stanceInForce("planning", defaultSettings)).toEqual({ stance: "planning", isImplicit: false });
    expect(stanceInForce(undefined, { stance: { default: "nonsense" as Stance } }).stance).toBe("auditing");
  });
});
