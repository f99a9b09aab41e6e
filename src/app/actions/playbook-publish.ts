/** A pull request for a finished plan, and its merge: only where a person has allowed it and asks for it. */
import { own } from "../../lib/keyed.ts";
import { shellPattern } from "../../lib/paths.ts";
import { clip } from "../../lib/text.ts";
import type { Playbook } from "../../playbook/playbook.ts";
import { workIn } from "../../state/playbooks.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";
import { run } from "../setup/run.ts";

export interface Published {
  readonly branch: string;
  /** What the program that made the pull request printed. */
  readonly request: string;
  readonly merged: boolean;
}

interface Publishing {
  readonly uncommitted: readonly string[];
  readonly publish: "pr" | "merge";
}

const TIMEOUT_MS = 120_000;
const TITLE_CHARS = 72;

export async function publishPlan(
  place: Here,
  root: string,
  { path, playbook }: PlaybookFile,
  { uncommitted, publish }: Publishing,
): Promise<Published> {
  const { settings } = place.settings;
  if (settings.plan.publish === "off" || (publish === "merge" && settings.plan.publish !== "merge"))
    throw new Problem(
      `Publishing is not allowed here: \`sekisho config set plan.publish ${publish}\` allows it. Nothing was changed.`,
    );
  if (uncommitted.length > 0)
    throw new Problem(`${uncommitted.length} file(s) are not committed: commit them first. Nothing was changed.`);
  const branch = (await told(root, "git", ["branch", "--show-current"])).trim();
  const isKept = settings.branch.protect.some((pattern) => shellPattern(pattern).test(branch));
  if (branch === "" || isKept)
    throw new Problem(`You are on ${branch || "no branch"}: a pull request needs a branch of its own.`);
  const work = workIn(own(orFail(place.store.read()).playbooks ?? {}, root), path);
  if (work?.branch !== undefined && work.branch !== branch)
    throw new Problem(`The plan was begun on ${work.branch}, and you are on ${branch}. Nothing was changed.`);
  await told(root, "git", ["push", "--set-upstream", "origin", branch]);
  const known = await run("gh", ["pr", "view", branch, "--json", "url", "--jq", ".url"], {
    cwd: root,
    timeoutMs: TIMEOUT_MS,
  });
  const request = known.code === 0 ? known.stdout : await told(root, "gh", requestOf(branch, playbook));
  if (publish === "merge") await told(root, "gh", ["pr", "merge", branch, "--merge", "--auto", "--delete-branch"]);
  return { branch, request: request.trim(), merged: publish === "merge" };
}

function requestOf(branch: string, { title, what, done, steps }: Playbook): readonly string[] {
  const body = [
    ...(what === undefined ? [] : [what, ""]),
    ...(done.length === 0 ? [] : ["Done when:", ...done.map(({ words }) => `- ${words}`), ""]),
    "Steps:",
    ...steps.map((step) => `- ${step.id} ${step.title}`),
  ];
  return ["pr", "create", "--head", branch, "--title", clip(`feat: ${title}`, TITLE_CHARS), "--body", body.join("\n")];
}

/** Its output. A program that is missing or fails ends the closing before anything was changed here. */
async function told(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr, problem } = await run(program, args, { cwd, timeoutMs: TIMEOUT_MS });
  if (code === 0) return stdout;
  const why = clip((problem ?? stderr).trim(), 300);
  throw new Problem(`\`${program} ${args.slice(0, 2).join(" ")}\` failed: ${why}\nThe plan is still at work.`);
}
