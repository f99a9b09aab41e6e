/** Compares the host's transcript with the calls that came through the gate. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, lane, use } from "./scripted-model.ts";
import { forbidden, openStage, type Session, type Stage, spokenOf } from "./stage.ts";

interface Coverage {
  readonly met: number;
  readonly waiting: number;
  readonly gaps: readonly { readonly kind: string; readonly words: string }[];
}

/** As `sekisho status` reports it, newest session first. */
function coverageIn(stage: Stage): readonly Coverage[] {
  const { sessions } = JSON.parse(stage.sekisho("status", "--json").stdout) as { sessions: { transcript: Coverage }[] };
  return sessions.map(({ transcript }) => transcript);
}

const idOf = ({ events }: Session): string => String(events.find((event) => event["session_id"])?.["session_id"]);
const heardBy = ({ requests }: Session): string => requests.map(({ body }) => body).join("\n");

describe("an ordinary session", () => {
  it("matches its transcript, including refused, invalid, background and subagent calls", async () => {
    const stage = openStage();
    const file = join(stage.project, "hello.txt");
    const errand = {
      description: "an errand",
      prompt: "You are the helper of this story.",
      subagent_type: "general-purpose",
    };
    const session = await stage.session(
      [
        { tools: [bash("sleep 0.2"), bash("exit 3"), bash("echo c"), use("Read", { file_path: file })] },
        bash(forbidden),
        use("WebFetch", { url: "https://example.invalid/", prompt: "Read it." }),
        use("Edit", { file_path: file, old_string: "not in there", new_string: "x" }),
        use("Nonsense", {}),
        use("Bash", { nothing: 3 }),
        { tools: [bash("echo broken")], breaksOffAfterMs: 300 },
        use("Bash", { command: "sleep 0.2; exit 4", run_in_background: true }),
        use("Agent", errand),
        bash("sleep 1.5"),
        { text: "The end." },
      ],
      lane(errand.prompt, bash("true"), bash("exit 2"), use("Nope", {}), { text: "Done." }),
    );
    expect(coverageIn(stage)).toEqual([{ met: 12, waiting: 0, gapCount: 0, gaps: [] }]);
    // The folder of a test run is named checkpoint-tests, and the paths of hooks contain it.
    expect(spokenOf(session).filter((words) => /checkpoint(?!-tests)/.test(words))).toEqual([]);
  });

  it("still matches after resume, fork and compaction", async () => {
    const stage = openStage();
    const first = await stage.session([bash("true"), bash("echo 2"), { text: "One." }]);
    const resume = ["--resume", idOf(first)];
    await stage.play({ flags: resume, prompt: "Go on." }, [bash("echo 3"), { text: "Two." }]);
    await stage.play({ flags: [...resume, "--fork-session"], prompt: "Fork." }, [bash("echo 4"), { text: "Three." }]);
    await stage.play({ flags: resume, prompt: "/compact" }, [{ text: "<summary>All is well.</summary>" }]);
    await stage.play({ flags: resume, prompt: "Go on." }, [bash("echo 5"), { text: "Four." }]);
    expect(coverageIn(stage)).toEqual([
      { met: 4, waiting: 0, gapCount: 0, gaps: [] },
      { met: 1, waiting: 0, gapCount: 0, gaps: [] },
    ]);
  });
});

describe("a tool call that bypassed the gate", () => {
  type Entry = { matcher?: string; hooks: unknown[] };

  /** Settings changed between two sessions, which the host reads without any notice. */
  function gatesBecome(stage: Stage, change: (gates: Entry[]) => Entry[]): void {
    const settings = JSON.parse(readFileSync(stage.settings, "utf8")) as { hooks: { PreToolUse: Entry[] } };
    settings.hooks.PreToolUse = change(settings.hooks.PreToolUse);
    writeFileSync(stage.settings, JSON.stringify(settings));
  }

  it.each([
    ["because the gate is gone", (_: Entry[]) => []],
    [
      "because something answers in its place",
      (gates: Entry[]) => gates.map((gate) => ({ ...gate, hooks: [{ type: "command", command: "echo '{}'" }] })),
    ],
  ])("%s is reported to the person, and to the agent with the next prompt", async (_, change) => {
    const stage = openStage();
    gatesBecome(stage, change);
    const session = await stage.session([bash("echo past > past.txt", "toolu_past"), { text: "Done." }]);
    expect(stage.read("past.txt")).toBe("past\n");
    const resume = { flags: ["--resume", idOf(session)], prompt: "Go on." };
    const next = await stage.play(resume, [{ text: "Yes." }]);
    expect(heardBy(next)).toContain("toolu_past) ran without passing the checkpoint");
    // At the Stop, or with the next prompt if the host wrote the transcript late.
    const shown = [...session.events, ...next.events].filter(({ subtype }) => subtype === "informational");
    expect(shown.map(({ content }) => content)).toEqual([
      expect.stringContaining("Bash toolu_past. Its hooks were off"),
    ]);
    expect(coverageIn(stage)[0]?.gaps).toMatchObject([
      { kind: "bypass", words: "1 ran past the gate: Bash toolu_past" },
    ]);
    const third = await stage.play(resume, [bash("true", "toolu_2")]);
    await stage.play(resume, [{ text: "The end." }]);
    expect(coverageIn(stage)[0]?.gaps).toHaveLength(2);
    expect(third.code).toBe(0);
  });

  it("in a subagent is found when the subagent stops, or soon after if the host writes the transcript late", async () => {
    const stage = openStage();
    // The gate covers every tool except Bash and Read.
    gatesBecome(stage, (gates) =>
      gates.map((gate, at) => (at === 0 ? { ...gate, matcher: "^(?!(Bash|Read)$)" } : gate)),
    );
    const errand = {
      description: "an errand",
      prompt: "You are the helper of this story.",
      subagent_type: "general-purpose",
    };
    await stage.session(
      [
        use("Agent", errand),
        { text: "Waiting." },
        ...Array.from({ length: 4 }, () => use("Glob", { pattern: "*.txt" })),
        { text: "The end." },
      ],
      lane(errand.prompt, bash("true", "toolu_sub"), { text: "Done." }),
    );
    expect(coverageIn(stage)[0]?.gaps).toMatchObject([
      { kind: "bypass", words: "1 ran past the gate: Bash toolu_sub" },
    ]);
    expect(stage.audit().filter(({ kind }) => kind === "gap")).toHaveLength(1);
  });
});
