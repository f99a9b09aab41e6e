/** What counts as a verdict, and what does not: the form, the looks, the judge, the plan and the files. */
import { describe, expect, it } from "vitest";
import type { CoveredFile, Gathered } from "../../kernel/facts.ts";
import { digestsOf } from "../../playbook/identity.ts";
import { readPlaybook } from "../../playbook/read.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { lookMark, newProof, reduceProof } from "../../state/session/proof.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { PROJECT, verdictOf } from "../describe-policy.ts";
import { EXAMPLE_PATH, EXAMPLE_TEXT, examplePlan } from "./example-plan.ts";
import { digestOfFiles } from "./judgement.ts";
import { requireVerdict } from "./require-verdict.ts";

const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "code" as const } };
const file = (path: string, more: Partial<CoveredFile> = {}): CoveredFile => ({
  path,
  mark: `m-${path}`,
  isThere: true,
  isJudged: false,
  ...more,
});
const COVERED = { isKnown: true, files: [file("src/button.ts"), file("src/page.ts")] };
const GOOD = "1.1 PASS – npm test: exit 0, 4 passed\nVERDICT: PASS step 1";

/** A session in which agent a-1 has read these files. */
function having(read: readonly string[], more: object = {}) {
  const marks = read.map((path) => lookMark(`${PROJECT}/${path}`));
  const looks = { "a-1": { at: 1, count: read.length + 1, read: marks, ran: 1 } };
  return boundSession({ proof: { skills: {}, reads: {}, reviews: {}, approvals: {}, looks }, ...more });
}

const ALL = having(["src/button.ts", "src/page.ts"]);

function said(lastMessage: string, given: Gathered = {}, type = "sekisho:critic") {
  const when = { name: "SubagentStop", agent: { id: "a-1", type }, lastMessage } as const;
  const verdict = verdictOf(requireVerdict, when, {
    settings,
    plan: examplePlan(),
    covered: COVERED,
    session: ALL,
    ...given,
  });
  return { ...verdict, kept: verdict.changes.filter(({ record }) => record === "playbook") };
}

