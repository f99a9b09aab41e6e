import { describe, expect, it } from "vitest";
import type { Verdict } from "../../kernel/decide.ts";
import { EVENT_NAMES, type EventName } from "../../kernel/event.ts";
import { text } from "../../lib/text.ts";
import { context, render } from "./render.ts";

const quiet: Verdict = {
  decision: "pass",
  objections: [],
  notes: [],
  notices: [],
  changes: [],
  trace: [],
  unbound: false,
};
const objection = {
  policy: "no-x",
  what: text("It would break.", "壊れます。"),
  why: text("Broken things stay broken.", "壊れたものは戻らない。"),
  fix: text("Fix it.", "直す。"),
};
const refusing: Verdict = { ...quiet, decision: "deny", objections: [{ ...objection, decision: "deny" }] };
const asking: Verdict = { ...quiet, decision: "ask", objections: [{ ...objection, decision: "ask" }] };
const en = { language: "en", id: "abc" } as const;
const every: readonly EventName[] = [...EVENT_NAMES, "Unknown"];

describe("TS-72 every answer is valid for the host", () => {
  it("TS-72 HK-2 a pass without notes has no output and exit code 0, at every event", () => {
    for (const name of every) expect(render(name, quiet, en)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("TS-72 HK-22 stdout is empty or exactly one JSON object", () => {
    const loud: Verdict = { ...asking, notes: [text("a note", "覚書")], notices: [text("a notice", "知らせ")] };
    for (const name of every) {
      for (const verdict of [quiet, refusing, asking, loud]) {
        const { stdout } = render(name, verdict, en);
        if (stdout === "") continue;
        expect(stdout.startsWith("{") && stdout.endsWith("}")).toBe(true);
        const answer = JSON.parse(stdout) as { hookSpecificOutput?: { hookEventName: string } };
        if (answer.hookSpecificOutput) expect(answer.hookSpecificOutput.hookEventName).toBe(name);
      }
    }
  });

  it("HK-3 HK-4 HK-14 EH-30 TS-13 a refusal at a gate has exit code 2 and the reason on stderr, never 1", () => {
    for (const name of ["PreToolUse", "UserPromptSubmit", "TaskCompleted", "ConfigChange", "PreCompact"] as const) {
      const reply = render(name, refusing, en);
      expect(reply).toMatchObject({ exitCode: 2, stdout: "" });
      expect(reply.stderr).toContain("It would break.");
    }
    for (const name of every) expect([0, 2]).toContain(render(name, refusing, en).exitCode);
  });

  it("HK-6 HK-7 an ask verdict becomes permissionDecision ask", () => {
    expect(JSON.parse(render("PreToolUse", asking, en).stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: expect.stringContaining("It would break."),
      },
    });
  });

  it("HK-8 EH-32 a refused Stop becomes decision block, with the reason as the next instruction", () => {
    for (const name of ["Stop", "SubagentStop"] as const) {
      const { exitCode, stdout } = render(name, refusing, en);
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ decision: "block", reason: expect.stringContaining("Fix it.") });
    }
  });

  it("HK-10 SessionEnd cannot be refused, Stop can", () => {
    expect(render("SessionEnd", refusing, en)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(render("Stop", refusing, en).stdout).toContain('"block"');
  });

  it("PostToolBatch is never refused, because the host would end the whole turn", () => {
    expect(render("PostToolBatch", refusing, en)).toMatchObject({ exitCode: 0, stdout: "" });
  });
});

describe("the approval and changed input of a pass", () => {
  const approved: Verdict = { ...quiet, approval: text("Earned.", "信頼。") };
  const changed: Verdict = { ...quiet, input: { prompt: "x", model: "opus" } };
  const specificOf = (verdict: Verdict, name: EventName = "PreToolUse"): Record<string, unknown> => {
    const { stdout, exitCode, stderr } = render(name, verdict, en);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const answer = JSON.parse(stdout || "{}") as { hookSpecificOutput?: Record<string, unknown> };
    return answer.hookSpecificOutput ?? {};
  };

  it("HK-6 earned trust becomes permissionDecision allow with its reason", () => {
    expect(specificOf(approved)).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "Earned.",
    });
    expect(render("PreToolUse", approved, { language: "ja", id: "" }).stdout).toContain("信頼。");
  });

  it("TR-72 a changed input becomes updatedInput, and without an approval the host still prompts", () => {
    expect(specificOf(changed)).toEqual({
      hookEventName: "PreToolUse",
      updatedInput: { prompt: "x", model: "opus" },
    });
    expect(specificOf({ ...changed, ...approved })).toMatchObject({ permissionDecision: "allow" });
  });

  it("are rendered only at PreToolUse, never with an ask or a refusal", () => {
    for (const name of every.filter((each) => each !== "PreToolUse"))
      expect(specificOf({ ...approved, ...changed }, name)).toEqual({});
    const both = { approval: text("Earned.", "信頼。"), input: { a: 1 } };
    const asked = specificOf({ ...asking, ...both });
    expect(asked).toMatchObject({ permissionDecision: "ask" });
    expect(asked).not.toHaveProperty("updatedInput");
    expect(render("PreToolUse", { ...refusing, ...both }, en)).toMatchObject({ exitCode: 2, stdout: "" });
  });
});

