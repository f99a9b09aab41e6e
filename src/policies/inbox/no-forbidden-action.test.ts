import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, using, write } from "../example.ts";
import { armySettings, exampleInbox } from "./example-inbox.ts";
import { noForbiddenAction } from "./no-forbidden-action.ts";

const as = (actor: string, when: Parameters<typeof verdictOf>[1], settings = armySettings) =>
  verdictOf(noForbiddenAction, when, exampleInbox({ actor }, settings)).decision;

describe("IN-4 what a role leaves to others", () => {
  it.each([
    "git push",
    "npm publish",
    "gh pr create --fill",
    "gh issue comment 3 --body done",
    "for i in 1 2 3; do cat queue/inbox/ashigaru1.yaml; sleep 10; done",
    "until [ -f done ]; do sleep 1; done",
    "watch -n 5 cat queue/inbox/ashigaru1.yaml",
  ])("IN-9 F004 F006 a worker is refused: %s", (command) => {
    expect(as("ashigaru1", bash(command))).toBe("deny");
  });

  it.each([
    "git push --dry-run",
    "gh pr view 3 --comments",
    "git commit -m 'push while it is hot; sleep later'",
    "sleep 5 && npm test",
    "for f in *.ts; do wc -l $f; done",
    "echo while; grep -rn sleep src",
  ])("ordinary work passes: %s", (command) => {
    expect(as("ashigaru1", bash(command))).toBe("pass");
  });

  it("F003 the steward has the workers, so it starts no subagent; its alias is the same agent", () => {
    const start = using({ kind: "agent", name: "Agent", agentType: "general-purpose" });
    expect(as("karo-roju", start)).toBe("deny");
    expect(as("ashigaru1", start)).toBe("pass");
  });

  it("a person's own role can forbid editing, by any tool", () => {
    const own = [{ name: "auditor", forbid: ["edit"] as const }];
    const settings = { ...defaultSettings, roles: { preset: "lead" as const, own } };
    for (const when of [edit(`${PLACE}/a.ts`), write(`${PLACE}/b.ts`), bash("sed -i s/a/b/ a.ts")])
      expect(as("auditor", when, settings)).toBe("deny");
    expect(as("auditor", bash("npm test"), settings)).toBe("pass");
  });

  it("nobody is held without roles", () => {
    expect(as("ashigaru1", bash("git push"), defaultSettings)).toBe("pass");
  });
});
