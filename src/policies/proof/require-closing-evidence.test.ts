import { expect, it } from "vitest";
import { reduceSession, type Session } from "../../state/session/session.ts";
import type { EvidenceRule } from "../../state/settings/evidence-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { changedTree, having, resultOf } from "./example-work.ts";
import { requireClosingEvidence } from "./require-closing-evidence.ts";

const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "Done." } as const;
const task = { name: "TaskCompleted", task: "1", subject: "Write tests" } as const;

function under(...rules: readonly EvidenceRule[]) {
  return { settings: { ...defaultSettings, gates: { ...defaultSettings.gates, rules } } };
}

const build: EvidenceRule = {
  name: "build-first",
  when: { event: "Stop" },
  need: { evidence: "command", of: "test", freshness: "change" },
  else: "block",
};
const asCode: EvidenceRule = { ...build, when: { event: "Stop", kinds: ["code"] } };

describePolicy(requireClosingEvidence, ({ denies, passes }) => {
  denies("a check that has not passed", stop, under(build));
  passes("one that has, for the files as they stand", stop, {
    ...under(build),
    session: having(resultOf("passed")),
    checkedTrees: [changedTree],
  });
  denies("one that has, for others", stop, {
    ...under(build),
    session: having(resultOf("passed", { files: "f-0" })),
    checkedTrees: [changedTree],
  });
  passes("no file of that kind was written", stop, under(asCode));
  denies("one was", stop, {
    ...under(asCode),
    session: { ...ordinaryFacts.session, written: ["/home/dev/project/src/a.ts"] },
  });
  passes("a rule about tasks says nothing of turns", stop, under({ ...build, when: { event: "TaskCompleted" } }));
  denies("a rule about tasks", task, under({ ...build, when: { event: "TaskCompleted" } }));
  passes("it only warns", stop, under({ ...build, else: "warn" }));
  passes("background work", { ...stop, backgroundTasks: 1 }, under(build));
  denies(
    "a marker that was not said",
    stop,
    under({ ...build, need: { evidence: "marker", of: "OK", freshness: "session" } }),
  );
  passes(
    "a marker that was",
    { ...stop, lastMessage: "<promise>ok</promise>" },
    under({
      ...build,
      need: { evidence: "marker", of: "OK", freshness: "session" },
    }),
  );
});

it.each([
  [undefined, 3],
  [1, 1],
  [9, 5],
])("a rule with bound %s refuses %i times", (bound, times) => {
  const given = under({ ...build, ...(bound !== undefined && { bound }) });
  for (const when of [stop, task]) {
    const rules = under({ ...build, when: { event: when.name }, ...(bound !== undefined && { bound }) });
    let session: Session = ordinaryFacts.session;
    let refused = 0;
    for (; refused < 20; refused += 1) {
      const verdict = verdictOf(requireClosingEvidence, when, { ...given, ...rules, session });
      if (verdict.decision === "pass") break;
      session = verdict.changes.reduce((next, change) => reduceSession(next, change, 1), session);
      // A tool use ends between refusals; an idle agent would be released earlier.
      session = { ...session, outcomes: { ...session.outcomes, success: session.outcomes.success + 1 } };
    }
    expect(refused).toBe(times);
  }
});

it("the message of a warn rule is shown to the person", () => {
  const { notices } = verdictOf(requireClosingEvidence, stop, under({ ...build, else: "warn" }));
  expect(notices[0]?.en).toContain("build-first");
});
