import { describe, expect, it } from "vitest";
import { drive, driveNow, running, type Watch } from "./drive.ts";
import { type ProgramRun, run, type Steps } from "./effect.ts";

const program = (name: string): ProgramRun => ({ program: name, args: [], cwd: "/", env: {}, timeMs: 1 });

function* two(): Steps<string> {
  const first = yield* run(program("a"));
  const second = yield* run(program("b"));
  return JSON.stringify([first, second]);
}

function* forgiving(): Steps<string> {
  try {
    yield* run(program("a"));
    return "fine";
  } catch (error) {
    return `caught ${(error as Error).message}`;
  }
}

describe("drive", () => {
  it("gives each effect's result back to the steps, in order", () => {
    const perform = running(({ program: name }) => ({ text: name, cut: false }));
    expect(driveNow(two(), perform)).toBe('[{"text":"a","cut":false},{"text":"b","cut":false}]');
  });

  it("returns the result itself while no effect is a promise, so that the daemon answers without waiting", () => {
    expect(drive(two(), () => "x")).toBe('["x","x"]');
  });

  it("waits for promises, also when only some effects are promises", async () => {
    const perform = running(({ program: name }) => (name === "a" ? Promise.resolve(name) : name));
    const result = drive(two(), perform);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe('["a","b"]');
  });

  it("throws a failed effect at the place that asked for it, on both lanes", async () => {
    const fails = running(() => {
      throw new Error("now");
    });
    expect(driveNow(forgiving(), fails)).toBe("caught now");
    expect(await drive(forgiving(), () => Promise.reject(new Error("later")))).toBe("caught later");
  });

  it("passes on what the steps do not catch", async () => {
    const fails = running(() => {
      throw new Error("now");
    });
    expect(() => driveNow(two(), fails)).toThrow("now");
    await expect(drive(two(), () => Promise.reject(new Error("later")))).rejects.toThrow("later");
  });

  it("watches every stretch between two effects", () => {
    let stretches = 0;
    const watch: Watch = (stretch) => {
      stretches += 1;
      return stretch();
    };
    driveNow(two(), () => "x", watch);
    expect(stretches).toBe(3);
  });

  it("driveNow refuses an effect that would have to be waited for", () => {
    expect(() => driveNow(two(), () => Promise.resolve("x"))).toThrow("left unfinished");
  });
});
