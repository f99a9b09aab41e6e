import { describe, expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { newProof } from "../../state/session/proof.ts";
import type { Stance } from "../../state/stance.ts";
import { verdictOf } from "../describe-policy.ts";
import { trackStance } from "./track-stance.ts";

const typed = (command: string, held: Stance, given: object = {}) =>
  verdictOf(
    trackStance,
    { name: "UserPromptExpansion", command, args: "" },
    { stance: { stance: held, isImplicit: false }, ...given },
  );

describe("a stance that the person types", () => {
  it.each([
    ["sekisho:planning", "building", { stance: "planning" }],
    ["sekisho:auditing", "planning", { stance: "auditing" }],
    ["sekisho:building", "planning", { stance: "building", looser: true }],
    ["sekisho:planning", "auditing", { stance: "planning", looser: true }],
  ] as const)("/%s while %s changes it, and a wider one is marked to wait", (command, held, expected) => {
    const { changes, notices } = typed(command, held);
    expect(changes).toMatchObject([{ record: "stance", do: "set", ...expected }]);
    expect(changes[0]).toEqual(expect.objectContaining(expected));
    expect("looser" in (changes[0] ?? {})).toBe("looser" in expected);
    expect(notices).toHaveLength(1);
  });

  it("that is in force already changes nothing and says so", () => {
    const { changes, notices } = typed("sekisho:planning", "planning");
    expect(changes).toEqual([]);
    expect(notices[0]?.en).toContain("already");
  });

  it("without our prefix may be the project's own command", () => {
    expect(typed("planning", "building").changes).toEqual([]);
    expect(typed("other:planning", "building").changes).toEqual([]);
  });

  it("is not the person's if the agent has scheduled the same words", () => {
    const session = boundSession({ proof: { ...newProof, sent: ["/sekisho:building"] } });
    expect(typed("sekisho:building", "planning", { session }).changes).toEqual([]);
  });
});
