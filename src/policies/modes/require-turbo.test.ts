import { describe, expect, it } from "vitest";
import { type Mode, STALE_MS } from "../../state/session/modes.ts";
import { describePolicy } from "../describe-policy.ts";
import { exampleMode } from "../example.ts";
import { atStop, inMode, stop, working } from "./example-stops.ts";
import { requireTurbo } from "./require-turbo.ts";

const DONE = "All of it. <promise>DONE</promise>";
const turbo = (more: Partial<Mode> = {}) => inMode({ turbo: { ...exampleMode, max: 30, ...more } });
const at = (session = turbo(), given = {}, more = {}) => atStop([requireTurbo], session, given, more);
const tasks = (open: number, done: number, changedAt = 900) => ({ open, done, shown: [], changedAt });

describePolicy(requireTurbo, ({ denies, passes }) => {
  denies("TS-34 MD-61 it goes on", stop, { session: turbo() });
  passes("TS-34 MD-50 no mode", stop, { session: inMode({}) });
  passes("MD-50 the context is full, or the person has ended it", { ...stop, mustYield: true }, { session: turbo() });
  denies("MD-53 the client says that a hook has kept it going", { ...stop, continued: true }, { session: turbo() });
  passes("MD-61 the marker", { ...stop, lastMessage: DONE }, { session: turbo() });
  passes("TS-34 MD-61 it has refused as often as it may", stop, { session: turbo({ count: 30 }) });
  denies("MD-61 once less", stop, { session: turbo({ count: 29 }) });
  passes("all of its tasks are done", stop, { session: turbo(), hostTasks: tasks(0, 2) });
  denies("some are", stop, { session: turbo(), hostTasks: tasks(1, 2) });
  denies("there are none", stop, { session: turbo(), hostTasks: tasks(0, 0, 0) });
  denies("they were done before it began", stop, { session: turbo({ since: 500 }), hostTasks: tasks(0, 2, 499) });
  passes("it is paused", stop, { session: turbo({ paused: "x" }) });
  passes("it waits for a subagent", { ...stop, backgroundTasks: 1 }, { session: turbo() });
  denies("ST-9 exactly a day old", stop, { session: turbo(), now: STALE_MS });
  passes("ST-9 a day and a second old", stop, { session: turbo(), now: STALE_MS + 1_000 });
});

describe("turbo mode at a Stop", () => {
  it("TS-34 MD-61 from the third refusal on the message says how the person ends the mode", () => {
    let session = turbo();
    const said: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const ended = at(session);
      said.push(ended.said);
      session = working(ended.session);
    }
    expect(said.map((words) => words.includes("typing `cancel`"))).toEqual([false, false, true, true]);
    expect(session.modes?.turbo?.count).toBe(4);
  });

  it("MD-61 the message: open tasks if any, and the request", () => {
    const shown = [{ subject: "write the form", status: "pending" }];
    const { said } = at(turbo({ count: 1 }), { hostTasks: { ...tasks(3, 1), shown } });
    expect(said).toContain("Turbo mode 2/30: not complete yet. Open tasks: 3 (write the form).");
    expect(said).toContain("The request: finish the login page");
    expect(at().said).not.toContain("Open tasks");
  });

  it("TS-34 MD-61 a spent or completed mode ends, and the person is told which", () => {
    const spent = at(turbo({ count: 30 }));
    expect(spent.session.modes).toBeUndefined();
    expect(spent.told).toEqual([expect.stringContaining("it has refused 30 times")]);
    const done = at(turbo({ count: 2 }), {}, { lastMessage: DONE });
    expect(done.session.modes).toBeUndefined();
    expect(done.told).toEqual(["Turbo mode is done; the agent was told to continue 2 times"]);
  });
});
