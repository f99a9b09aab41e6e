/**
 * Commits the files of a step that a critic has passed, and nothing else. No program of the repository runs for it: where
 * a commit would need one (a hook, a filter, a signature), the commit is left to the agent, whose command the gate judges.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type ProgramResult, run, type Steps } from "../kernel/effect.ts";
import type { Job } from "../kernel/job.ts";
import { shellPattern } from "../lib/paths.ts";
import { inline, type Text, text } from "../lib/text.ts";
import type { CommitRecord } from "../state/record.ts";
import { checkedOutAt } from "../world/facts/branches.ts";
import { gitRun } from "../world/machine/git.ts";
import { headCommit } from "../world/machine/head-commit.ts";
import { workTreeOf } from "../world/machine/work-tree.ts";
import type { JobContext, JobResult } from "./job.ts";

type CommitJob = Extract<Job, { job: "commit-step" }>;
type Git = (...args: readonly string[]) => Steps<ProgramResult>;

const COMMIT_MS_MAX = 8_000;
/** Left for writing the answer. */
const SPEAKING_MS = 700;
const HASH_CHARS = 8;
/** No pathspec is a pattern, no clean-up runs behind it, and no identity is made up. */
const SAFE = [
  "--literal-pathspecs",
  "-c",
  "gc.auto=0",
  "-c",
  "maintenance.auto=false",
  "-c",
  "user.useConfigOnly=true",
];

export function* commitStep(job: CommitJob, context: JobContext): Steps<JobResult> {
  const git = gitIn(job.root, context);
  const problem = placeProblem(job, context) ?? (yield* settingsProblem(job, git)) ?? (yield* commit(job, git));
  const hash = problem === undefined ? headCommit(job.root).slice(0, HASH_CHARS) : undefined;
  const { plan, step, files } = job;
  const record: CommitRecord = {
    ...{ kind: "commit", session: context.question.event.session, plan, step, files: files.length },
    ...(hash !== undefined && { commit: hash }),
    ...(problem !== undefined && { problem }),
  };
  return { record, note: problem === undefined ? madeWords(job, hash ?? "") : leftWords(job, problem) };
}

function gitIn(root: string, { env, places, clock, deadline }: JobContext): Git {
  return function* (...args) {
    const timeMs = Math.min(COMMIT_MS_MAX, Math.floor(deadline - clock() - SPEAKING_MS));
    const site = { directory: root };
    const program = timeMs > 0 ? gitRun(site, [...SAFE, ...args], { env, project: places.project, timeMs }) : undefined;
    return program ? yield* run(program) : { failed: "there was no time left, or git is not installed" };
  };
}

/** Undefined if this is a place for such a commit. */
function placeProblem({ root, branch }: CommitJob, { settings }: JobContext): string | undefined {
  const here = checkedOutAt(root)?.branch;
  if (here === undefined) return "no branch is checked out";
  if (settings.branch.protect.some((pattern) => shellPattern(pattern).test(here)))
    return `${here} is a protected branch`;
  if (branch !== undefined && branch !== here) return `the plan is on ${branch}, and ${here} is checked out`;
  const hook = hookIn(join(workTreeOf(root)?.common ?? "", "hooks"));
  return hook === undefined ? undefined : `the repository has the git hook ${hook}`;
}

function hookIn(directory: string): string | undefined {
  try {
    return readdirSync(directory).find((name) => !name.endsWith(".sample") && !name.startsWith("."));
  } catch {
    return undefined;
  }
}

function* settingsProblem({ files }: CommitJob, git: Git): Steps<string | undefined> {
  const listed = textOf(yield* git("config", "--list", "-z"));
  if (listed === undefined) return "git cannot read its settings";
  const settings = listed.split("\0").map((entry) => entry.split(/\n(.*)/s, 2) as [string, string?]);
  const valuesOf = (name: string): readonly string[] =>
    settings.flatMap(([key, value = "true"]) => (key.toLowerCase() === name ? [value] : []));
  // Our own setting, which turns hooks off, is one of them.
  if (valuesOf("core.hookspath").length !== 1) return "the repository has git hooks (core.hooksPath)";
  if (!/^(?:false|no|off|0|)$/i.test(valuesOf("commit.gpgsign").at(-1) ?? "")) return "commits are signed here";
  if ([...valuesOf("user.name"), ...valuesOf("user.email")].length < 2)
    return "git knows no name and address of yours (user.name, user.email)";
  const isFiltering = settings.some(([key]) => /^filter\./i.test(key));
  return isFiltering ? yield* filterProblem(files, git) : undefined;
}

/** A filter is a program that turns the file into what is committed. */
function* filterProblem(files: readonly string[], git: Git): Steps<string | undefined> {
  const attributes = textOf(yield* git("check-attr", "-z", "filter", "--", ...files))?.split("\0");
  if (!attributes) return "git cannot tell whether files are filtered";
  // Path, attribute, value; path, attribute, value.
  const filtered = attributes.findIndex((value, at) => at % 3 === 2 && value !== "unspecified" && value !== "unset");
  return filtered < 0 ? undefined : `${inline(attributes[filtered - 2] ?? "", 80)} passes a filter of git`;
}

function* commit({ files, message, plan, step }: CommitJob, git: Git): Steps<string | undefined> {
  const added = yield* git("add", "--", ...files);
  if (!("text" in added)) return `git add failed: ${added.failed}`;
  const body = `Step ${step} of ${plan}, passed by its critic.`;
  // `--only`: what else is staged stays staged.
  const made = yield* git("commit", "--quiet", "--only", "-m", message, "-m", body, "--", ...files);
  return "text" in made ? undefined : `git commit failed: ${made.failed}`;
}

function textOf(result: ProgramResult): string | undefined {
  return "text" in result && !result.cut ? result.text : undefined;
}

function madeWords({ message, files, step }: CommitJob, hash: string): Text {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return text(
    `Sekisho committed step ${inline(step, 20)}: ${hash} "${inline(message, 80)}", ${count}. Don't commit it again.`,
    `関所がステップ ${inline(step, 20)} をコミットしました: ${hash} "${inline(message, 80)}" (${files.length} ファイル)。もう一度コミットしないでください。`,
  );
}

function leftWords({ message, step }: CommitJob, problem: string): Text {
  return text(
    `Step ${inline(step, 20)} has passed, and Sekisho did not commit it: ${problem}. Commit it yourself as "${inline(message, 80)}".`,
    `ステップ ${inline(step, 20)} は合格しましたが、関所はコミットしていません (${problem})。自分で "${inline(message, 80)}" としてコミットしてください。`,
  );
}