describe("words", () => {
  it("a refusal says what, why, what to do instead, and where to see more", () => {
    expect(render("PreToolUse", refusing, en).stderr).toBe(
      "Sekisho refuses this: It would break.\nWhy: Broken things stay broken. [no-x]\nInstead: Fix it.\nFor the person: sekisho explain abc\n",
    );
  });

  it("a refusal is rendered in Japanese too", () => {
    const { stderr } = render("PreToolUse", refusing, { language: "ja", id: "abc" });
    expect(stderr).toContain("壊れます。");
    expect(stderr).toContain("代わりに: 直す。");
  });

  it("the first objection leads, and the others are listed", () => {
    const second = { ...objection, policy: "no-y", decision: "ask" as const, what: text("Another.", "ほか。") };
    const { stderr } = render("PreToolUse", { ...refusing, objections: [...refusing.objections, second] }, en);
    expect(stderr).toContain("Also: Another. [no-y]");
  });
});

describe("added context", () => {
  const noted: Verdict = { ...quiet, notes: [text("x".repeat(5_000), "x"), text("second", "二")] };
  const contextAt = (name: EventName): string | undefined => {
    const { stdout } = render(name, noted, en);
    return stdout === ""
      ? undefined
      : (JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput
          ?.additionalContext;
  };

  it("HK-12 is sent only where the host delivers it, within its budget", () => {
    expect(contextAt("PreToolUse")?.length).toBe(300);
    expect(contextAt("UserPromptSubmit")?.length).toBeLessThanOrEqual(1_500);
    for (const name of [
      "Stop",
      "SubagentStop",
      "PreCompact",
      "SessionEnd",
      "ConfigChange",
      "TaskCompleted",
      "PermissionRequest",
    ] as const) {
      expect(contextAt(name)).toBeUndefined();
    }
  });

  it("a note is cut to 400 characters, and injected characters are counted", () => {
    expect(contextAt("UserPromptSubmit")?.split("\n")[0]?.length).toBe(400);
    expect(context("UserPromptSubmit", noted, "en")).toBe(contextAt("UserPromptSubmit"));
  });

  it("HK-12 GT-53 PreCompact has no output, because the host would take it as an instruction", () => {
    const talking: Verdict = { ...quiet, notes: [text("n", "n")], notices: [text("notice", "知らせ")] };
    expect(render("PreCompact", talking, en)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("an ask and a note share one object", () => {
    const both = JSON.parse(render("PreToolUse", { ...asking, notes: [text("n", "n")] }, en).stdout) as {
      hookSpecificOutput: object;
    };
    expect(both.hookSpecificOutput).toMatchObject({ permissionDecision: "ask", additionalContext: "n" });
  });

  it("a notice becomes systemMessage, never context", () => {
    const answer = JSON.parse(
      render("SessionStart", { ...quiet, notices: [text("look here", "ここ")] }, en).stdout,
    ) as object;
    expect(answer).toEqual({ systemMessage: "sekisho: look here" });
  });
});
