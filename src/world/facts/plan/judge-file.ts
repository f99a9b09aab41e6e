/** When a judge of the project's own was last changed. Any file among the agents may say in its head that it is the judge. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlain } from "../../../disk/plain-file.ts";
import { judgeIn } from "../../../evidence/reviewer.ts";
import type { HookEvent } from "../../../kernel/event.ts";
import type { PlanFound } from "../../../kernel/facts.ts";

const FILES_MAX = 200;
const DEPTH_MAX = 4;
const HEAD_BYTES = 4096;

/** Only agents without a plugin's name are the project's own. */
export function judgedBy(
  event: HookEvent,
  roots: readonly string[],
  folder: string | undefined,
): Pick<PlanFound, "judgeAt"> {
  if (folder === undefined) return {};
  const isCall = event.name === "PreToolUse" && event.tool.kind === "agent";
  const type = isCall ? event.tool.agentType : event.name === "SubagentStop" ? event.agent?.type : undefined;
  if (type === undefined || judgeIn(type) !== type) return {};
  const at = judgeChangedAt(
    type,
    roots.map((root) => join(root, folder)),
  );
  return at === undefined ? {} : { judgeAt: at };
}

/** The newest ctime, which no tool can set back; undefined where no file names it. */
export function judgeChangedAt(type: string, folders: readonly string[]): number | undefined {
  const files = [...new Set(folders)].flatMap((folder) => agentFiles(folder, 0)).slice(0, FILES_MAX);
  const times = files.flatMap((path) => changedAt(path, type));
  return times.length === 0 ? undefined : Math.max(...times);
}

function agentFiles(folder: string, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return [];
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return agentFiles(path, depth + 1);
      return entry.name.endsWith(".md") ? [path] : [];
    });
  } catch {
    return [];
  }
}

function changedAt(path: string, type: string): readonly number[] {
  const file = readPlain(path, HEAD_BYTES);
  const link = lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  if (!file) return [];
  // What cannot be read by us may still be read by the host.
  if ("problem" in file) return [link];
  const isNamed = path.endsWith(`/${type}.md`) || names(file.bytes.toString("utf8"), type);
  return isNamed ? [Math.max(file.changed, link)] : [];
}

/** Escapes in quotation marks could spell it too. */
function names(head: string, type: string): boolean {
  const lines = head.match(/^[ \t]*["']?name["']?[ \t]*:.*$/gim) ?? [];
  return lines.some((line) => line.includes(type) || line.includes("\\"));
}
