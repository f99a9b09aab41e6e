import { describe, expect, it } from "vitest";
import type { Change } from "../state/change.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { fitting } from "./fitting-changes.ts";
import { startChanges } from "./mode-start.ts";

const settle = (at: number): Change => ({
  ...{ record: "work", do: "settle", root: `/${at}${"d".repeat(300)}`, verified: false, code: "c".repeat(64) },
});
const many = Array.from({ length: 9 }, (_, at) => settle(at));
const refuse: Change = { record: "mode", do: "refuse", mode: "persistent", plan: "p".repeat(290) };
const counted: Change = { record: "session", do: "refuse-stop", policy: "require-persistent", leads: true };

describe("changes that must fit into one record", () => {
  it("all changes are kept in order if they fit", () => {
    expect(fitting("Stop", [settle(1), refuse, counted])).toEqual([settle(1), refuse, counted]);
    expect(fitting("Stop", [])).toEqual([]);
  });

  it.each(["Stop", "UserPromptSubmit"] as const)(
    "at %s changes that block or release come before repeatable ones",
    (name) => {
      const kept = fitting(name, [...many, refuse, counted]);
      expect(kept).toEqual(expect.arrayContaining([refuse, counted]));
      expect(kept.indexOf(refuse)).toBeLessThan(kept.indexOf(counted));
      expect(kept.length).toBeGreaterThan(2);
      expect(JSON.stringify(kept).length).toBeLessThan(1_700);
    },
  );

  it("an oversized change does not displace the others", () => {
    expect(fitting("Stop", [{ ...settle(1), root: "/".repeat(4_000) } as Change, counted])).toEqual([counted]);
  });

  it("a mode that starts with its session keeps a shorter task instead of being dropped", () => {
    const file = Array.from({ length: 15 }, (_, at) => `PostToolUseFailure${at}`);
    const begin: Change = { record: "session", do: "begin", registration: { "/a": file, "/b": file, "/c": file } };
    const wish = { by: "prompt", task: "\u5b8c".repeat(400) } as const;
    const starts = startChanges("persistent", wish, defaultSettings);
    expect(fitting("UserPromptSubmit", starts)).toEqual(starts);
    const kept = fitting("UserPromptSubmit", [...starts, begin]);
    expect(kept).toContainEqual(begin);
    expect(kept).toContainEqual({ ...starts[0], task: expect.stringMatching(/^\u5b8c{40,}/) });
  });

  it("at a gate nothing is dropped, because an oversized record is refused there", () => {
    expect(fitting("PreToolUse", many)).toEqual(many);
  });
});
