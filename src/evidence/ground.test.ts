import { describe, expect, it } from "vitest";
import { afterInstall, changedSince, type Footing, marksOf, relaid, unknownTo } from "./ground.ts";

const file = (name: string, state: string, changedAt = 0): Footing => ({
  name,
  mark: name.padEnd(4).slice(0, 4) + state.padEnd(9),
  changedAt,
});
const variable = (name: string, value: string): Footing => {
  const { changedAt: _, ...rest } = file(name, value);
  return rest;
};
const known = marksOf([file("rc", "1"), file("npm", "1"), variable("PATH", "1")]);
const namesOf = (footings: readonly Footing[]) => footings.map(({ name }) => name);

describe("the ground of a check", () => {
  it("has changed where a state is another one, whatever its times say", () => {
    expect(changedSince([file("rc", "1"), file("npm", "1"), variable("PATH", "1")], known, 100)).toEqual([]);
    expect(namesOf(changedSince([file("rc", "2"), file("npm", "1")], known, 100))).toEqual(["rc"]);
    expect(namesOf(changedSince([variable("PATH", "2")], known, 100))).toEqual(["PATH"]);
  });

  it("has changed where something new is newer than the session", () => {
    expect(changedSince([file("zsh", "1", 100)], known, 100)).toEqual([]);
    expect(namesOf(changedSince([file("zsh", "1", 101), variable("ENV", "1")], known, 100))).toEqual(["zsh", "ENV"]);
    expect(namesOf(unknownTo(known, [file("zsh", "1"), file("rc", "2")]))).toEqual(["zsh"]);
  });

  it("keeps what changed during a session when another process goes on with it", () => {
    const life = { from: 100, to: 200 };
    const now = [file("rc", "2", 150), file("npm", "2", 250), file("zsh", "1", 150), variable("PATH", "2")];
    const marks = relaid(now, known, life);
    expect(namesOf(changedSince(now, marks, 300))).toEqual(["rc", "zsh"]);
  });

  it("accepts what a package manager changed, and nothing that had changed before or that it cannot install", () => {
    const own = (name: string, state: string) => ({ ...file(name, state), installed: true });
    const base = marksOf([own("a", "1"), own("b", "1"), own("c", "1"), file("npm", "1")]);
    const before = marksOf([own("a", "1"), own("b", "2"), own("c", "1"), file("npm", "1")]);
    const after = [own("a", "3"), own("b", "2"), own("c", "1"), file("npm", "3"), own("new", "1")];
    expect(namesOf(changedSince(after, afterInstall(after, base, before), 100))).toEqual(["b", "npm"]);
  });
});
