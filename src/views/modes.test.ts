import { describe, expect, it } from "vitest";
import { type Mode, STALE_MS } from "../state/session/modes.ts";
import { newSession } from "../state/session/session.ts";
import { newState } from "../state/state.ts";
import { modeViews, shortModes } from "./modes.ts";

const NOW = 1_800_000_000_000;
const mode: Mode = { since: NOW, by: "prompt", task: "make it work", count: 3, max: 20 };

describe("modes as shown to people", () => {
  const state = {
    ...newState,
    sessions: {
      old: { ...newSession(NOW - 9), modes: { turbo: mode } },
      new: {
        ...newSession(NOW),
        modes: {
          qa: { ...mode, paused: "rate_limit" },
          persistent: mode,
          turbo: { ...mode, since: NOW - STALE_MS - 1 },
        },
      },
    },
    modes: { qa: mode },
  };
  const views = modeViews(state, NOW, ({ startedAt }) => startedAt === NOW);

  it("MD-15 are sorted by session and priority: active, paused, stale, orphaned, waiting", () => {
    expect(views.map((view) => [view.mode, view.session, view.state, view.why])).toEqual([
      ["persistent", "new", "active", null],
      ["qa", "new", "paused", "rate_limit"],
      ["turbo", "new", "stale", null],
      ["turbo", "old", "orphaned", null],
      ["qa", null, "waiting", null],
    ]);
  });

  it("the short form leaves out modes started by another mode", () => {
    const one = { mode: "persistent", count: 3, max: 20, with: null, paused: null } as const;
    expect(
      shortModes([one, { ...one, mode: "turbo", with: "persistent" }, { ...one, mode: "qa", paused: "x" }]),
    ).toEqual(["PERSISTENT 3/20", "QA 3/20 paused"]);
  });
});
