import { once } from "node:events";
import { keepAction } from "../app/actions/action.ts";
import { agentHere } from "../app/admission.ts";
import type { Person } from "../app/person.ts";
import type { Here } from "../app/project.ts";
import { digestNow, startCheck, workHere } from "../app/queries/work.ts";
import type { Check } from "../evidence/checks/check.ts";
import type { CheckedTree } from "../evidence/tree.ts";
import { standingsOf } from "../evidence/verification.ts";
import type { Change } from "../state/change.ts";
import type { CheckOutcome } from "../state/session/checks.ts";
import { defineCommand, jsonOption } from "./command.ts";

import { CommandError, paint, say, sayJson, sayWords } from "./print.ts";

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
    const { here, tree, known } = workHere();
    const checks = tree.checks.filter(({ name }) => known.verify.require.includes(name));
    if (checks.length === 0) throw new CommandError(NO_CHECKS);
    // An agent's run counts through its hooks, which see the typed command line; only a person's runs are recorded
    // here.
    const isAgent = agentHere() !== undefined;
    const isKept = !isAgent && (person.sign !== undefined || here.key.key === undefined);
    const standings = force || isAgent ? [] : standingsOf(tree, known);
    const standing = new Set(standings.filter((one) => one.standing === "passed").map(({ check }) => check));
    const results = await runAll(checks, standing, tree, here, { json, person: isKept ? person : undefined });
    const isGood = results.every(({ outcome }) => outcome === "passed");
    if (json) sayJson({ root: tree.root, verified: isGood, recorded: isKept, checks: results.map(shown) });
    else tell(results, isAgent ? "agent" : isKept ? "kept" : "unsigned");
    return isGood ? 0 : 2;
  },
});

interface Recording {
  readonly json: boolean;
  /** Undefined: nothing is recorded. */
  readonly person: Person | undefined;
}

async function runAll(
  checks: readonly Check[],
  standing: ReadonlySet<string>,
  tree: CheckedTree,
  here: Here,
  recording: Recording,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const isCached = standing.has(check.name);
    if (!recording.json) say(headLine(check, results.length + 1, checks.length, isCached));
    results.push(isCached ? cached(check, tree) : await runAnew(check, tree, here, recording));
  }
  return results;
}

async function runAnew(check: Check, tree: CheckedTree, here: Here, { json, person }: Recording): Promise<Result> {
  const result = await runCheck(check, tree, here, json);
  if (!json) say(resultLine(result));
  if (person) keep(here, tree, check, result, person);
  return result;
}

function headLine({ name, command }: Check, at: number, of: number, isCached: boolean): string {
  return `${paint.bold(`[${at}/${of}] ${name}`)}  ${isCached ? paint.dim("its proof still stands") : command}`;
}

interface Result {
  readonly check: Check["name"];
  readonly command: string;
  readonly outcome: CheckOutcome;
  readonly cached: boolean;
  readonly exitCode: number | null;
  readonly startedAt: number;
  readonly ms: number;
  readonly digest: CheckedTree["digest"];
}

/** The recorded result is for the current files, otherwise it would not count. */
function cached({ name, command }: Check, { digest }: CheckedTree): Result {
  return { check: name, command, outcome: "passed", cached: true, exitCode: 0, startedAt: 0, ms: 0, digest };
}

async function runCheck(check: Check, { root }: CheckedTree, here: Here, quiet: boolean): Promise<Result> {
  const before = digestNow(here, root);
  const startedAt = Date.now();
  const child = startCheck(check.command, root, quiet ? "pipe" : "inherit");
  // Drain the output, so that the child never blocks on a full pipe.
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const digest = digestNow(here, root);
  const exitCode = signal === null ? code : null;
  const hasChanged = "files" in before && "files" in digest && before.files !== digest.files;
  const outcome = exitCode !== 0 ? "failed" : hasChanged ? "changed" : "passed";
  return {
    check: check.name,
    command: check.command,
    outcome,
    cached: false,
    exitCode,
    startedAt,
    ms: Date.now() - startedAt,
    digest,
  };
}

function keep(here: Here, { root, definitions }: CheckedTree, check: Check, result: Result, person: Person): void {
  const { digest, exitCode, startedAt, outcome } = result;
  const seen = digest && "tree" in digest ? { tree: digest.tree, files: digest.files } : { tree: "", files: "" };
  const definition = definitions[check.name];
  const changes: readonly Change[] = [
    // A person ran this command, so its definition becomes the accepted one.
    { record: "check", do: "define", root, definitions },
    {
      record: "check",
      do: "end",
      root,
      startedAt,
      ...seen,
      ...(exitCode !== null && { exitCode }),
      runs: [{ check: check.name, command: check.command.slice(0, 120), outcome, ...(definition && { definition }) }],
    },
  ];
  keepAction(here.store, { action: "verify", detail: `${check.name}: ${outcome}`, changes }, Date.now(), person);
}

function resultLine({ outcome, exitCode, ms }: Result): string {
  const time = paint.dim(`${(ms / 1000).toFixed(1)} s`);
  if (outcome === "passed") return `${paint.green("✔ passed")}  ${time}`;
  if (outcome === "changed") return `${paint.yellow("✘ files changed while it ran: run it again")}  ${time}`;
  const how = exitCode === null ? "ended by a signal" : `exit code ${exitCode}`;
  const why = exitCode === NOT_FOUND ? `${how}: a program was not found` : how;
  return `${paint.red(`✘ did not pass (${why})`)}  ${time}`;
}

function tell(results: readonly Result[], how: "agent" | "kept" | "unsigned"): void {
  const failed = results.filter(({ outcome }) => outcome !== "passed").map(({ check }) => check);
  say();
  if (failed.length > 0) {
    sayWords(`${paint.red("Not verified")}: ${failed.join(", ")}.`);
    const lost = results.filter(({ exitCode }) => exitCode === NOT_FOUND);
    if (lost.length > 0) tellSetting(lost);
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

function tellSetting(lost: readonly Result[]): void {
  sayWords("Where they are run by other commands, say so:");
  say(`  sekisho config set verify.commands '${lost.map(({ check }) => `${check}=COMMAND`).join(",")}'`);
}

function shown({ digest, startedAt, ...result }: Result): object {
  return { ...result, files: digest && "files" in digest ? digest.files : null };
}

const NO_CHECKS =
  "No check of this project is known: neither a script, a makefile nor a manifest names one that `verify.require` asks for.\n" +
  'Name them in .sekisho/config.yaml, for example:\n  verify:\n    commands: ["test=make check"]';
