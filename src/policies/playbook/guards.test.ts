/** TS-50 the guards about steps: pass, refuse, each exception, through any tool. */
import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { boxPart, digestOf, digestsOf } from "../../playbook/identity.ts";
import { readPlaybook } from "../../playbook/read.ts";
import type { PlanWork } from "../../state/plan-work.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, using, write } from "../example.ts";
import { EXAMPLE_PATH, EXAMPLE_TEXT, examplePlan } from "./example-plan.ts";
import { noPlanChange } from "./no-plan-change.ts";
import { requireCritic } from "./require-critic.ts";
import { requirePlaybook } from "./require-playbook.ts";
import { requireStep } from "./require-step.ts";

const set = (more: object = {}) => ({
  ...defaultSettings,
  plan: { ...defaultSettings.plan, required: "code" as const, ...more },
});
const CODE = edit(`${PLACE}/src/a.ts`);
const playbook = readPlaybook(EXAMPLE_TEXT);
const steps = digestsOf(playbook).steps;
const work = (more: Partial<PlanWork> = {}): { readonly work: PlanWork } => ({
  work: { at: 1, base: "", steps: {}, verdicts: [], judged: [], ...more },
});
const passed = (id: string, text = EXAMPLE_TEXT) => ({
  state: "passed" as const,
  at: 2,
  attempts: 0,
  plan: digestsOf(readPlaybook(text)).steps[id] ?? "",
});

describe("TS-50 PB-44 a plan that must be reviewed", () => {
  const review = (plan: string, verdict: "PASS" | "FAIL" = "PASS") =>
    ({ at: 1, of: "reviewer", verdict, agent: "a", plan, files: "", covered: 1, read: 1, ran: 0 }) as const;
  const ruling = (more: object, of: "reviewer" | "path" = "reviewer") =>
    verdictOf(requirePlaybook, CODE, { settings: set({ review: of }), plan: examplePlan(more) });

  it("TS-52 a flag without a record, and a record for other words, are refused", () => {
    expect(ruling({ playbook: readPlaybook(`reviewed: true\n${EXAMPLE_TEXT}`) }).decision).toBe("deny");
    expect(ruling({ review: review("other words") }).decision).toBe("deny");
    expect(ruling({ review: review(digestOf(playbook), "FAIL") }).decision).toBe("deny");
    expect(ruling({ review: review(digestOf(playbook)) }).decision).toBe("pass");
  });

  it("on the whole path it must also be begun", () => {
    const { decision, objections } = ruling({ review: review(digestOf(playbook)) }, "path");
    expect(decision).toBe("deny");
    expect(objections[0]?.fix.en).toBe("Run `sekisho playbook start button`, or ask the person to.");
    expect(ruling({ review: review(digestOf(playbook)), ...work() }, "path").decision).toBe("pass");
  });
});

describe("TS-50 PB-45 steps that others depend on", () => {
  const ruling = (more: object, when = CODE, settings = set()) =>
    verdictOf(requireStep, when, { settings, plan: examplePlan(more) });

  it("PB-45 while one is open, changes for the later one are refused, through any tool", () => {
    for (const way of [CODE, write(`${PLACE}/lib/b.ts`), bash("sed -i s/a/b/ src/a.ts"), bash("cp x.ts src/b.ts")]) {
      const { decision, objections } = ruling(work({ step: "2" }), way);
      expect(decision).toBe("deny");
      expect(objections[0]?.fix.en).toContain("`sekisho playbook step 1`");
    }
    expect(ruling(work({ step: "2", steps: { 1: passed("1") } })).decision).toBe("pass");
  });

  it("PB-25 a notebook is edited like any file", () => {
    const notebook = using({ kind: "notebook", name: "NotebookEdit", path: `${PLACE}/src/a.ipynb`, source: "x" });
    expect(ruling(work({ step: "2" }), notebook as typeof CODE).decision).toBe("deny");
  });

  it("PB-45 as a setting it only warns, once", () => {
    const settings = set({ depends: "warn" });
    expect(ruling(work({ step: "2" }), CODE, settings)).toMatchObject({
      decision: "pass",
      notes: [{ en: expect.stringContaining("depends on 1") }],
    });
    const told = {
      settings,
      plan: examplePlan(work({ step: "2" })),
      session: boundSession({ shown: ["step waits 2"] }),
    };
    expect(verdictOf(requireStep, CODE, told)).toMatchObject({ decision: "pass", notes: [] });
  });

  it("a step that passed in other words is open again", () => {
    const other = { ...passed("1"), plan: "other" };
    expect(ruling(work({ step: "2", steps: { 1: other } })).decision).toBe("deny");
  });
});

