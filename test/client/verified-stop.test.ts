/** Verification in the real host: what a turn that ends with changed code must show, and what counts. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, type ModelRequest, type Step, use } from "./scripted-model.ts";
import { openStage, type Session, type Stage } from "./stage.ts";

/** A project with one test, which checks the value in the code. */
const files = {
  "package.json": JSON.stringify({ scripts: { test: "node test.js" } }),
  "answer.js": "module.exports = 41;\n",
  "test.js": 'process.exit(require("./answer.js") === 42 ? 0 : 1);\n',
  "README.md": "# Answer\n",
};

const say = (text: string): Step => ({ text });
const write = ({ project }: Stage, name: string, content: string): Step =>
  use("Write", { file_path: join(project, name), content });
const answers = (stage: Stage, value: number): Step => write(stage, "answer.js", `module.exports = ${value};\n`);
const reads = ({ project }: Stage, name = "answer.js"): Step => use("Read", { file_path: join(project, name) });

/** The messages to the model about refused Stops, one per refusal. */
function refusals({ requests }: Session): readonly string[] {
  const last = (requests.at(-1) as ModelRequest).body;
  const said = last.split("Sekisho refuses this").slice(1);
  // The host repeats each message; the record id identifies it.
  return [...new Map(said.map((one) => [/sekisho explain (\w+)/.exec(one)?.[1], one])).values()];
}

const isVerified = ({ sekisho }: Stage): string =>
  (JSON.parse(sekisho("certificate", "--json").stdout) as { status: string }).status;

describe("the end of a turn", () => {
  it("is refused until the check passes: not run, swallowed exit code, failing, passing, then changed again", async () => {
    const stage = openStage(files);
    const trusted = () => JSON.parse(stage.sekisho("status", "test_run", "--json").stdout) as { score: number };
    let [before, fallen] = [0, 0];
    const session = await stage.session([
      reads(stage),
      answers(stage, 40),
      say("Done."),
      bash("npm test || true", "swallowed"),
      say("Done, the tests ran."),
      () => {
        before = trusted().score;
        return bash("npm test", "failing");
      },
      () => {
        fallen = trusted().score;
        return { text: "Done, tests were run." };
      },
      answers(stage, 42),
      bash("npm test", "passing"),
      say("Done: it passes."),
    ]);
    const [first, second, third, ...more] = refusals(session);
    expect(first).toContain("test has not run");
    expect(first).toContain("answer.js");
    expect(first).toContain("Run `npm test`");
    expect(second).toContain("test ran (`npm test`), but what stands behind `||` hides its exit code");
    expect(third).toContain("test did not pass (exit code 1)");
    expect(more).toEqual([]);
    // A check that fails shows what is left to do; it costs no trust.
    expect(fallen).toBe(before);
    expect(isVerified(stage)).toBe("verified");
    const certificate = JSON.parse(stage.sekisho("certificate", "--json").stdout) as {
      digest: { tree: string };
      checks: readonly { command: string; exitCode: number; tree: string; standing: string }[];
      lastStop: { verified: boolean };
    };
    stage.git("add", "--all");
    expect(certificate.digest.tree).toBe(stage.git("write-tree").trim());
    expect(certificate.checks).toMatchObject([
      { command: "npm test", exitCode: 0, standing: "passed", tree: certificate.digest.tree },
    ]);
    expect(certificate.lastStop.verified).toBe(true);

    const again = await stage.play({ flags: ["--continue"] }, [
      reads(stage),
      answers(stage, 42.5),
      say("One more thing."),
    ]);
    expect(refusals(again).at(-1)).toContain("test last ran before the newest change");
    expect(isVerified(stage)).toBe("unverified");
  });

  it("is free after conversation, reading and documents", async () => {
    const stage = openStage(files);
    const session = await stage.session([say("Hello.")]);
    expect(refusals(session)).toEqual([]);
    const reading = await stage.session([bash("cat answer.js"), reads(stage, "README.md"), say("It says 41.")]);
    expect(refusals(reading)).toEqual([]);
    const writing = await stage.session([
      reads(stage, "README.md"),
      write(stage, "README.md", "# The answer\n"),
      say("Documented."),
    ]);
    expect(refusals(writing)).toEqual([]);
  });

  it("GT-14 requires checks for code that a program wrote", async () => {
    const stage = openStage(files);
    const session = await stage.session([
      bash(`node -e 'require("fs").writeFileSync("answer." + "js", "module.exports = 7;")'`),
      say("Done."),
      say("Really."),
    ]);
    expect(refusals(session)[0]).toContain("test has not run");
  });

  it("accepts a background check once it has ended", async () => {
    const stage = openStage(files);
    const session = await stage.session([
      reads(stage),
      answers(stage, 42),
      use("Bash", { command: "npm test", description: "tests", run_in_background: true }, "behind"),
      say("The tests are running."),
      say("They have passed."),
    ]);
    expect(refusals(session)).toEqual([]);
    expect(isVerified(stage)).toBe("verified");
  });

  it("does not accept a check that was redefined in the session", async () => {
    const stage = openStage(files);
    const session = await stage.session([
      reads(stage),
      answers(stage, 1),
      reads(stage, "package.json"),
      write(stage, "package.json", JSON.stringify({ scripts: { test: "node --version" } })),
      bash("npm test"),
      say("All green."),
      say("Really."),
    ]);
    expect(refusals(session)[0]).toContain("test was redefined in this session");
    expect(isVerified(stage)).toBe("unverified");
  });

  it("is allowed after a few refusals, and recorded as unverified", async () => {
    const stage = openStage(files);
    const stubborn = Array.from({ length: 9 }, (_, at): Step[] => [bash(`ls ${at}`), say(`Done ${at}.`)]).flat();
    const session = await stage.session([reads(stage), answers(stage, 1), say("Done."), ...stubborn]);
    expect(refusals(session).length).toBeLessThanOrEqual(5);
    expect(session.code).toBe(0);
    const { lastStop } = JSON.parse(stage.sekisho("certificate", "--json").stdout) as {
      lastStop: { verified: boolean };
    };
    expect(lastStop.verified).toBe(false);
  });
});
