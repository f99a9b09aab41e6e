import { describe, expect, it } from "vitest";
import { decide } from "../../kernel/decide.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { reduceSession } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, ordinaryFacts } from "../describe-policy.ts";
import { requireConcreteResult } from "./require-concrete-result.ts";
import { missingResult } from "./result-text.ts";

const on = { settings: { ...defaultSettings, verify: { ...defaultSettings.verify, subagents: "on" as const } } };
const agent = { id: "a-1", type: "reviewer" };
const ended = (lastMessage: string, who: object = agent) =>
  ({ name: "SubagentStop", agent: who, lastMessage }) as const;

describePolicy(requireConcreteResult, ({ denies, passes }) => {
  denies("MD-68 nothing at all", ended("  "), on);
  denies("MD-68 an announcement", ended("I will look into the parser next."), on);
  denies("MD-68 possibilities", ended("This could be a race and might be fixed by a lock."), on);
  denies("MD-68 in Japanese", ended("原因はロックかもしれません。調べてみる必要があると思います。"), on);
  passes("MD-68 paths and lines", ended("The bug is in src/lock.ts:12, which could be fixed by a retry."), on);
  passes("MD-68 data", ended("I ran it: 12 tests passed."), on);
  passes("MD-68 a clear no is a result", ended("I would have listed them, but there are no matches."), on);
  passes("MD-68 in Japanese, with a result", ended("src/lock.ts の 3 件を直しました。"), on);
  passes("MD-68 the client's own errands have no type", ended("", { id: "a-2", type: "" }), on);
  passes("nobody asked for it", ended(""), {});
});

describe("number of refusals", () => {
  it("MD-68 each subagent is refused once, and no other count changes", () => {
    const event = {
      session: "s-1",
      cwd: "/home/dev/project",
      attended: true,
      ...ended("I might."),
    } as unknown as HookEvent<"SubagentStop">;
    const facts = { ...ordinaryFacts, ...on };
    const first = decide({ event, operation: undefined, facts }, [requireConcreteResult]);
    const session = first.changes.reduce((next, change) => reduceSession(next, change, 1), facts.session);
    const second = decide({ event, operation: undefined, facts: { ...facts, session } }, [requireConcreteResult]);
    const other = { ...event, agent: { id: "a-9", type: "reviewer" } };
    const third = decide({ event: other, operation: undefined, facts: { ...facts, session } }, [requireConcreteResult]);
    expect([first.decision, second.decision, third.decision]).toEqual(["deny", "pass", "deny"]);
    expect(session.refusals).toEqual({ "require-concrete-result a-1": 1 });
  });
});

it("a very long report is handled", () => {
  expect(missingResult(`${"could be ".repeat(20_000)}src/a.ts`)).toBe("possible");
});
