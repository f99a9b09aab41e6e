/** What must have happened before the work by a plan may begin, in its order. */
import { own } from "../../lib/keyed.ts";
import { digestOf } from "../../playbook/identity.ts";
import type { PlaybookTree } from "../../state/playbooks.ts";
import type { Session } from "../../state/session/session.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";

/** Who begins it: an agent in its session, or a person, who answers for the way that led here. */
export interface Beginner {
  readonly isAgent: boolean;
  readonly running: readonly [string, Session] | undefined;
}

/** When it happened; undefined if it has not, and `words` say what to do about that. */
interface Station {
  readonly at: number | undefined;
  readonly words: string;
}

/** The first thing that is missing or came too early, with what to do about it. */
export function missingFor(
  file: PlaybookFile,
  tree: PlaybookTree | undefined,
  review: "off" | "reviewer" | "path",
  beginner: Beginner,
): string | undefined {
  const isWhole = review === "path" && beginner.isAgent;
  const stations = [
    ...(isWhole ? begun(file, beginner) : []),
    approved(file, tree, beginner),
    ...(review === "off" ? [] : [reviewed(file, tree)]),
  ];
  let last = 0;
  for (const { at, words } of stations) {
    if (at === undefined) return words;
    if (isWhole && at < last) return `${words} It came too early: do it again, in this order.`;
    last = at;
  }
  return undefined;
}

function begun({ playbook }: PlaybookFile, { running }: Beginner): readonly Station[] {
  const { skills = {}, helpers = {} } = running?.[1].proof ?? {};
  const { what, why, context } = playbook;
  const answers = { what, why, who: undefined, when: undefined, where: undefined, how: undefined, ...context };
  const open = Object.entries(answers).flatMap(([key, value]) => (value === undefined ? [key] : []));
  const drafted = own(helpers, "pm");
  return [
    {
      at: own(skills, "playbook-init"),
      words: "The skill playbook-init has not run. Run it first (Skill tool).",
    },
    {
      at: drafted,
      words: "The agent pm has not drafted the plan. Start the subagent `sekisho:pm` (Agent tool).",
    },
    {
      at: open.length === 0 ? drafted : undefined,
      words: `The plan does not say ${open.join(", ")}. Take up the skill understanding-check, and write the answers into the plan.`,
    },
  ];
}

function approved(
  { path, playbook }: PlaybookFile,
  tree: PlaybookTree | undefined,
  { isAgent, running }: Beginner,
): Station {
  const approval = own(tree?.approvals ?? {}, path);
  const isHere = !isAgent || approval?.session === undefined || approval.session === running?.[0];
  return {
    at: isHere && approval?.digest === digestOf(playbook) ? approval.at : undefined,
    words: `Nobody has approved ${nameOf(path)} as it is. Ask the person with a question whose option is \`approve ${nameOf(path)}\`.`,
  };
}

function reviewed({ path, playbook }: PlaybookFile, tree: PlaybookTree | undefined): Station {
  const verdict = own(tree?.reviews ?? {}, path);
  return {
    at: verdict?.verdict === "PASS" && verdict.plan === digestOf(playbook) ? verdict.at : undefined,
    words: `No reviewer has passed ${nameOf(path)} as it is. Start the subagent \`sekisho:reviewer\` (Agent tool) for the plan ${nameOf(path)}.`,
  };
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.md$/, "");
}