describe("P3 a critic's PASS counts if it looked at everything and says so in the form", () => {
  it("PB-73 is kept for one step, with what it looked at, bound to the step's words and the files", () => {
    expect(said(GOOD).kept).toEqual([
      {
        ...{ record: "playbook", do: "verdict", root: PROJECT, path: EXAMPLE_PATH, of: "critic", verdict: "PASS" },
        ...{ step: "1", agent: "a-1", covered: 2, read: 2, ran: 1, next: "2" },
        plan: digestsOf(readPlaybook(EXAMPLE_TEXT)).steps["1"],
        files: expect.stringMatching(/^[0-9a-f]{16}$/),
        judged: ["m-src/button.ts", "m-src/page.ts"],
      },
    ]);
  });

  it("P3 unread changed files are not judged: it is told which", () => {
    const { decision, objections, kept } = said(GOOD, { session: having(["src/button.ts"]) });
    expect([decision, kept]).toEqual(["deny", []]);
    expect(objections[0]?.what.en).toBe("You have read 1 of 2 files that you must judge. Not read yet: src/page.ts.");
  });

  it("P4 files that were passed as they are, and deleted ones, need not be read again", () => {
    const files = [file("src/button.ts"), file("src/page.ts", { isJudged: true }), file("old.ts", { isThere: false })];
    const { kept } = said(GOOD, { session: having(["src/button.ts"]), covered: { isKnown: true, files } });
    expect(kept).toMatchObject([{ covered: 1, read: 1 }]);
  });

  it.each([
    ["no verdict at all", "All is well."],
    ["two verdicts", `${GOOD}\nVERDICT: FAIL step 1`],
    ["words after it", "1.1 PASS – npm test: exit 0\nVERDICT: PASS step 1, I think"],
    ["a verdict without a step or plan", "1.1 PASS – npm test: exit 0\nVERDICT: PASS"],
    ["a step that is not there", "1.1 PASS – npm test: exit 0\nVERDICT: PASS step 9"],
    ["no line for a criterion", "Everything passed.\nVERDICT: PASS step 1"],
    ["a line that says FAIL", "1.1 FAIL – npm test: exit 1\nVERDICT: PASS step 1"],
    ["a line without evidence", "1.1 PASS\nVERDICT: PASS step 1"],
    ["only that it was confirmed", "1.1 PASS – confirmed\nVERDICT: PASS step 1"],
    ["a step of the agent's that it puts off", "1.1 DEFERRED – later, by somebody\nVERDICT: DEFERRED step 1"],
  ])("PB-74 %s is no PASS", (_, words) => {
    const { decision, kept } = said(words);
    expect([decision, kept]).toEqual(["deny", []]);
  });

  it("PB-73 FAIL counts at once, whatever it has looked at", () => {
    expect(said("1.1 FAIL – no label\nVERDICT: FAIL step 1", { session: having([]) }).kept).toMatchObject([
      { verdict: "FAIL", step: "1" },
    ]);
  });

  it("PB-73 a step of the person's can be DEFERRED", () => {
    const plan = examplePlan({}, EXAMPLE_TEXT.replace("Scope: src/**", "Executor: user"));
    expect(said("1.1 DEFERRED – the person signs it\nVERDICT: DEFERRED step 1", { plan }).kept).toMatchObject([
      { verdict: "DEFERRED" },
    ]);
  });

  it("PB-80 the same words of anybody else are nothing", () => {
    for (const type of ["general-purpose", "other:critic", "critics", "Critic", "reviewer", "", "sekisho:pm"])
      expect(said(GOOD, {}, type).kept, type).toEqual([]);
    expect(said(GOOD, {}, "critic").kept).toHaveLength(1);
  });

  it("PB-80 whoever has judged is not heard again, so that nobody talks it into another word", () => {
    const heard = {
      at: 1,
      of: "critic",
      step: "1",
      verdict: "FAIL",
      plan: "",
      files: "",
      covered: 2,
      read: 2,
      ran: 0,
    } as const;
    const by = (agent: string) => ({
      plan: examplePlan({ work: { at: 1, base: "", steps: {}, verdicts: [{ ...heard, agent }], judged: [] } }),
    });
    expect(said(GOOD, by("a-1")).kept).toEqual([]);
    expect(said(GOOD, by("a-2")).kept).toHaveLength(1);
  });

  it("P4 files that changed while it looked must be read again, all of them", () => {
    const looking = (files: string) => {
      const { proof, ...session } = ALL;
      const look = { ...proof?.looks?.["a-1"], at: 1, count: 2, files };
      return { session: { ...session, proof: { ...newProof, ...proof, looks: { "a-1": look } } } };
    };
    const { changes, decision } = said(GOOD, looking("other"));
    expect(decision).toBe("deny");
    const begun = changes.find((change) => change.record === "proof" && change.do === "judge");
    expect(begun).toMatchObject({ agent: "a-1", files: digestOfFiles(COVERED.files) });
    expect(said(GOOD, looking(digestOfFiles(COVERED.files))).kept).toHaveLength(1);
    expect(reduceProof(newProof, { record: "proof", do: "judge", agent: "a-1", files: "d" }, 1).looks).toEqual({
      "a-1": { at: 1, count: 0, files: "d" },
    });
  });

  it("PB-80 where git cannot tell what changed, only FAIL counts", () => {
    const covered = { files: [], isKnown: false, isLost: true } as const;
    expect(said(GOOD, { covered })).toMatchObject({ decision: "deny", kept: [] });
    expect(said("1.1 FAIL – no label\nVERDICT: FAIL step 1", { covered }).kept).toHaveLength(1);
    expect(said(GOOD, { covered: { files: [], isKnown: false } }).kept).toHaveLength(1);
  });

  it("PB-80 a critic that was written in this session is nobody", () => {
    const written = (path: string) => ({ session: having(["src/button.ts", "src/page.ts"], { written: [path] }) });
    expect(said(GOOD, written(`${PROJECT}/.claude/agents/critic.md`), "critic").kept).toEqual([]);
    expect(said(GOOD, written(`${PROJECT}/.claude/agents/helper.md`), "critic").kept).toEqual([]);
    expect(said(GOOD, written(`${PROJECT}/.claude/agents/helper.md`)).kept).toHaveLength(1);
  });

  it("PB-80 neither is one whose file is newer than the person's approval", () => {
    const plan = (judgeAt: number) => ({ plan: { ...examplePlan({ approvedAt: 5 }), judgeAt } });
    expect(said(GOOD, plan(6), "critic").kept).toEqual([]);
    expect(said(GOOD, plan(4), "critic").kept).toHaveLength(1);
  });

  it("P4 on a plan that was changed after its approval nothing is judged", () => {
    expect(said(GOOD, { plan: examplePlan({ standing: "changed" }) })).toMatchObject({ decision: "pass", kept: [] });
  });

  it("is not asked for where no change needs a plan", () => {
    expect(said("Fine.", { settings: defaultSettings })).toMatchObject({ decision: "pass", kept: [] });
  });
});

describe("PB-72 a reviewer judges a plan by six questions and its weakest point", () => {
  const lines = ["input clarity", "output verifiability", "logical chain", "completeness", "scope clarity"];
  const REVIEW = [...lines, "risk mitigation"].map((name) => `- ${name}: PASS – line 3 says how`).join("\n");
  const plan = { ...examplePlan(), reviewed: { path: EXAMPLE_PATH, playbook: readPlaybook(EXAMPLE_TEXT) } };
  const looked = having([EXAMPLE_PATH]);
  const review = (words: string, more: Gathered = {}) => said(words, { plan, session: looked, ...more }, "reviewer");

  it("PB-72 PASS is kept for the whole plan as it is", () => {
    expect(review(`${REVIEW}\nweakest point: nothing tests the page\nVERDICT: PASS plan button`).kept).toMatchObject([
      { of: "reviewer", verdict: "PASS", path: EXAMPLE_PATH, covered: 1, read: 1 },
    ]);
  });

  it("PB-72 all PASS without a weak point, or a question left out, is no review", () => {
    expect(review(`${REVIEW}\nVERDICT: PASS plan button`).decision).toBe("deny");
    expect(review(`weakest point: nothing tests the page\nVERDICT: PASS plan button`).decision).toBe("deny");
    expect(
      review(`${REVIEW}\nweakest point: the page is not tested\nVERDICT: PASS plan button`, { session: having([]) })
        .decision,
    ).toBe("deny");
  });

  it("a review of a change is another thing", () => {
    expect(review("VERDICT: PASS")).toMatchObject({ decision: "pass", kept: [] });
  });
});

it("PB-70 that pm has worked is remembered", () => {
  expect(said("Drafted.", {}, "sekisho:pm").changes).toContainEqual({ record: "proof", do: "helper", type: "pm" });
});
