/** The core contract: what no security level lifts, and what each of them does. */
import { describe, expect, it } from "vitest";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { PROJECT, verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, protecting, write } from "../example.ts";
import { noProtectedEdit } from "../repository/no-protected-edit.ts";
import { requirePlanRead } from "./require-plan-read.ts";
import { requirePlaybook } from "./require-playbook.ts";

const LEVELS = ["strict", "user", "trusted", "developer", "admin"] as const;
const plan = { root: PROJECT, drafts: [], named: [] };
const planFile = { path: ".sekisho/playbooks/button.md", isShown: false };

function under(security: Settings["security"]): Settings {
  return {
    ...defaultSettings,
    security,
    plan: { ...defaultSettings.plan, required: "all", read_first: "on" },
  };
}

describe("TS-50 PB-5 PB-12 PB-54 security levels", () => {
  it.each(LEVELS)("PB-54 under %s a change still needs a plan, and a HARD_BLOCK file stays as it is", (security) => {
    const settings = under(security);
    for (const when of [edit(`${PLACE}/a.ts`), write(`${PLACE}/notes.md`), bash("echo x > a.ts"), bash("python3 x.py")])
      expect(verdictOf(requirePlaybook, when, { settings, plan }).decision).toBe("deny");
    const given = { settings, ...protecting("HARD_BLOCK:CLAUDE.md") };
    for (const when of [edit(`${PLACE}/CLAUDE.md`), bash("git show HEAD:CLAUDE.md > CLAUDE.md")])
      expect(verdictOf(noProtectedEdit, when, given).objections.map(({ floor }) => floor)).toEqual([true]);
  });

  it.each([
    ["strict", "deny", "deny", "deny"],
    ["user", "deny", "deny", "deny"],
    ["trusted", "pass", "deny", "deny"],
    ["developer", "pass", "deny", "deny"],
    ["admin", "pass", "pass", "pass"],
  ] as const)(
    "PB-12 %s: a BLOCK file %s, unread plan %s, git maintenance without a plan %s",
    (security, block, unread, git) => {
      const settings = under(security);
      const edited = verdictOf(noProtectedEdit, edit(`${PLACE}/state.md`), {
        settings,
        ...protecting("BLOCK:/state.md"),
      });
      const read = verdictOf(requirePlanRead, edit(`${PLACE}/a.ts`), { settings, planFile });
      const kept = verdictOf(requirePlaybook, bash("git add -A && git commit -m x"), { settings, plan });
      expect([edited.decision, read.decision, kept.decision]).toEqual([block, unread, git]);
    },
  );

  it("PB-54 maintenance is git's own work: nothing else on the line passes with it", () => {
    const given = { settings: under("admin"), plan };
    for (const command of ["git commit -m x; rm a.ts", "git add -A && make", "git log > a.ts", "git rebase -i HEAD~3"])
      expect([command, verdictOf(requirePlaybook, bash(command), given).decision]).toEqual([command, "deny"]);
  });
});
