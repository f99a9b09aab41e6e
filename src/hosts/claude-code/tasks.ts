/** The tasks that the agent keeps in Claude Code: one small JSON file each. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { plainFile } from "../../disk/plain-file.ts";
import type { HostTasks } from "../../kernel/facts.ts";
import { inline } from "../../lib/text.ts";
import type { Looking } from "../../world/host.ts";
import { configDirectory } from "../../world/machine/places.ts";
import { layout } from "./layout.ts";

const FILES_MAX = 200;
const BYTES_MAX = 64 * 1024;
const SHOWN = 10;
const SUBJECT_CHARS = 80;

/** Unreadable files are skipped. */
export function tasksOf({ env, places }: Pick<Looking, "env" | "places">, session: string): HostTasks {
  const directory = join(configDirectory(layout, env, places.home), "tasks", session);
  const names = namesIn(directory);
  const tasks = names.slice(0, FILES_MAX).flatMap((name) => taskIn(join(directory, name)) ?? []);
  const open = tasks.filter(({ status }) => OPEN.includes(status));
  const done = tasks.filter(({ status }) => status === "completed");
  return {
    open: open.length,
    done: done.length,
    ...(names.length > FILES_MAX && { more: true as const }),
    shown: [...open.filter(isBegun), ...open.filter((task) => !isBegun(task))]
      .slice(0, SHOWN)
      .map(({ subject, status }) => ({ subject, status })),
    changedAt: Math.max(0, ...tasks.map(({ modified }) => modified)),
  };
}

const OPEN = ["pending", "in_progress"];

function isBegun({ status }: { readonly status: string }): boolean {
  return status === "in_progress";
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function taskIn(path: string) {
  const file = plainFile(path, BYTES_MAX);
  if (!file || file.cut) return undefined;
  try {
    const { status, subject } = JSON.parse(file.bytes.toString("utf8")) as Record<string, unknown>;
    if (typeof status !== "string") return undefined;
    return {
      status,
      subject: inline(typeof subject === "string" ? subject : "", SUBJECT_CHARS),
      modified: file.modified,
    };
  } catch {
    return undefined;
  }
}
