/** A handover for people: sections with a title and lines, most important first. */
import type { Handover } from "../kernel/handover.ts";

export interface HandoverSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Leaves out unavailable and empty parts. */
export function handoverView(handover: Handover): readonly HandoverSection[] {
  const { modes = [], tasks, plans = [], written = [], user_intents: intents = [] } = handover;
  return [
    { title: "Modes", lines: modes.map(({ name, count, max, task }) => `${name} ${count}/${max}: ${task}`) },
    { title: tasks ? `Tasks (${tasks.open} open, ${tasks.done} done)` : "Tasks", lines: taskLines(tasks) },
    { title: "Errors", lines: modes.flatMap(({ name, errors }) => errors.map((error) => `${name}: ${error}`)) },
    { title: "Plans", lines: plans.map(({ path, done, total }) => `${path}: ${done}/${total} boxes`) },
    { title: "Repository", lines: repositoryLines(handover) },
    { title: "Directory", lines: placeLines(handover) },
    { title: "Written in the session", lines: written },
    { title: "Asked for", lines: intents },
  ].filter(({ lines }) => lines.length > 0);
}

function taskLines(tasks: Handover["tasks"]): readonly string[] {
  const shown = tasks?.shown ?? [];
  const rest = (tasks?.open ?? 0) - shown.length;
  return [...shown.map(({ subject, status }) => `${status}: ${subject}`), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

function repositoryLines({
  branch,
  commits = [],
  uncommitted_count: count,
  changed = [],
}: Handover): readonly string[] {
  const rest = (count ?? 0) - changed.length;
  return [
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...commits.map((commit) => `commit ${commit}`),
    ...(count === undefined ? [] : [`${count} file(s) not committed`]),
    ...changed.map((path) => `  ${path}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function placeLines({ cwd, root }: Handover): readonly string[] {
  if (cwd === undefined) return [];
  return [cwd, ...(root === undefined || root === cwd ? [] : [`work tree ${root}`])];
}
