/** The state of the work as a Markdown file: sections, each with one block of YAML. A view; nothing is read back from it. */
import { own } from "../lib/keyed.ts";
import { baseName } from "../lib/paths.ts";
import { inline } from "../lib/text.ts";
import type { PlanWork } from "../state/plan-work.ts";
import type { PlaybookTree } from "../state/playbooks.ts";
import type { Session } from "../state/session/session.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { State } from "../state/state.ts";
import { rolesOf } from "./executors.ts";
import { digestOf } from "./identity.ts";
import type { Playbook } from "./playbook.ts";
import { isDone, progressOf } from "./progress.ts";

type Value = string | boolean | null | readonly string[] | Readonly<Record<string, string>>;

export type StateSections = Readonly<Record<SectionName, Readonly<Record<string, Value>>>>;

const SECTIONS = ["focus", "playbook", "goal", "session", "config"] as const;
type SectionName = (typeof SECTIONS)[number];

export const STATE_FILE = "state.md";

interface Standing {
  readonly root: string;
  readonly state: Pick<State, "playbooks" | "sessions">;
  readonly settings: Settings;
  /** The plan that is worked on, where it can be read. */
  readonly playbook: Playbook | undefined;
}

export function stateSections({ root, state, settings, playbook }: Standing): StateSections {
  const tree = own(state.playbooks ?? {}, root) ?? { approvals: {} };
  const { active = "" } = tree;
  const begun = own(tree.work ?? {}, active);
  return {
    focus: { current: active === "" ? null : baseName(active).replace(/\.md$/, "") },
    playbook: {
      active: active === "" ? null : active,
      branch: begun?.branch ?? playbook?.branch ?? null,
      last_archived: tree.lastClosed?.path ?? null,
      review_pending: settings.plan.review !== "off" && active !== "" && !isReviewed(tree, active, playbook),
    },
    goal: goalOf(playbook, begun),
    session: timesIn(Object.values(state.sessions)),
    config: {
      security: settings.security === "user" ? "strict" : settings.security,
      toolstack: settings.plan.stack,
      roles: rolesOf(settings.plan),
    },
  };
}

function isReviewed({ reviews = {} }: PlaybookTree, active: string, playbook: Playbook | undefined): boolean {
  const review = own(reviews, active);
  return playbook !== undefined && review?.verdict === "PASS" && review.plan === digestOf(playbook);
}

function goalOf(playbook: Playbook | undefined, work: PlanWork | undefined): StateSections["goal"] {
  const progress = playbook && progressOf(playbook, work);
  const current = progress?.current?.step;
  const open = current?.subtasks.filter(({ mark }) => mark !== "done") ?? [];
  return {
    milestone: playbook?.title ?? null,
    phase: current?.id ?? null,
    done_criteria: open.map(({ criterion }) => criterion),
    note: null,
    self_complete: progress?.steps.every((one) => one.step.isFinal || isDone(one)) ?? false,
  };
}

function timesIn(sessions: readonly Session[]): StateSections["session"] {
  const last = (times: readonly number[]): string | null =>
    times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
  return {
    last_start: last(sessions.map(({ startedAt }) => startedAt)),
    last_end: last(sessions.flatMap(({ endedAt }) => endedAt ?? [])),
  };
}

/** By its first line it is known as ours, so that nothing else is ever overwritten. */
export const STATE_MARK = "<!-- Written by Sekisho, for reading only: changes here count for nothing. -->";

export function stateText(sections: StateSections): string {
  const blocks = SECTIONS.map((name) => `## ${name}\n\n\`\`\`yaml\n${yamlIn(sections[name])}\n\`\`\`\n`);
  return `${STATE_MARK}\n\n# State\n\n${blocks.join("\n")}`;
}

/** What JSON calls a string or a list, YAML calls the same. */
function yamlIn(section: Readonly<Record<string, Value>>): string {
  return Object.entries(section)
    .map(([key, value]) => `${key}: ${JSON.stringify(plain(value))}`)
    .join("\n");
}

/** A line of a plan must not end the block or reach a terminal with control characters. */
function plain(value: Value): unknown {
  if (typeof value === "string") return inline(value, 300);
  return Array.isArray(value) ? value.slice(0, 20).map((one) => inline(one, 300)) : value;
}
