import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { PROFILES } from "../../state/settings/profiles.ts";
import { withValues } from "../../state/settings/setting-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { STANCES, type Stance } from "../../state/stance.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, read, using, write } from "../example.ts";
import { noToolOutsideStance } from "./no-tool-outside-stance.ts";

const oath = withValues(defaultSettings, PROFILES.find(({ name }) => name === "oath")?.values ?? {});
const inStance = (stance: Stance, more: Gathered = {}): Gathered => ({
  stance: { stance, isImplicit: false },
  ...more,
});
const planning = inStance("planning");
const auditing = inStance("auditing");

describePolicy(noToolOutsideStance, ({ denies, passes }) => {
  denies("TR-62 planning: code", write("src/app.ts"), planning);
  denies("TR-62 planning: any other file", write("package.json"), planning);
  denies("TR-62 planning: a command", bash("make"), planning);
  denies("TR-62 planning: a remote", bash("git push"), planning);
  passes("TR-62 planning: a plan", write("docs/plan.md"), planning);
  passes("TR-62 planning: a search", bash("cd src && grep -n main *.c | sort"), planning);
  passes("TR-62 planning: tests", bash("npm test"), planning);
  denies("TR-62 auditing: a plan", write("docs/plan.md"), auditing);
  denies("TR-62 auditing: tests", bash("npm test"), auditing);
  denies("TR-62 auditing: a commit", bash("git commit -m x"), auditing);
  denies("TR-62 auditing: a tool that nobody knows", using({ kind: "unknown", name: "Novel", words: [] }), auditing);
  denies("TR-62 auditing: other people's tools", using({ kind: "mcp", name: "mcp__a__b", words: [] }), auditing);
  passes("TR-62 auditing: git's history", bash("git log --oneline"), auditing);
  denies("TR-62 building, oath: a remote", bash("git push"), inStance("building", { settings: oath }));
  passes("TR-62 building, balanced: `publish` decides", bash("git push"), inStance("building"));

  denies("work behind a commit", bash("git tag x; echo y > src/app.ts"), planning);
  denies("work behind a plan", bash("echo x > docs/a.md; echo y > src/app.ts"), planning);
  denies("a plan and code at once", bash("tee docs/a.md src/app.ts < x"), planning);
  denies("tests whose words go into the code", bash("npm test > src/app.ts"), planning);
  denies("git's words into the code", bash("git tag > src/app.ts"), planning);
  denies("a link below docs/ that leads into the code", write("docs/link/app.ts"), {
    ...planning,
    targets: { [`${PLACE}/docs/link/app.ts`]: `${PLACE}/src/app.ts` },
  });
  passes("a link below docs/ that leads to another plan", write("docs/link.md"), {
    ...planning,
    targets: { [`${PLACE}/docs/link.md`]: `${PLACE}/docs/plan.md` },
  });
});

describe("a stance", () => {
  it("TR-66 TS-11 the control plane is open in every stance", () => {
    for (const stance of STANCES)
      for (const name of ["Skill", "TodoWrite", "AskUserQuestion", "ExitPlanMode"])
        expect(verdictOf(noToolOutsideStance, using({ kind: "control", name }), inStance(stance)).decision).toBe(
          "pass",
        );
    const agent = using({ kind: "agent", name: "Agent", agentType: "Explore" });
    expect(verdictOf(noToolOutsideStance, agent, auditing).decision).toBe("pass");
  });

  it("TR-46 the refusal names the domain, the stance and the command for the person, in both languages", () => {
    const [objection] = verdictOf(noToolOutsideStance, edit("src/app.ts"), planning).objections;
    expect(objection?.what.en).toBe(
      "[BLOCKED] Edit is file_write_src work (medium risk), and the stance is PLANNING (phase_policy).",
    );
    expect(objection?.what.ja).toContain("PLANNING");
    expect(objection?.fix.en).toContain("sekisho stance building");
    const [second] = verdictOf(noToolOutsideStance, bash("git tag x; echo y > src/app.ts"), planning).objections;
    expect(second?.what.en).toContain("file_write_src work");
  });

  it("TR-63 needs no trust score to refuse", () => {
    expect(noToolOutsideStance.needs).not.toContain("trust");
    const { decision } = verdictOf(noToolOutsideStance, read("a"), { ...auditing, trust: { unknown: "gone" } });
    expect(decision).toBe("pass");
    const given = { ...planning, trust: { unknown: "gone" } };
    expect(verdictOf(noToolOutsideStance, edit("a"), given).objections[0]).not.toHaveProperty("fault");
  });

  it("TR-65 an unknown stance is a fault, and refuses operations that could change something", () => {
    const strange = inStance("dreaming" as Stance);
    expect(verdictOf(noToolOutsideStance, write("docs/plan.md"), strange)).toMatchObject({
      decision: "deny",
      objections: [{ policy: "no-tool-outside-stance", fault: expect.any(String) }],
    });
    expect(verdictOf(noToolOutsideStance, read("a"), strange).decision).toBe("pass");
  });
});
