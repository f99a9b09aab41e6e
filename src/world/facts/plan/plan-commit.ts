/** Before `git commit`: whether the plan, the branch and what the plan says of itself fit together. */
import type { Steps } from "../../../kernel/effect.ts";
import { isUnknown, type PlanCommit, type Unknown } from "../../../kernel/facts.ts";
import { own } from "../../../lib/keyed.ts";
import { boxPart } from "../../../playbook/identity.ts";
import type { Step } from "../../../playbook/playbook.ts";
import { progressOf } from "../../../playbook/progress.ts";
import { gitCommand } from "../../../reading/operation/git-command.ts";
import { gitSite, gitVerb } from "../../../reading/operation/git-site.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { type PlaybookTree, workIn } from "../../../state/playbooks.ts";
import { asker } from "../../machine/git-asking.ts";
import { rootOf } from "../../machine/work-tree.ts";
import { checkedOutAt } from "../branches.ts";
import type { Looking } from "../looking.ts";
import { countsHere, playbookAt } from "./playbooks.ts";

type From = Pick<Looking, "event" | "operation" | "env" | "places" | "state" | "deadline" | "clock">;

const RESERVE_MS = 700;
const CLAIMS_MAX = 6;

export function* planCommit(from: From): Steps<PlanCommit | Unknown | null> {
  const { state, operation, event, places } = from;
  if (isUnknown(state)) return state;
  const invocations = operation?.shell?.invocations ?? [];
  const at = invocations.findIndex((one) => gitVerb(one) === "commit");
  const commit = invocations[at];
  if (!commit || !state.playbooks) return null;
  const { directory } = gitSite(commit, event.cwd);
  const root = rootOf(directory, places.project);
  const tree = own(state.playbooks, root);
  const approval = tree?.active === undefined ? undefined : own(tree.approvals, tree.active);
  if (!tree?.active || !approval || !countsHere(approval, event.session)) return null;
  const playbook = playbookAt(root, tree.active);
  const branch = workIn(tree, tree.active)?.branch ?? playbook?.branch;
  const current = branchBefore(invocations.slice(0, at)) ?? checkedOutAt(directory)?.branch;
  const changed = yield* changedPlans(directory, root, from);
  const claims = changed.flatMap((path) => claimedIn(tree, root, path));
  return {
    path: tree.active,
    ...(branch !== undefined && { branch }),
    ...(current !== undefined && { current }),
    claims: claims.slice(0, CLAIMS_MAX),
  };
}

/** The line itself may go to another branch first. */
function branchBefore(invocations: readonly Invocation[]): string | undefined {
  const moves = invocations.filter((one) => /^(?:switch|checkout)$/.test(gitVerb(one) ?? ""));
  const words = gitCommand(moves.at(-1)?.args ?? []).args.map(({ text }) => text);
  if (words.length === 0 || words.includes("--")) return undefined;
  const named = words.findIndex((word) => /^(?:-[bBcC]|--(?:create|force-create|orphan))$/.test(word));
  return named >= 0 ? words[named + 1] : words.find((word) => !word.startsWith("-"));
}

/** Plans that the commit may take along, as git lists them. None where git cannot tell: they are only talked about. */
function* changedPlans(directory: string, root: string, from: From): Steps<readonly string[]> {
  const { env, places, deadline, clock } = from;
  const ask = asker({ directory }, { env, project: places.project, deadline: deadline - RESERVE_MS, clock });
  const args = ["diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-relative", "HEAD"];
  const text = yield* ask([...args, "--", `${root}/.sekisho/playbooks`]);
  return (text ?? "").split("\0").filter((path) => /^\.sekisho\/playbooks\/[^/]+\.md$/.test(path));
}

/** Steps that the file calls done, while no record does. */
function claimedIn(tree: PlaybookTree, root: string, path: string): readonly string[] {
  const playbook = playbookAt(root, path);
  const passed = own(tree.checked ?? {}, path)?.passed ?? [];
  const isShown = ({ subtasks }: Step): boolean => subtasks.every((box) => passed.includes(boxPart(box)));
  const steps = playbook ? progressOf(playbook, workIn(tree, path)).steps : [];
  return steps
    .filter(({ is, step }) => is === "claimed" && !step.isFinal && !isShown(step))
    .map(({ step }) => `${path} ${step.id}`);
}
