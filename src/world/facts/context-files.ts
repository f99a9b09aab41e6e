/**
 * The files in which an agent keeps its context: which exist, how many entries, when modified. Their content is never
 * used.
 */
import { statSync } from "node:fs";
import { plainFile } from "../../disk/plain-file.ts";
import type { ContextFile, Places } from "../../kernel/facts.ts";
import { progressIn } from "../../reading/documents/context-text.ts";
import { TOPICS } from "../../reading/documents/learnings.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { LookingHost } from "../host.ts";
import { projectRoot } from "../machine/project.ts";
import { real, workTreeOf } from "../machine/work-tree.ts";

/** Entries beyond this size are not counted. */
const COUNTED_BYTES_MAX = 256 * 1024;

interface Looking {
  readonly host: Pick<LookingHost, "traits" | "globalLearnings">;
  readonly event: { readonly cwd: string };
  readonly places: Pick<Places, "project" | "home">;
  readonly settings: Pick<Settings, "context">;
}

export function contextFiles({ host, event, places, settings }: Looking): readonly ContextFile[] {
  const root = contextRoot(event.cwd, places.project);
  const ours = (file: string): readonly [string, string] => {
    const name = `${host.traits.contextDirectory}/${file}`;
    return [name, `${root}/${name}`];
  };
  const everywhere = settings.context.global_learnings || host.globalLearnings;
  return [
    ...look(...ours("task_plan.md")),
    ...look(...ours("progress.md")).map((file) => ({ ...file, ...countIn(ours("progress.md")[1]) })),
    ...look(...ours("learnings.md")),
    ...TOPICS.flatMap((topic) => look(...ours(`learnings-${topic}.md`)).map((file) => ({ ...file, topic }))),
    ...look(everywhere, everywhere.replace(/^~(?=\/)/, places.home)),
  ];
}

/** Another work tree of the same project has its own context files; any other directory uses the project's. */
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
    // The path exists but cannot be examined: a link loop or an unreadable directory.
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? [] : [{ name }];
  }
}

/** A file's timestamp may be out of range for a `Date`. */
function minute(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "?" : `${date.toISOString().slice(0, 16)}Z`;
}

/** Without a count when the file cannot be read. */
function countIn(path: string): Pick<ContextFile, "entries" | "more"> {
  const file = plainFile(path, COUNTED_BYTES_MAX);
  if (!file) return {};
  const { entries } = progressIn(file.bytes.toString("latin1"));
  return { entries: entries.length, ...(file.bytes.length === COUNTED_BYTES_MAX && { more: true as const }) };
}
