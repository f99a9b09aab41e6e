/** Failures of Sekisho itself: changes are blocked, reading goes on. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, use } from "./scripted-model.ts";
import { laneOfRun, openStage, type Stage } from "./stage.ts";

const damages: readonly (readonly [string, RegExp, (stage: Stage) => void])[] = [
  ["throws", /failed; blocking/, ({ program }) => writeFileSync(program, 'throw new Error("broken");\n')],
  ["is not a program", /failed; blocking/, ({ program }) => writeFileSync(program, "this is no program\n")],
  ["is gone", /failed; blocking/, ({ program }) => rmSync(program)],
  ["has lost its other half", /Sekisho is broken/, loseHalf],
  ["never answers", /timed out; blocking/, hang],
];

function loseHalf({ program }: Stage): void {
  rmSync(join(dirname(program), "hook.cjs"));
}

/** On the fast lane the program is in memory; gatehouse.test.ts covers that. */
describe.runIf(laneOfRun() === "plain")("when the Sekisho program", () => {
  it.each(damages)("%s, changes are blocked and reading works", async (_, words, damage) => {
    const stage = openStage();
    const file = join(stage.project, "hello.txt");
    damage(stage);
    const session = await stage.session([
      use("Read", { file_path: file }, "read"),
      {
        tools: [
          bash("echo made > made.txt", "command"),
          use("Write", { file_path: join(stage.project, "new.txt"), content: "new\n" }, "write"),
          use("Edit", { file_path: file, old_string: "world", new_string: "there" }, "edit"),
        ],
      },
    ]);
    expect(session.told("read")).toContain("world");
    for (const call of ["command", "write", "edit"]) expect(session.told(call)).toMatch(words);
    expect(stage.read("made.txt")).toBeUndefined();
    expect(stage.read("new.txt")).toBeUndefined();
    expect(stage.read("hello.txt")).toBe("hello\nworld\n");
  });
});

/** Shortens the host's timeout, so that the test does not wait for the real one. */
function hang({ program, settings }: Stage): void {
  writeFileSync(program, "for (;;);\n");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/"timeout": \d+/g, '"timeout": 0.1'));
}
