import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MODES, type Modes, reduceModes } from "../state/session/modes.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { startChanges, taskWords, writtenBytes } from "./mode-start.ts";

const start = (name: (typeof MODES)[number], wish: object = {}) =>
  startChanges(name, { by: "prompt", task: "make it work", ...wish }, defaultSettings);

const begun = (name: (typeof MODES)[number], modes: Modes = {}): Modes =>
  start(name).reduce((all, change) => reduceModes(all, change, 7), modes);

describe("starting a mode", () => {
  it("MD-12 MD-13 MD-14 uses the limits of the settings and the mode's own promise", () => {
    expect(start("qa")).toEqual([
      {
        record: "mode",
        do: "start",
        mode: "qa",
        by: "prompt",
        task: "make it work",
        max: 10,
        promise: "QA_COMPLETE",
      },
    ]);
    expect(start("turbo")).toMatchObject([{ mode: "turbo", max: 30, promise: "DONE" }]);
    expect(start("persistent")[0]).toMatchObject({ mode: "persistent", max: 20, promise: "DONE" });
    const settings = { modes: { ...defaultSettings.modes, persistent_max: 3, turbo_max: 4 } };
    const [first, second] = startChanges("persistent", { by: "command", task: "" }, settings);
    expect([first?.max, second?.max]).toEqual([3, 4]);
  });

  it("MD-12 MD-13 MD-14 starts with count 0", () => {
    for (const name of ["persistent", "qa", "turbo"] as const)
      expect([name, begun(name)[name]]).toEqual([name, expect.objectContaining({ since: 7, count: 0 })]);
    expect(begun("persistent").persistent).not.toHaveProperty("errors");
  });

  it("MD-18 MD-28 turbo started by persistent ends with it; turbo started earlier by the person does not", () => {
    const ended = (modes: Modes) =>
      reduceModes(modes, { record: "mode", do: "stop", mode: "persistent", why: "done" }, 8);
    expect(ended(begun("persistent"))).toEqual({});
    const before = begun("turbo");
    expect(begun("persistent", before).turbo).toEqual(before.turbo);
    expect(ended(begun("persistent", before))).toEqual(before);
    expect(begun("persistent").turbo).toMatchObject({ with: "persistent" });
  });

  it("MD-28 persistent also starts turbo, linked to it; other modes start nothing", () => {
    expect(start("persistent", { max: 7 }).slice(1)).toEqual([
      {
        record: "mode",
        do: "start",
        mode: "turbo",
        by: "mode",
        with: "persistent",
        task: "make it work",
        promise: "DONE",
        max: 30,
      },
    ]);
    expect(start("persistent", { max: 7 })[0]?.max).toBe(7);
    expect([start("qa").length, start("turbo").length]).toEqual([1, 1]);
  });

  it("turbo started through an agent's persistent mode is the agent's, and a person's turbo replaces it", () => {
    const begun = start("persistent", { by: "agent", max: 1 });
    const mine = begun.reduce((modes, change) => reduceModes(modes, change, 5), {} as Modes);
    expect(mine.turbo).toMatchObject({ by: "agent", with: "persistent" });
    const [asked] = startChanges("turbo", { by: "prompt", task: "build all of it" }, defaultSettings);
    const theirs = reduceModes(mine, asked, 6);
    expect(theirs.turbo).toMatchObject({ by: "prompt", task: "build all of it" });
    const left = reduceModes(theirs, { record: "mode", do: "stop", mode: "persistent", why: "done" }, 7);
    expect(Object.keys(left)).toEqual(["turbo"]);
  });

  it("MD-12 a mode with a plan has a promise only if one was given", () => {
    expect(start("persistent", { plan: "docs/plan.md" })[0]).not.toHaveProperty("promise");
    expect(start("persistent", { plan: "docs/plan.md", promise: "SHIPPED" })[0]).toMatchObject({
      plan: "docs/plan.md",
      promise: "SHIPPED",
    });
  });

  it("MD-11 stores the beginning of the task, without secrets and within the record size", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect(start("turbo", { task: `use ${secret} now` })[0]?.task).not.toContain(secret);
    expect(taskWords("a\u001b[31m\nb")).toBe("a [31m b");
    const long = "word ".repeat(100).trim();
    expect([taskWords(long), taskWords(`${long} and more`).slice(0, 490)]).toEqual([long, long.slice(0, 490)]);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 2000, unit: "binary" }),
          fc.constantFrom('"', "\\", "\u5b8c", "\ud83d\ude00", "x").map((one) => one.repeat(900)),
        ),
        (task) => {
          const changes = start("persistent", { task, plan: "p".repeat(300) });
          expect(changes[0]?.task.length).toBeLessThanOrEqual(500);
          expect(writtenBytes(changes[0]?.task ?? "")).toBeLessThanOrEqual(900);
          // Leaves room for the other fields of a prompt's record.
          expect(Buffer.byteLength(JSON.stringify(changes))).toBeLessThan(1750);
        },
      ),
    );
  });
});
