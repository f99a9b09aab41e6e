import { expect, it } from "vitest";
import type { Change } from "../state/change.ts";
import type { JournalRecord } from "../state/record.ts";
import { auditView } from "./audit.ts";

const at = (event: string, ...changes: readonly Change[]): JournalRecord => ({
  ...{ kind: "verdict", event, session: "s-1", decision: "pass", changes, ms: 1, rid: event, t: 1_000 },
});
const start = { record: "mode", do: "start", by: "prompt", task: "go", max: 20 } as const;

it("the trail tells when a mode began, what it took up, and why it ended", () => {
  const entries = auditView(
    [
      at("UserPromptSubmit", { ...start, mode: "persistent" }, { ...start, mode: "turbo", with: "persistent" }),
      at("Stop", { record: "mode", do: "stop", mode: "persistent", why: "stuck" }),
      at("UserPromptSubmit", { record: "mode", do: "stop", why: "cancelled", unowned: true }),
      at("StopFailure", { record: "mode", do: "pause", why: "rate_limit" }),
      at("UserPromptSubmit", { record: "mode", do: "claim" }),
      at("SessionStart", { record: "mode", do: "adopt", from: "s-0" }),
      // Steps of the way: not a story by themselves.
      at("Stop", { record: "mode", do: "promise", mode: "qa" }),
    ],
    {},
  );
  expect(entries.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
    "mode: persistent begins",
    "mode: persistent ends: the same thing failed three times",
    "mode: every mode ends: cancelled by the person",
    "mode: paused: rate_limit",
    "mode: takes up what waited",
    "mode: goes on with what s-0 has left",
  ]);
});
