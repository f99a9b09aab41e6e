import { describe, expect, it } from "vitest";
import type { Domain } from "../reading/operation/domain.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { knownStance, STANCES, type Stance, stanceNamed } from "../state/stance.ts";
import { type DomainAccess, stanceInForce, standingOf } from "./stance.ts";

/** The table of the specification; control-plane tools are open in every stance. */
const TABLE: Readonly<
  Record<Domain, readonly [planning: DomainAccess, building: DomainAccess, auditing: DomainAccess]>
> = {
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

describe("TR-62 TS-11 what a stance allows", () => {
  it.each(Object.entries(TABLE))("TR-62 TS-11 %s", (domain, standings) => {
    expect(STANCES.map((stance) => standingOf(stance, domain, { remote: "deny" }))).toEqual(standings);
  });

  it("TR-62 by default git_remote follows the `publish` settings while building, and is denied in the other stances", () => {
    expect(STANCES.map((stance) => standingOf(stance, "git_remote", { remote: "publish" }))).toEqual([
      "denied",
      "open",
      "denied",
    ]);
  });

  it("TR-66 TS-11 control is open in every stance, and an unknown domain gets the default of the stance", () => {
    for (const stance of STANCES) expect(standingOf(stance, "control", { remote: "deny" })).toBe("open");
    expect(STANCES.map((stance) => standingOf(stance, "telepathy", { remote: "deny" }))).toEqual([
      "open",
      "open",
      "denied",
    ]);
  });
});

describe("TR-61 the name of a stance", () => {
  it("TR-61 TS-11 may have any case and surrounding space; an unknown name is the strictest stance", () => {
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

  it("TR-66 TS-11 without a stance set by a person, the settings decide and the stance is marked as implicit", () => {
    expect(stanceInForce(undefined, defaultSettings)).toEqual({ stance: "building", isImplicit: true });
    expect(stanceInForce("planning", defaultSettings)).toEqual({ stance: "planning", isImplicit: false });
    expect(stanceInForce(undefined, { stance: { default: "nonsense" as Stance } }).stance).toBe("auditing");
  });
});
