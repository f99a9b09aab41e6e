import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../../test/temp.ts";
import { until } from "../../../../test/until.ts";
import type { HookEvent } from "../../../kernel/event.ts";
import type { PlanFound } from "../../../kernel/facts.ts";
import { digestOf, partsOf } from "../../../playbook/identity.ts";
import { readPlaybook } from "../../../playbook/read.ts";
import type { PlanWork } from "../../../state/plan-work.ts";
import { newSession, type Session } from "../../../state/session/session.ts";
import { newState, type State } from "../../../state/state.ts";
import { planAt, planFound } from "./playbooks.ts";

const PATH = ".sekisho/playbooks/button.md";
const PLAN = "# Button\n\nWhat: a button\n\n## 1 Component\n\n- [ ] 1.1 It shows 1 label\n";

let root: string;
beforeEach(() => {
  root = tempDirectory("playbooks");
  mkdirSync(join(root, ".git"));
});

function put(text: string, path = PATH): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The plan was approved as it is in `PLAN`. */
function active(session: Partial<Session> = {}, work?: PlanWork, plan = PLAN): PlanFound["active"] {
  const playbook = readPlaybook(plan);
  const approval = { at: 1, by: "command", digest: digestOf(playbook), parts: partsOf(playbook) } as const;
  const state: State = {
    ...newState,
    sessions: { s1: { ...newSession(0), ...session } },
    playbooks: { [root]: { active: PATH, approvals: { [PATH]: approval }, ...(work && { work: { [PATH]: work } }) } },
  };
  const event = { name: "PreToolUse", session: "s1", cwd: root } as unknown as HookEvent;
  const found = planFound({ event, places: { project: root } as never, state });
  if ("unknown" in found) throw new Error(found.unknown);
  return found.active;
}

describe("an approved plan whose file is not a plan any more", () => {
  it.each([
    ["a merge conflict", () => put(PLAN.replace("## 1", "<<<<<<< HEAD\n## 1")), "broken", "conflict", 5],
    ["a conflict in the middle of a box", () => put(`${PLAN}>>>>>>> theirs\n`), "broken", "conflict", 8],
    ["half of a code block", () => put(`${PLAN}  Run:\n  \`\`\`sh\n  npm te`), "broken", "fence", 9],
    ["nothing", () => put(""), "broken", "empty", 1],
    ["only the beginning", () => put(PLAN.slice(0, 30)), "broken", "empty", 1],
    ["ten megabytes", () => put(`${PLAN}${"x".repeat(10 * 1024 * 1024)}`), "broken", "too-long", 1],
    ["a pipe", () => execFileSync("mkfifo", [join(folder(), "button.md")]), "broken", "unreadable", 1],
    ["a directory", () => mkdirSync(join(folder(), "button.md")), "broken", "unreadable", 1],
    ["a link in a circle", () => symlinkSync("button.md", join(folder(), "button.md")), "broken", "unreadable", 1],
    ["a link to a device", () => symlinkSync("/dev/zero", join(folder(), "button.md")), "broken", "unreadable", 1],
  ])("%s is told by its line", (_, make, standing, kind, line) => {
    make();
    expect(active()).toMatchObject({ standing, fault: { kind, line } });
  });

  const folder = (): string => {
    mkdirSync(join(root, dirname(PATH)), { recursive: true });
    return join(root, dirname(PATH));
  };

  it("nothing is lost: once the file is as it was, the approval counts again", () => {
    put("<<<<<<< HEAD\n");
    expect(active()?.standing).toBe("broken");
    rmSync(join(root, PATH));
    expect(active()?.standing).toBe("gone");
    put(PLAN.replace("- [ ]", "- [x]"));
    expect(active()?.standing).toBe("approved");
    put(PLAN.replace("1 label", "2 labels"));
    expect(active()).toMatchObject({ standing: "changed", changed: ["1"] });
  });
});

describe("a plan that was read before", () => {
  const old = (path = PATH) => utimesSync(join(root, path), 1000, 1000);

  it("is known again by its stamp, which has the time that no tool can set back", async () => {
    put(PLAN);
    const stamp = () => statSync(join(root, PATH)).ctimeMs;
    await until(() => Date.now() - stamp() > 1000, "the change is old enough");
    const { seen } = active() ?? {};
    expect(seen).toMatchObject({ digest: digestOf(readPlaybook(PLAN)) });
    const first = planAt(root, PATH);
    expect(planAt(root, PATH)).toBe(first);
    if (!seen) throw new Error("no stamp");
    // The same length, and the times set back as far as anybody can.
    put(PLAN.replace("1 label", "2 label"));
    old();
    expect(active({ planSeen: seen })?.standing).toBe("changed");
    expect(planAt(root, PATH)).not.toBe(first);
    put(PLAN, "other.md");
    renameSync(join(root, "other.md"), join(root, PATH));
    expect(active({ planSeen: seen })?.standing).toBe("approved");
  });

  it("the limits of its step are kept with the stamp, until the work stands otherwise", async () => {
    const [first, second] = ["Scope: src/**\nExecutor: worker", "Depends on: 1\nScope: lib/**"];
    const plan = `# Button\n\nWhat: a button\n\n## 1 A\n\n${first}\n- [ ] 1.1 It is\n\n## 2 B\n\n${second}\n- [ ] 2.1 It is\n`;
    put(plan);
    await until(() => Date.now() - statSync(join(root, PATH)).ctimeMs > 1000, "the change is old enough");
    const begun: PlanWork = { at: 1, base: "", step: "1", steps: {}, verdicts: [], judged: [] };
    const limits = { id: "1", waitsFor: [], scope: ["src/**"], named: "worker" };
    const { seen, playbook } = active({}, begun, plan) ?? {};
    expect([seen?.limits, playbook]).toEqual([limits, undefined]);
    if (!seen) throw new Error("no stamp");
    const kept = { ...seen, limits: { ...limits, scope: ["kept/**"] } };
    expect(active({ planSeen: kept }, begun, plan)?.limits?.scope).toEqual(["kept/**"]);
    expect(active({ planSeen: { ...kept, digest: "other" } }, begun, plan)?.limits?.scope).toEqual(["src/**"]);
    expect(active({ planSeen: kept }, { ...begun, step: "2" }, plan)?.limits).toEqual({
      ...{ id: "2", waitsFor: ["1"], scope: ["lib/**"], other: "1" },
    });
  });

  it("a file that changed just now is read again: two changes could have the same time", () => {
    put(PLAN);
    expect(active()?.seen).toBeUndefined();
  });
});
