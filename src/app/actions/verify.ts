/** Runs the checks of the current work tree, and records how they ended where a person ran them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Check } from "../../evidence/checks/check.ts";
import type { CheckedTree } from "../../evidence/tree.ts";
import { standingsOf } from "../../evidence/verification.ts";
import type { Change } from "../../state/change.ts";
import type { CheckOutcome } from "../../state/session/checks.ts";
import { agentHere } from "../admission.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { digestNow, workHere } from "../queries/work.ts";
import { keepAction } from "./action.ts";

export interface CheckResult {
  readonly check: Check["name"];
  readonly command: string;
  readonly outcome: CheckOutcome;
  /** Its proof still stood, so it was not run. */
  readonly cached: boolean;
  readonly exitCode: number | null;
  readonly ms: number;
  /** The digest of the files, if it could be had. */
  readonly files: string | null;
}

export interface Verified {
  readonly root: string;
  readonly results: readonly CheckResult[];
  readonly isGood: boolean;
  /** `agent`: its hooks see the command end, and that counts. `unsigned`: recording it needs the passphrase. */
  readonly how: "recorded" | "agent" | "unsigned";
}

/** Hears of each check when it begins and when it has run. */
export interface Progress {
  begins(check: Check, place: { readonly at: number; readonly of: number; readonly isCached: boolean }): void;
  ends(result: CheckResult): void;
}

export interface Verifying {
  /** Also those whose proof still stands. */
  readonly force: boolean;
  /** Where the output of the checks goes: to this process's own, or nowhere. */
  readonly output: "inherit" | "none";
  readonly progress?: Progress;
}

export async function verifyHere({ force, output, progress }: Verifying, person: Person): Promise<Verified> {
  const { here, tree, known } = workHere();
  const checks = tree.checks.filter(({ name }) => known.verify.require.includes(name));
  if (checks.length === 0) throw new Problem(NO_CHECKS);
  // An agent's run counts through its hooks, which see the typed command line; only a person's runs are recorded here.
  const isAgent = agentHere() !== undefined;
  const isKept = !isAgent && (person.sign !== undefined || here.key.key === undefined);
  const standings = force || isAgent ? [] : standingsOf(tree, known);
  const standing = new Set(standings.filter((one) => one.standing === "passed").map(({ check }) => check));
  const results: CheckResult[] = [];
  for (const check of checks) {
    const isCached = standing.has(check.name);
    progress?.begins(check, { at: results.length + 1, of: checks.length, isCached });
    if (isCached) {
      results.push(cached(check, tree));
      continue;
    }
    const ran = await runCheck(check, tree, here, output);
    progress?.ends(ran.result);
    if (isKept) keep(here, tree, check, ran, person);
    results.push(ran.result);
  }
  const isGood = results.every(({ outcome }) => outcome === "passed");
  return { root: tree.root, results, isGood, how: isAgent ? "agent" : isKept ? "recorded" : "unsigned" };
}

/** The recorded result is for the current files, otherwise it would not count. */
function cached({ name, command }: Check, { digest }: CheckedTree): CheckResult {
  return { check: name, command, outcome: "passed", cached: true, exitCode: 0, ms: 0, files: filesIn(digest) };
}

function filesIn(digest: CheckedTree["digest"]): string | null {
  return digest && "files" in digest ? digest.files : null;
}

interface Ran {
  readonly result: CheckResult;
  readonly startedAt: number;
  readonly digest: NonNullable<CheckedTree["digest"]>;
}

/** Runs the command in a shell, like a person would. */
async function runCheck(
  { name, command }: Check,
  { root }: CheckedTree,
  here: Here,
  output: Verifying["output"],
): Promise<Ran> {
  const before = digestNow(here, root);
  const startedAt = Date.now();
  const sink = output === "inherit" ? "inherit" : "pipe";
  const child = spawn("/bin/sh", ["-c", command], { cwd: root, stdio: ["ignore", sink, sink] });
  // Drain the output, so that the child never blocks on a full pipe.
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const digest = digestNow(here, root);
  const exitCode = signal === null ? code : null;
  const hasChanged = "files" in before && "files" in digest && before.files !== digest.files;
  const outcome = exitCode !== 0 ? "failed" : hasChanged ? "changed" : "passed";
  const ms = Date.now() - startedAt;
  const result = { check: name, command, outcome, cached: false, exitCode, ms, files: filesIn(digest) } as const;
  return { result, startedAt, digest };
}

function keep(
  here: Here,
  { root, definitions }: CheckedTree,
  check: Check,
  { result: { exitCode, outcome }, startedAt, digest }: Ran,
  person: Person,
): void {
  const seen = "tree" in digest ? { tree: digest.tree, files: digest.files } : { tree: "", files: "" };
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

const NO_CHECKS =
  "No check of this project is known: neither a script, a makefile nor a manifest names one that `verify.require` asks for.\n" +
  'Name them in .sekisho/config.yaml, for example:\n  verify:\n    commands: ["test=make check"]';
