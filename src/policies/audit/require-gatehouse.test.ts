import { describe, expect, it } from "vitest";
import type { Facts } from "../../kernel/facts.ts";
import { verdictOf } from "../describe-policy.ts";
import { requireGatehouse } from "./require-gatehouse.ts";

type House = Facts["gatehouse"];

const at = (name: "SessionStart" | "UserPromptSubmit" | "Stop", found: House["found"], now: House["now"]) =>
  verdictOf(requireGatehouse, { name }, { gatehouse: { found, now, detail: "no answer" } });

const en = (texts: readonly { readonly en: string }[]): string => texts.map((text) => text.en).join("\n");

describe("a daemon that was down", () => {
  it("refuses a Stop only if the daemon is running again", () => {
    expect(at("Stop", "down", "up").decision).toBe("deny");
    expect(at("Stop", "stranger", "up").decision).toBe("deny");
    expect(at("Stop", "down", "down").decision).toBe("pass");
    expect(at("Stop", "stranger", "plain").decision).toBe("pass");
  });

  it("tells the agent at a prompt that refused changes can be tried again, and refuses nothing", () => {
    for (const name of ["SessionStart", "UserPromptSubmit"] as const) {
      const verdict = at(name, "down", "up");
      expect(verdict.decision).toBe("pass");
      expect(en(verdict.notes)).toContain("can be tried again");
    }
  });

  it("tells the person what happened and why, with the next step where one is needed", () => {
    expect(en(at("UserPromptSubmit", "down", "up").notices)).toContain("down (no answer) and was started again");
    expect(en(at("UserPromptSubmit", "down", "down").notices)).toContain("sekisho doctor --fix");
    expect(en(at("UserPromptSubmit", "stranger", "plain").notices)).toContain("moved to the plain lane");
  });
});

it("moving the daemon to this version holds no turn, and is told to the person", () => {
  const verdict = at("Stop", "other-version", "up");
  expect(verdict.decision).toBe("pass");
  expect(en(verdict.notices)).toContain("moved to this version");
});

it("nothing is said if the daemon was up, or if the project uses none", () => {
  for (const [found, now] of [
    ["up", "up"],
    ["none", "none"],
  ] as const) {
    const { decision, notes, notices } = at("Stop", found, now);
    expect({ decision, notes, notices }).toEqual({ decision: "pass", notes: [], notices: [] });
  }
});
