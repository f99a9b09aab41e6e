import { type CheckResult, type Progress, type Verified, verifyHere } from "../app/actions/verify.ts";
import { agentHere } from "../app/admission.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords } from "./print.ts";

export const verify = defineCommand({
  name: "verify",
  summary: "Runs the checks whose proof is missing or out of date, and records how they ended.",
  options: {
    force: { type: "boolean", about: "run all of them, also those whose proof still stands" },
    ...jsonOption,
  },
  examples: ["sekisho verify", "sekisho verify --force", "sekisho verify --json"],
  door: () => (agentHere() === undefined ? { verb: "verify", need: "signature" } : undefined),
  async run({ force = false, json = false }, _, person) {
    const showing = json ? ({ output: "none" } as const) : ({ output: "inherit", progress: PROGRESS } as const);
    const verified = await verifyHere({ force, ...showing }, person);
    const { root, results, isGood, how } = verified;
    if (json) sayJson({ root, verified: isGood, recorded: how === "recorded", checks: results });
    else print(verified);
    return isGood ? 0 : 2;
  },
});

const PROGRESS: Progress = {
  begins({ name, command }, { at, of, isCached }) {
    say(`${paint.bold(`[${at}/${of}] ${name}`)}  ${isCached ? paint.dim("its proof still stands") : command}`);
  },
  ends: (result) => say(resultLine(result)),
};

function resultLine({ outcome, exitCode, ms }: CheckResult): string {
  const time = paint.dim(`${(ms / 1000).toFixed(1)} s`);
  if (outcome === "passed") return `${paint.green("✔ passed")}  ${time}`;
  if (outcome === "changed") return `${paint.yellow("✘ files changed while it ran: run it again")}  ${time}`;
  const how = exitCode === null ? "ended by a signal" : `exit code ${exitCode}`;
  const why = exitCode === NOT_FOUND ? `${how}: a program was not found` : how;
  return `${paint.red(`✘ did not pass (${why})`)}  ${time}`;
}

function print({ results, how }: Verified): void {
  const failed = results.filter(({ outcome }) => outcome !== "passed").map(({ check }) => check);
  say();
  if (failed.length > 0) {
    sayWords(`${paint.red("Not verified")}: ${failed.join(", ")}.`);
    printSetting(results.filter(({ exitCode }) => exitCode === NOT_FOUND));
  } else if (how === "unsigned")
    sayWords(
      "All checks passed. Nothing was recorded: that needs your passphrase, and there is no terminal to ask on.",
    );
  else if (how === "agent")
    sayWords("All checks passed. In an agent's shell they count by the hook that saw this command end.");
  else sayWords(`${paint.green("Verified.")} \`sekisho certificate\` shows it.`);
}

/** The exit code of a shell that cannot find the command. */
const NOT_FOUND = 127;

function printSetting(lost: readonly CheckResult[]): void {
  if (lost.length === 0) return;
  sayWords("Where they are run by other commands, say so:");
  say(`  sekisho config set verify.commands '${lost.map(({ check }) => `${check}=COMMAND`).join(",")}'`);
}
