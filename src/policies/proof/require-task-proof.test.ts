import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { changedTree, owing, worker } from "./example-work.ts";
import { requireTaskProof } from "./require-task-proof.ts";

const task = { name: "TaskCompleted", task: "1", subject: "Write tests" } as const;
const all = { ...defaultSettings, verify: { ...defaultSettings.verify, tasks: "all" as const } };

/** Completes the task `times` times and returns the decisions. */
function attempts(times: number, given: Gathered, subject = task.subject): string {
  let session = (given.session ?? ordinaryFacts.session) as Session;
  const ends: string[] = [];
  for (let at = 0; at < times; at += 1) {
    const { decision, changes } = verdictOf(requireTaskProof, { ...task, subject }, { ...given, session });
    ends.push(decision);
    session = changes.reduce((next, change) => reduceSession(next, change, 1), session);
  }
  return ends.join(" ");
}

describePolicy(requireTaskProof, ({ passes, denies }) => {
  passes("TS-23 GT-30 EH-14 a session without an id", { ...task, session: "unknown" }, { settings: all });
  passes("TS-23 GT-30 EH-14 a task without a subject", { ...task, subject: " " }, { settings: all });
  passes("TS-23 GT-31 with fresh evidence the first attempt passes", task, owing("passed"));
  denies("GT-31 with evidence that is out of date it does not", task, owing("passed", { files: "f-0" }));
  passes("a session that has changed nothing", task, {});
  passes("it is switched off", task, {
    ...owing("missing"),
    settings: { ...defaultSettings, verify: { ...defaultSettings.verify, tasks: "off" } },
  });
});

describe("attempts to complete a task", () => {
  it("TS-23 GT-30 with nothing to prove it by, the first attempt is refused and the second passes", () => {
    expect(attempts(3, { settings: all })).toBe("deny pass pass");
  });

  it("TS-23 GT-30 a task with another subject is counted separately", () => {
    const first = verdictOf(requireTaskProof, task, { settings: all });
    const session = first.changes.reduce((next, change) => reduceSession(next, change, 1), ordinaryFacts.session);
    expect(verdictOf(requireTaskProof, { ...task, subject: "Write docs" }, { settings: all, session }).decision).toBe(
      "deny",
    );
    expect(verdictOf(requireTaskProof, task, { settings: all, session }).decision).toBe("pass");
  });

  it("TS-23 GT-30 attempts are counted per session", () => {
    expect(attempts(1, { settings: all })).toBe("deny");
    expect(attempts(1, { settings: all, session: worker })).toBe("deny");
  });

  it("TS-23 GT-31 without fresh evidence attempts are refused up to the bound", () => {
    expect(attempts(7, owing("missing"))).toBe("deny deny deny deny deny pass pass");
  });

  it("the person is told when an unproven task passes at last", () => {
    const session = { ...worker, tasks: { [task.subject]: 5 } };
    const { notices } = verdictOf(requireTaskProof, task, { session, checkedTrees: [changedTree] });
    expect(notices[0]?.en).toContain("unverified");
  });

  it("GT-30 the refusal names the subject and asks for proof", () => {
    const [objection] = verdictOf(requireTaskProof, task, { settings: all }).objections;
    expect(objection?.what.en).toContain('"Write tests"');
    expect(objection?.fix.en).toContain("show its output");
  });
});
