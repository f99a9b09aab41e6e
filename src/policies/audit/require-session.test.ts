import { expect, it } from "vitest";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, edit, using, write } from "../example.ts";
import { requireSession } from "./require-session.ts";

const nameless = { session: "unknown" };

describePolicy(requireSession, ({ denies, passes }) => {
  denies("TS-20 3 GT-12 an edit", { ...edit("src/a.ts"), ...nameless });
  denies("a new file", { ...write("src/a.ts", "x"), ...nameless });
  denies("a tool of a server", { ...using({ kind: "mcp", name: "mcp__a__b", words: [] }), ...nameless });
  denies("a tool that nobody knows", { ...using({ kind: "unknown", name: "Novel", words: [] }), ...nameless });
  denies("a page", { ...using({ kind: "web", name: "WebFetch" }), ...nameless });
  passes("a command that only reads", { ...bash("ls -la"), ...nameless });
  passes("steering", { ...using({ kind: "control", name: "Skill" }), ...nameless });
  passes("a subagent", { ...using({ kind: "agent", name: "Agent", agentType: "" }), ...nameless });
});

it("GT-12 the message names what is missing and the way out", () => {
  const { objections } = verdictOf(requireSession, { ...edit("src/a.ts"), ...nameless });
  expect(objections[0]).toMatchObject({ floor: true, what: { en: expect.stringContaining("session_id") } });
  expect(objections[0]?.fix.en).toContain("new session");
});
