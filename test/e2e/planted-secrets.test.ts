/** A part of `npm run secrets`: planted secrets are nowhere in the state directory, ordinary text stays readable. */
import { describe, expect, it } from "vitest";
import { LOOK_ALIKES } from "../../scripts/secrets/kinds.mjs";
import { openGround, plantAll, readable } from "../../scripts/secrets/plant.mjs";
import { tempDirectory } from "../temp.ts";
import { verdictOf } from "./answer.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

describe("planted secrets", () => {
  it("AU-5 cannot be read in any file below the state directory, whichever way they came", () => {
    const ground = openGround(tempDirectory("planted"), program.bundle);
    const planted = plantAll(ground, { part: 6, seed: 2 });
    expect(planted.length).toBeGreaterThan(60);
    expect(readable(ground, planted)).toEqual([]);
  });

  it("AU-5 would be found if one were readable", () => {
    const ground = openGround(tempDirectory("planted"), program.bundle);
    ground.use("Bash", { command: "echo plainAsDay9" });
    const [found] = readable(ground, [{ kind: "none", way: "command", secret: "plainAsDay9" }]);
    expect(found?.file).toContain("journal");
  });

  it("ordinary text stays readable in the audit", () => {
    const stage = openStage();
    const lines = LOOK_ALIKES.filter((_, at) => at % 4 === 0);
    for (const command of lines) stage.bash(command);
    const inputs = stage.audit().map(({ tool_input: input }) => (input as { command?: string } | null)?.command);
    expect(inputs).toEqual(lines);
  });
});

describe("no-unkept-loss", () => {
  const key = `API_TOKEN=${"Zq9".repeat(8)}\n`;

  it.each([
    ["an env file", ".env", "PORT=1\n", "rm .env", "ask"],
    ["a file with a token", "notes.txt", key, "rm notes.txt", "ask"],
    ["a directory with such a file", "conf/prod.txt", key, "rm -rf conf", "ask"],
    ["a file that is overwritten", ".env", "PORT=1\n", "cp .env.example .env", "ask"],
    ["files that match a pattern", "a.key", "x\n", "rm *.key", "ask"],
    ["an edit", ".env", "PORT=1\n", "sed -i s/1/2/ .env", "pass"],
    ["an addition", ".env", "PORT=1\n", "echo X=1 >> .env", "pass"],
    ["an ordinary file", "notes.txt", "hello\n", "rm notes.txt", "pass"],
    ["an example", ".env.example", "TOKEN=\n", "rm .env.example", "pass"],
    ["a package's own key", "node_modules/x/test.key", "x\n", "rm -rf node_modules", "pass"],
    ["a build directory that git ignores", "out/.env", "PORT=1\n", "rm -rf out", "pass"],
    ["a file that is not there", "a.txt", "hello\n", "rm -f .env", "pass"],
  ])("asks about %s only if nothing of it would remain: %s", (_, path, content, command, verdict) => {
    const stage = openStage();
    stage.write(".gitignore", "out/\n.env\n");
    stage.write(path, content);
    expect(verdictOf(stage.bash(command))).toBe(verdict);
  });

  it("passes over a file that is committed, and asks once it has changed", () => {
    const stage = openStage();
    stage.write("test.key", "x\n");
    stage.git("add", "-A");
    stage.git("commit", "--quiet", "-m", "x");
    expect(verdictOf(stage.bash("rm test.key"))).toBe("pass");
    stage.write("test.key", "another\n");
    expect(verdictOf(stage.bash("rm test.key"))).toBe("ask");
  });
});
