import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isStale,
  MODES,
  type Mode,
  type ModeChange,
  type ModeName,
  type Modes,
  modeInForce,
  modesInForce,
  reduceModes,
  resumedModes,
  STALE_MS,
} from "./modes.ts";

const NOW = 1_800_000_000_000;
const start = (mode: ModeName, more: object = {}): ModeChange & { do: "start" } => ({
  ...{ record: "mode", do: "start", mode, by: "prompt", task: `task of ${mode}`, max: 5 },
  ...more,
});
const stop = (mode?: ModeName): ModeChange => ({
  ...{ record: "mode", do: "stop", why: "done" },
  ...(mode !== undefined && { mode }),
});
const refuse = (mode: ModeName, more: object = {}): ModeChange => ({ record: "mode", do: "refuse", mode, ...more });
const folded = (changes: readonly ModeChange[], from: Modes = {}, now = NOW): Modes =>
  changes.reduce((modes, change) => reduceModes(modes, change, now), from);

describe("the modes of a session", () => {
  it("TS-30 MD-10 MD-11 MD-16 are stored, read by priority, and cleared", () => {
    const modes = folded([start("turbo"), start("qa"), start("persistent")]);
    expect(modesInForce(modes, NOW).map(({ name }) => name)).toEqual(["persistent", "qa", "turbo"]);
    expect(modes.qa).toEqual({ by: "prompt", task: "task of qa", max: 5, since: NOW, count: 0 });
    expect(folded([refuse("qa")], modes, NOW + 7).qa).toMatchObject({ since: NOW, checkedAt: NOW + 7, count: 1 });
    expect(folded([stop("qa")], modes)).toEqual({ persistent: modes.persistent, turbo: modes.turbo });
    expect(folded([stop()], modes)).toEqual({});
    expect(folded([start("turbo", { by: "mode", with: "persistent" }), stop()])).toEqual({});
  });

  it("TS-30 changes to a missing mode have no effect", () => {
    expect(modesInForce(undefined, NOW)).toEqual([]);
    expect(modeInForce(undefined, "qa", NOW)).toBeUndefined();
    const all = [refuse("qa"), stop("qa"), { record: "mode", do: "promise", mode: "qa" }] as const;
    expect(folded([...all, { record: "mode", do: "pause", why: "x" }])).toEqual({});
  });

  it("TS-30 ST-9 a mode is not stale at exactly 24 hours but a moment later, and a refusal renews it", () => {
    expect(STALE_MS).toBe(86_400_000);
    const at = (ms: number) => isStale({ since: NOW }, NOW + ms);
    expect([at(STALE_MS - 1000), at(STALE_MS), at(STALE_MS + 1), at(STALE_MS + 1000)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    const checked = { since: NOW, checkedAt: NOW + STALE_MS };
    expect([isStale(checked, NOW + 2 * STALE_MS), isStale(checked, NOW + 2 * STALE_MS + 1)]).toEqual([false, true]);
    // The later of the two times counts.
    expect(isStale({ since: NOW, checkedAt: NOW - 2 * STALE_MS }, NOW + STALE_MS)).toBe(false);
    const modes = folded([start("turbo")]);
    const later = reduceModes(modes, refuse("turbo"), NOW + STALE_MS);
    expect(modesInForce(later, NOW + STALE_MS + 5000)).toHaveLength(1);
    expect(modesInForce(modes, NOW + STALE_MS + 5000)).toEqual([]);
  });

  it("MD-27 an active mode is not restarted; an expired one is replaced", () => {
    const spent = folded([start("qa"), refuse("qa"), refuse("qa")]);
    expect(folded([start("qa", { task: "another" })], spent)).toEqual(spent);
    const later = NOW + 3 * STALE_MS;
    expect(folded([start("qa", { task: "another" })], spent, later).qa).toEqual({
      by: "prompt",
      task: "another",
      max: 5,
      since: later,
      count: 0,
    });
  });

  it("MD-27 a mode that the agent started gives way only to a person's", () => {
    const own = folded([start("persistent", { by: "agent", max: 1 })]);
    expect(folded([start("persistent", { by: "agent", max: 60 })], own)).toEqual(own);
    // `mode`: started by a person's mode, as when a waiting mode is claimed.
    for (const by of ["prompt", "command", "import", "mode"])
      expect(folded([start("persistent", { by })], own).persistent).toMatchObject({ by, max: 5 });
    const persons = folded([start("persistent")]);
    expect(folded([start("persistent", { by: "agent", max: 1 })], persons)).toEqual(persons);
  });

  it("the agent's own turbo mode ends with the person's persistent mode", () => {
    const own = folded([start("turbo", { by: "agent", max: 1 })]);
    const both = folded([start("persistent"), start("turbo", { by: "mode", with: "persistent" })], own);
    expect(both.turbo).toMatchObject({ by: "mode", with: "persistent" });
    expect(folded([{ record: "mode", do: "stop", mode: "persistent", why: "done" }], both)).toEqual({});
  });

  it("an imported mode keeps its progress", () => {
    const change = start("qa", { since: NOW - 5, checkedAt: NOW - 2, count: 3, errors: ["a"], by: "import" });
    expect(folded([change]).qa).toMatchObject({ since: NOW - 5, checkedAt: NOW - 2, count: 3, errors: ["a"] });
  });

  it("MD-13 keep the check results of the last ten refusals", () => {
    const many = Array.from({ length: 14 }, (_, at) => refuse("qa", { error: `e${at}` }));
    const modes = folded([start("qa"), ...many]);
    expect(modes.qa).toMatchObject({ count: 14, checkedAt: NOW });
    expect(modes.qa?.errors).toEqual(Array.from({ length: 10 }, (_, at) => `e${at + 4}`));
  });

  it("a pause applies to all modes until the person's next prompt", () => {
    const paused = folded([start("qa"), start("turbo"), { record: "mode", do: "pause", why: "rate_limit" }]);
    expect(modesInForce(paused, NOW).map((mode) => mode.paused)).toEqual(["rate_limit", "rate_limit"]);
    expect(resumedModes(paused)).toEqual(folded([start("qa"), start("turbo")]));
  });

  it("MD-18 a mode started by another mode ends with it, after any sequence of changes", () => {
    const name = fc.constantFrom(...MODES);
    const change: fc.Arbitrary<ModeChange> = fc.oneof(
      name.map((mode) => start(mode)),
      fc.constant(start("turbo", { by: "mode", with: "persistent" })),
      name.map((mode) => refuse(mode)),
      fc.constantFrom<ModeName>("qa", "turbo").map((mode) => stop(mode)),
      fc.constant<ModeChange>({ record: "mode", do: "pause", why: "x" }),
      name.map((mode): ModeChange => ({ record: "mode", do: "promise", mode })),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.array(change, { maxLength: 4 }), (before, between) => {
        const modes = folded([...before, start("persistent"), ...between]);
        const ended = folded([stop("persistent")], modes);
        expect(Object.values(ended).filter((mode: Mode) => mode.with === "persistent")).toEqual([]);
        expect(ended.persistent).toBeUndefined();
        // A mode that was started separately stays.
        if (modes.turbo && modes.turbo.with === undefined) expect(ended.turbo).toEqual(modes.turbo);
        if (modes.qa) expect(ended.qa).toEqual(modes.qa);
      }),
    );
  });
});