describe("TS-50 PB-46 whose step it is", () => {
  const ruling = (executor: string, more: object = {}, when = CODE) =>
    verdictOf(requireStep, when, {
      settings: set(more),
      plan: examplePlan({}, EXAMPLE_TEXT.replace("Scope: src/**", `Executor: ${executor}`)),
    });

  it.each([
    ["claudecode", {}, "pass"],
    ["orchestrator", {}, "pass"],
    ["worker", {}, "pass"],
    ["worker", { stack: "B" }, "deny"],
    ["worker", { stack: "B", roles: ["worker=claudecode"] }, "pass"],
    ["reviewer", { stack: "B" }, "pass"],
    ["reviewer", { stack: "C" }, "deny"],
    ["codex", {}, "deny"],
    ["codex", { stack: "B" }, "deny"],
    ["coderabbit", { stack: "B" }, "deny"],
    ["human", {}, "deny"],
    ["user", {}, "deny"],
  ])("PB-12 PB-13 PB-14 %s with %j: %s", (executor, more, expected) => {
    expect(ruling(executor, more).decision).toBe(expected);
  });

  it("PB-46 only code is held: the agent may write documents and the plan", () => {
    expect(ruling("user", {}, edit(`${PLACE}/notes.md`)).decision).toBe("pass");
    expect(ruling("user", {}, edit(`${PLACE}/${EXAMPLE_PATH}`)).decision).toBe("pass");
    expect(ruling("codex").objections[0]?.what.en).toMatch(/toolstack A does not have/);
  });

  it("PB-14 the plan's own roles come first", () => {
    const head = "# P\n\n## meta\n\n```yaml\nmeta:\n  roles:\n    worker: codex\n```\n\n";
    const text = `${head}## 1 One\n\nExecutor: worker\n- [ ] 1.1 a\n`;
    const given: Gathered = {
      settings: set({ stack: "C", roles: ["worker=claudecode"] }),
      plan: examplePlan({}, text),
    };
    expect(verdictOf(requireStep, CODE, given).decision).toBe("deny");
  });
});

describe("TS-50 PB-49 scope", () => {
  const outside = edit(`${PLACE}/lib/a.ts`);
  it("PB-49 files outside a step's scope are asked about, or refused", () => {
    expect(verdictOf(requireStep, outside, { settings: set(), plan: examplePlan() }).decision).toBe("ask");
    expect(verdictOf(requireStep, outside, { settings: set({ scope: "deny" }), plan: examplePlan() }).decision).toBe(
      "deny",
    );
    expect(verdictOf(requireStep, CODE, { settings: set(), plan: examplePlan() }).decision).toBe("pass");
  });
});

const FILE = `${PLACE}/${EXAMPLE_PATH}`;
const onPlan = (when: Parameters<typeof verdictOf>[1], more: object = {}, settings: object = {}) =>
  verdictOf(noPlanChange, when, {
    settings: set(settings),
    plan: examplePlan(more),
    standingText: { [FILE]: { text: EXAMPLE_TEXT } },
  }).decision;

it("a step's stance only tightens: planning changes no code, auditing no file of the project", () => {
  const of = (stance: string, when: object) => {
    const plan = examplePlan({}, EXAMPLE_TEXT.replace("Scope: src/**", `Stance: ${stance}`));
    return verdictOf(requireStep, when as never, { settings: set({}), plan });
  };
  const code = edit(`${PLACE}/src/a.ts`);
  const document = edit(`${PLACE}/notes.md`);
  expect([of("planning", code), of("planning", document)].map(({ decision }) => decision)).toEqual(["deny", "pass"]);
  expect([of("auditing", code), of("auditing", document)].map(({ decision }) => decision)).toEqual(["deny", "deny"]);
  expect([of("building", code), of("unheard-of", code)].map(({ decision }) => decision)).toEqual(["pass", "pass"]);
  expect(of("Auditing", bash("sed -i s/a/b/ src/a.ts")).decision).toBe("deny");
  expect(of("auditing", bash("npm test")).decision).toBe("pass");
  expect(of("auditing", code).objections[0]?.fix.en).toContain("change its stance in the plan");
});

