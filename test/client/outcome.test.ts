/** The outcome of every tool call, as the journal has it. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, use } from "./scripted-model.ts";
import { forbidden, openStage, type Stage } from "./stage.ts";

describe("the outcome of a tool call", () => {
  /** The host reports grep's exit code 1 as a success, and the last three calls only in PostToolBatch. */
  it("is recorded as success, failure, refused or invalid", async () => {
    const stage = openStage();
    const file = join(stage.project, "hello.txt");
    await stage.session([
      bash("true", "fine"),
      bash("exit 3", "failing"),
      bash("grep nothing hello.txt", "no-match"),
      bash(forbidden, "denied"),
      use("WebFetch", { url: "https://example.invalid/", prompt: "Read it." }, "not-permitted"),
      use("Read", { file_path: file }, "read"),
      use("Edit", { file_path: file, old_string: "not in there", new_string: "x" }, "no-such-text"),
      use("Nonsense", {}, "no-such-tool"),
    ]);
    expect(
      outcomes(stage, "fine", "failing", "no-match", "denied", "not-permitted", "read", "no-such-text", "no-such-tool"),
    ).toEqual({
      fine: "success",
      failing: "failure",
      "no-match": "success",
      denied: "refused",
      "not-permitted": "refused",
      read: "success",
      "no-such-text": "invalid",
      "no-such-tool": "invalid",
    });
  });

  it.each([
    [0, "success"],
    [4, "failure"],
  ])(
    "the outcome of a background command that exits with %i is open until its notification arrives",
    async (code, outcome) => {
      const stage = openStage();
      const work = { command: `until [ -e go ]; do sleep 0.05; done; exit ${code}`, run_in_background: true };
      await stage.session([
        use("Bash", work, "work"),
        () => {
          expect(stage.call("work")).toMatchObject({ outcome: "running" });
          return bash("touch go");
        },
      ]);
      expect(stage.call("work")).toMatchObject({ outcome });
    },
  );
});

function outcomes(stage: Stage, ...calls: readonly string[]): Readonly<Record<string, string | null | undefined>> {
  return Object.fromEntries(calls.map((call) => [call, stage.call(call)?.outcome]));
}
