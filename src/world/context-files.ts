/** The files in which an agent keeps its thread: which are there, how many entries, since when. Never what they say. */
import { statSync } from "node:fs";
import { progressIn } from "../kernel/context-text.ts";
import type { ContextFile, Places } from "../kernel/facts.ts";
import { TOPICS } from "../kernel/learnings.ts";
import type { Settings } from "../state/settings.ts";
import { plainFile } from "./plain-file.ts";
import { projectRoot } from "./project.ts";
import { real, workTreeOf } from "./work-tree.ts";

/** Counted as far as this; nobody reads more of it either. */
const COUNTED_BYTES_MAX = 256 * 1024;

export const CONTEXT_DIRECTORY = ".claude/context";

interface Looking {
  readonly event: { readonly cwd: string };
  readonly places: Pick<Places, "project" | "home">;
  readonly settings: Pick<Settings, "context">;
}

export function contextFiles({ event, places, settings }: Looking): readonly ContextFile[] {
  const root = contextRoot(event.cwd, places.project);
  const ours = (file: string): readonly [string, string] => {
    const name = `${CONTEXT_DIRECTORY}/${file}`;
    return [name, `${root}/${name}`];
  };
  const everywhere = settings.context.global_learnings;
  return [
    ...look(...ours("task_plan.md")),
    ...look(...ours("progress.md")).map((file) => ({ ...file, ...countIn(ours("progress.md")[1]) })),
    ...look(...ours("learnings.md")),
    ...TOPICS.flatMap((topic) => look(...ours(`learnings-${topic}.md`)).map((file) => ({ ...file, topic }))),
    ...look(everywhere, everywhere.replace(/^~(?=\/)/, places.home)),
  ];
}

/** Another work tree of the same project has files of its own; whatever else an agent stands in has not. */
export function contextRoot(cwd: string, project: string): string {
  if (cwd === "" || cwd === project) return project;
  const root = workTreeOf(real(cwd))?.root;
  return root !== undefined && projectRoot(root) === project ? root : project;
}

function look(name: string, path: string): readonly ContextFile[] {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ name, modified: minute(stat.mtimeMs) }] : [];
  } catch (error) {
    // Something is there that we may not look at: a circle of links, a directory that is closed.
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? [] : [{ name }];
  }
}

/** A file's date may be any number at all. */
function minute(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "?" : `${date.toISOString().slice(0, 16)}Z`;
}

/** That it is there is known; where it cannot be read, how many entries it has is not said. */
function countIn(path: string): Pick<ContextFile, "entries" | "more"> {
  const file = plainFile(path, COUNTED_BYTES_MAX);
  if (!file) return {};
  const { entries } = progressIn(file.bytes.toString("latin1"));
  return { entries: entries.length, ...(file.bytes.length === COUNTED_BYTES_MAX && { more: true as const }) };
}