describe("TS-50 PB-48 marks in the plan at work", () => {
  const tick = (text: string) => text.replace("[ ] 1.1", "[x] 1.1");

  it.each([
    ["Edit", edit(FILE, "[ ] 1.1", "[x] 1.1")],
    ["Write of the whole file", write(FILE, tick(EXAMPLE_TEXT))],
    ["sed", bash(`sed -i 's/\\[ \\] 1.1/[x] 1.1/' ${EXAMPLE_PATH}`)],
    ["a heredoc", bash(`cat > ${EXAMPLE_PATH} <<'E'\n${tick(EXAMPLE_TEXT)}E`)],
    ["tee", bash(`tee ${EXAMPLE_PATH} <<'E'\n${tick(EXAMPLE_TEXT)}E`)],
  ])("PB-48 by %s, a tick without proof is refused", (_, when) => {
    expect(onPlan(when)).toBe("deny");
  });

  it("PB-48 a tick whose command passed is a record's echo", () => {
    const box = playbook.steps[0]?.subtasks[0];
    const checked = { at: 1, files: "f", passed: box ? [boxPart(box)] : [] };
    expect(onPlan(edit(FILE, "[ ] 1.1", "[x] 1.1"), { checked })).toBe("pass");
    expect(onPlan(edit(FILE, "[ ] 2.1", "[x] 2.1"), { checked })).toBe("deny");
  });

  it("PB-48 PASS, and a step that is marked done, need a critic", () => {
    const validated = "  technical: PASS - looked\n  Expected: exit 0";
    expect(onPlan(edit(FILE, "  Expected: exit 0", validated))).toBe("deny");
    expect(onPlan(edit(FILE, "## 2 Page\n", "## 2 Page\n\nStatus: done\n"))).toBe("deny");
    const done = work({ steps: { 1: passed("1"), 2: passed("2") } });
    expect(onPlan(edit(FILE, "## 2 Page\n", "## 2 Page\n\nStatus: done\n"), done)).toBe("pass");
    expect(onPlan(edit(FILE, "[ ] 1.1", "[x] 1.1"), done)).toBe("pass");
  });

  it("PB-49 what was approved may change only with a person", () => {
    for (const [was, is] of [
      ["The page has a button", "There is a page"],
      ["exports a button", "exports something"],
      ["`npm test`", "`true`"],
      ["exit 0", "exit 1"],
    ] as const) {
      expect(onPlan(edit(FILE, was, is)), was).toBe("ask");
      expect(onPlan(edit(FILE, was, is), {}, { scope: "deny" }), was).toBe("deny");
    }
    expect(onPlan(edit(FILE, "[ ] 1.1", "[-] 1.1"))).toBe("pass");
  });

  it("other files, and plans that nobody works on, are free", () => {
    expect(onPlan(edit(`${PLACE}/.sekisho/playbooks/draft.md`, "[ ] 1.1", "[x] 1.1"))).toBe("pass");
    expect(onPlan(using({ kind: "read", name: "Read", path: FILE }))).toBe("pass");
  });
});

describe("TS-50 PB-47 at the end of a turn", () => {
  const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "Done." } as const;
  const ticked = EXAMPLE_TEXT.replaceAll("[ ]", "[x]");
  const file = (isJudged: boolean) => ({ path: "src/a.ts", mark: "m", isThere: true, isJudged });
  const at = (critic: "end" | "step", more: object, text = EXAMPLE_TEXT, judged = true) =>
    verdictOf(requireCritic, stop, {
      settings: set({ critic }),
      plan: examplePlan(more, text),
      covered: { isKnown: true, files: [file(judged)] },
    });

  it("PB-47 a claim of the worker's is none: by ticks, by its command, or by the file's status", () => {
    expect(at("step", {}, ticked).decision).toBe("deny");
    expect(at("step", work({ steps: { 1: { state: "open", at: 1, attempts: 0, claimed: true } } })).decision).toBe(
      "deny",
    );
    expect(at("step", {}, EXAMPLE_TEXT.replace("Scope:", "Status: done\nScope:")).decision).toBe("deny");
    expect(at("step", {}).decision).toBe("pass");
  });

  it("PB-47 once every step has passed the turn may end, unless a file has changed since", () => {
    const both = work({ steps: { 1: passed("1"), 2: passed("2") } });
    expect(at("step", both, ticked).decision).toBe("pass");
    const { decision, objections } = at("step", both, ticked, false);
    expect(decision).toBe("deny");
    expect(objections[0]?.what.en).toBe("Not done yet: src/a.ts changed after the critic passed plan button.");
  });

  it("a short plan is judged once, at its end", () => {
    expect(at("end", {}, EXAMPLE_TEXT.replace("[ ] 1.1", "[x] 1.1")).decision).toBe("pass");
    expect(at("end", {}, ticked).decision).toBe("deny");
    const pass = { at: 1, of: "critic", verdict: "PASS", agent: "a", plan: digestOf(playbook) } as const;
    const word = { ...pass, files: "", covered: 1, read: 1, ran: 1 };
    expect(at("end", work({ verdicts: [word] }), ticked).decision).toBe("pass");
    expect(at("end", work({ verdicts: [{ ...word, plan: "other" }] }), ticked).decision).toBe("deny");
    expect(at("end", work({ verdicts: [word, { ...word, verdict: "FAIL" }] }), ticked).decision).toBe("deny");
  });

  it("PB-64 after as many FAILs as the step allows, the person is told and the turn ends", () => {
    const spent = work({ steps: { 1: { state: "open", at: 1, attempts: 5, claimed: true } } });
    const { decision, notices } = at("step", spent);
    expect(decision).toBe("pass");
    expect(notices[0]?.en).toMatch(/has failed step 1 of plan button as often as the plan allows/);
  });

  it("the steps of the example have digests", () => expect(Object.keys(steps)).toEqual(["1", "2"]));
});
