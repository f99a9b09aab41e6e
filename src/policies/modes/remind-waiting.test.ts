import { describe, expect, it } from "vitest";
import { exampleMode } from "../example.ts";
import { atStop, inMode } from "./example-stops.ts";
import { remindWaiting } from "./remind-waiting.ts";
import { requirePersistent } from "./require-persistent.ts";
import { requireQa } from "./require-qa.ts";
import { requireTurbo } from "./require-turbo.ts";

const LAW = [remindWaiting, requirePersistent, requireQa, requireTurbo];
const persistent = inMode({ persistent: exampleMode });
const FAR = { wakeUps: 1, schedules: ["0 0 30 2 *"] };
const SOON = { wakeUps: 1 };
const DONE = "<promise>DONE</promise>";

describe("an agent that stops to wait", () => {
  it.each([
    ["a command in the background", { backgroundTasks: 1 }, "runs in the background"],
    ["an alarm", SOON, "has set itself an alarm"],
  ])("%s lets the turn end, and the person is told once per mode", (_, more, words) => {
    const first = atStop(LAW, persistent, {}, more);
    expect(first.verdict.decision).toBe("pass");
    expect(first.told).toEqual([expect.stringContaining(words)]);
    expect(atStop(LAW, first.session, {}, more).told).toEqual([]);
    const another = { ...first.session, modes: { turbo: { ...exampleMode, since: 7 } } };
    expect(atStop(LAW, another, {}, more).told).toEqual([expect.stringContaining("Turbo mode")]);
  });

  it.each([
    ["persistent", persistent],
    ["qa", inMode({ qa: exampleMode })],
    ["turbo", inMode({ turbo: exampleMode })],
  ])("an alarm in a year does not count as waiting: %s refuses", (_, session) => {
    const { verdict, told } = atStop(LAW, session, {}, FAR);
    expect(verdict.decision).toBe("deny");
    expect(told).toEqual([]);
  });

  it.each([
    ["no mode", inMode({}), { backgroundTasks: 1 }],
    ["a paused one", inMode({ persistent: { ...exampleMode, paused: "interrupted" } }), { backgroundTasks: 1 }],
    ["a subagent, which comes back", persistent, { backgroundTasks: 1, awaitsAgent: true }],
  ])("no message about %s", (_, session, more) => {
    expect(atStop(LAW, session, {}, more).told).toEqual([]);
  });

  it.each([
    ["persistent", persistent, DONE, { backgroundTasks: 1 }],
    ["persistent", persistent, DONE, SOON],
    ["turbo", inMode({ turbo: exampleMode }), DONE, { backgroundTasks: 1 }],
    ["qa", inMode({ qa: exampleMode }), "<promise>QA_COMPLETE</promise>", { backgroundTasks: 1 }],
  ] as const)(
    "a promise made while a server is running need not be repeated: %s",
    (name, session, lastMessage, more) => {
      const first = atStop(LAW, session, {}, { ...more, lastMessage });
      expect(first.session.modes?.[name]).toMatchObject({ promised: true, count: 0 });
      const second = atStop(LAW, first.session, {}, { lastMessage: "The server is stopped." });
      expect(second.verdict.decision).toBe("pass");
      expect(second.session.modes).toBeUndefined();
    },
  );
});
