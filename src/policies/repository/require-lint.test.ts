import { describe, expect, it } from "vitest";
import type { Example } from "../../kernel/policy.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { Linter } from "../../state/session/lint.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, using } from "../example.ts";
import { requireLint } from "./require-lint.ts";

type Step = Example["when"];
const done = (call = "call-1"): Step => ({ ...using(bash("").tool, "PostToolUse"), call, background: false });
const call = (when: Step, id: string): Step => ({ ...when, call: id });
const commit = bash("git commit -m x");

/** Returns what the agent is told at each step of a session. */
function walk(
  steps: readonly Step[],
  { linters = ["eslint", "ruff", "shellcheck"], mode = "warn" as Settings["lint"]["before_commit"] } = {},
): readonly string[] {
  let session: Session = boundSession();
  return steps.map((when) => {
    const settings = { ...defaultSettings, lint: { ...defaultSettings.lint, before_commit: mode } };
    const verdict = verdictOf(requireLint, when, { session, settings, linters: linters as Linter[] });
    session = verdict.changes.reduce((before, change) => reduceSession(before, change, 1), session);
    expect(verdict.decision === "pass" || mode === "ask").toBe(true);
    return [verdict.decision, ...verdict.notes.map(({ en }) => en)].join(" ");
  });
}

const last = (...args: Parameters<typeof walk>): string => walk(...args).at(-1) ?? "";

describe("a commit of files that no linter has checked", () => {
  it("PB-53 gets one note and is never blocked", () => {
    const [, first, second] = walk([edit(`${PLACE}/a.ts`), commit, commit]);
    expect(first).toContain("eslint");
    expect(second).toBe("pass");
  });

  it("PB-53 git add gets the note, and the commit after it gets none", () => {
    const [, add, after] = walk([edit(`${PLACE}/a.py`), bash("git add -A"), commit]);
    expect(add).toContain("ruff");
    expect(after).toBe("pass");
  });

  it.each([
    ["shell scripts", bash("echo x > run.sh"), "shellcheck"],
    ["a change by sed", bash("sed -i s/a/b/ a.tsx"), "eslint"],
    ["a change in the same line as an earlier step", bash("cat > b.py <<'EOF'\nx\nEOF"), "ruff"],
  ])("PB-53 %s", (_, change, linter) => expect(last([change, commit])).toContain(linter));

  it("PB-53 gets no note after a successful linter run", () => {
    for (const lint of ["npx eslint .", "npm run lint", "pre-commit run -a", "make lint", "npx biome check ."])
      expect(last([edit(`${PLACE}/a.ts`), bash(lint), done(), commit])).toBe("pass");
  });

  it("gets a note when the linter failed, still runs, or covers other files", () => {
    const change = edit(`${PLACE}/a.ts`);
    expect(last([change, bash("npx eslint ."), commit])).toContain("eslint");
    expect(last([change, bash("npx eslint ."), done("call-2"), commit])).toContain("eslint");
    expect(last([change, bash("ruff check ."), done(), commit])).toContain("eslint");
  });

  it("gets a note when a file changed after or during the linter run", () => {
    const [a, b, lint] = [edit(`${PLACE}/a.ts`), edit(`${PLACE}/b.ts`), call(bash("npx eslint ."), "l")];
    expect(last([a, lint, done("l"), b, commit])).toContain("eslint");
    expect(last([a, lint, b, done("l"), commit])).toContain("eslint");
  });

  it("PB-53 gets no note without a matching linter or without matching changes", () => {
    expect(last([edit(`${PLACE}/a.ts`), commit], { linters: ["ruff"] })).toBe("pass");
    expect(last([edit(`${PLACE}/README.md`), commit])).toBe("pass");
    expect(last([commit])).toBe("pass");
  });

  it("gets nothing when the setting is off, and a question when it is set to ask", () => {
    expect(last([edit(`${PLACE}/a.ts`), commit], { mode: "off" })).toBe("pass");
    expect(last([edit(`${PLACE}/a.ts`), commit], { mode: "ask" })).toBe("ask");
    expect(last([edit(`${PLACE}/a.ts`), bash("git add -A")], { mode: "ask" })).toContain("eslint");
  });
});
