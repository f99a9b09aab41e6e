/** The handover that a session leaves for itself before compaction: its format and validation. */

import { clip } from "../lib/text.ts";
import { MODES, type ModeName } from "../state/session/modes.ts";

/** The sources of a session that continues an earlier conversation. */
export const TAKEN_UP: readonly string[] = ["resume", "fork", "compact"];

/** Unavailable parts are omitted. The names are those in the file. */
export interface Handover {
  readonly version: 1;
  readonly session: string;
  /** In milliseconds, and as a readable timestamp. */
  readonly at: number;
  readonly timestamp: string;
  readonly trigger: string;
  readonly modes?: readonly HandedMode[];
  readonly tasks?: HandedTasks;
  readonly plans?: readonly HandedPlan[];
  readonly branch?: string;
  /** Newest first. */
  readonly commits?: readonly string[];
  readonly uncommitted_count?: number;
  /** The first uncommitted files. */
  readonly changed?: readonly string[];
  readonly cwd?: string;
  readonly root?: string;
  /** Files written by tools of the session, newest last. */
  readonly written?: readonly string[];
  /** The person's last prompts, newest last. */
  readonly user_intents?: readonly string[];
}

export interface HandedMode {
  readonly name: ModeName;
  readonly task: string;
  readonly count: number;
  readonly max: number;
  readonly errors: readonly string[];
}

export interface HandedTasks {
  readonly open: number;
  readonly done: number;
  readonly shown: readonly { readonly subject: string; readonly status: string }[];
}

export interface HandedPlan {
  readonly path: string;
  readonly done: number;
  readonly total: number;
}

/** The maximum number of items of each kind. */
export const HANDED = { commits: 5, changed: 20, errors: 3, plans: 3, written: 10, intents: 3, tasks: 10 } as const;
/** The maximum length of any text in a handover. */
export const HANDED_CHARS = 200;
const COUNT_MAX = 1_000_000;

/** Any program may have written the file, so other formats are rejected and all texts and lists are limited. */
export function handoverIn(value: unknown, session: string): Handover | undefined {
  const given = fieldsOf(value);
  const { at, timestamp } = given ?? {};
  if (given?.["version"] !== 1 || given["session"] !== session || !isTime(at, timestamp)) return undefined;
  return {
    version: 1,
    session,
    at: at as number,
    timestamp: timestamp as string,
    trigger: word(given["trigger"]) ?? "",
    ...part("modes", list(given["modes"], MODES.length, modeIn)),
    ...part("tasks", tasksIn(given["tasks"])),
    ...part("plans", list(given["plans"], HANDED.plans, planIn)),
    ...part("branch", word(given["branch"])),
    ...part("commits", list(given["commits"], HANDED.commits, word)),
    ...part("uncommitted_count", number(given["uncommitted_count"])),
    ...part("changed", list(given["changed"], HANDED.changed, word)),
    ...part("cwd", word(given["cwd"])),
    ...part("root", word(given["root"])),
    ...part("written", list(given["written"], HANDED.written, word)),
    ...part("user_intents", list(given["user_intents"], HANDED.intents, word)),
  };
}

function isTime(at: unknown, timestamp: unknown): boolean {
  const isSpelled = typeof timestamp === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(timestamp);
  return typeof at === "number" && Number.isFinite(at) && isSpelled;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function part<K extends keyof Handover>(name: K, value: Handover[K] | undefined): Pick<Handover, K> | object {
  return value === undefined ? {} : { [name]: value };
}

function word(value: unknown): string | undefined {
  return typeof value === "string" ? clip(value, HANDED_CHARS) : undefined;
}

function number(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= COUNT_MAX ? Number(value) : undefined;
}

function list<T>(value: unknown, max: number, read: (entry: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as readonly unknown[]).slice(0, max).flatMap((entry) => read(entry) ?? []);
}

function modeIn(value: unknown): HandedMode | undefined {
  const { name, task, count, max, errors } = fieldsOf(value) ?? {};
  const known = MODES.find((mode) => mode === name);
  const [times, most] = [number(count), number(max)];
  if (!known || times === undefined || most === undefined) return undefined;
  const told = list(errors, HANDED.errors, word) ?? [];
  return { name: known, task: word(task) ?? "", count: times, max: most, errors: told };
}

function tasksIn(value: unknown): HandedTasks | undefined {
  const { open, done, shown } = fieldsOf(value) ?? {};
  const [left, over] = [number(open), number(done)];
  if (left === undefined || over === undefined) return undefined;
  const tasks = list(shown, HANDED.tasks, (entry) => {
    const [subject, status] = [word(fieldsOf(entry)?.["subject"]), word(fieldsOf(entry)?.["status"])];
    return subject === undefined || status === undefined ? undefined : { subject, status };
  });
  return { open: left, done: over, shown: tasks ?? [] };
}

function planIn(value: unknown): HandedPlan | undefined {
  const given = fieldsOf(value) ?? {};
  const [path, done, total] = [word(given["path"]), number(given["done"]), number(given["total"])];
  return path === undefined || done === undefined || total === undefined ? undefined : { path, done, total };
}
