/** Tidies the agent's context files before the conversation is compacted, without losing anything. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
  writeSync,
} from "node:fs";
import { progressIn, withStamp } from "../reading/documents/context-text.ts";
import { contextRoot } from "../world/facts/context-files.ts";
import { real } from "../world/machine/work-tree.ts";

const ENTRIES_KEPT = 10;
const HEADINGS_TOLD = 3;
/** Larger than any hand-written file; larger ones are left alone. */
const FILE_BYTES_MAX = 1024 * 1024;
const ARCHIVE_BYTES_MAX = 16 * 1024 * 1024;

export interface Trimmed {
  readonly entries: number;
  readonly archived: number;
  readonly headings: readonly string[];
  readonly stamped: boolean;
  /** Files left unchanged, with the reason. */
  readonly left: readonly string[];
}

/** Undefined when there is nothing to tidy. Never throws. */
export function trimContext(cwd: string, project: string, now: number, contextDirectory: string): Trimmed | undefined {
  let directory: string;
  const none: Trimmed = { entries: 0, archived: 0, headings: [], stamped: false, left: [] };
  try {
    directory = `${contextRoot(cwd, project)}/${contextDirectory}`;
    if (!lstatSync(directory, { throwIfNoEntry: false })) return undefined;
    if (real(directory) !== directory) return { ...none, left: [`${contextDirectory}: is a link`] };
  } catch (error) {
    return { ...none, left: [`${contextDirectory}: ${wordsOf(error)}`] };
  }
  const when = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const progress = attempt("progress.md", () => trimProgress(directory, when));
  const plan = attempt("task_plan.md", () => stampPlan(`${directory}/task_plan.md`, when));
  if (!progress && !plan) return undefined;
  const left = [progress, plan].flatMap((done) => (done && "left" in done ? [done.left] : []));
  return {
    ...none,
    ...(progress && "entries" in progress && progress),
    stamped: plan !== undefined && "stamped" in plan,
    left,
  };
}

/** A failure on one file must not stop the other one or the host. */
function attempt<T>(name: string, work: () => T): T | { readonly left: string } {
  try {
    return work();
  } catch (error) {
    return { left: `${name}: ${wordsOf(error)}` };
  }
}

function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ELOOP" ? "is a link" : (code ?? message);
}

/** Archives before it truncates: a crash in between leaves entries twice, never lost. */
function trimProgress(directory: string, when: string): Pick<Trimmed, "entries" | "archived" | "headings"> | undefined {
  const path = `${directory}/progress.md`;
  const file = readWhole(path);
  if (!file) return undefined;
  const { head, entries } = progressIn(file.text);
  const [kept, old] = [entries.slice(0, ENTRIES_KEPT), entries.slice(ENTRIES_KEPT)];
  if (old.length > 0) {
    archive(`${directory}/progress-archive.md`, `<!-- from progress.md, ${when} -->\n${textOf(old)}`);
    replace(path, `${head}${textOf(kept)}`, file.stat);
  }
  // The file is handled as latin1, so that invalid UTF-8 is preserved; headings are decoded as UTF-8 for display.
  const headings = kept.slice(0, HEADINGS_TOLD).map(({ heading }) => Buffer.from(heading, "latin1").toString("utf8"));
  return { entries: entries.length, archived: old.length, headings };
}

function textOf(entries: readonly { readonly text: string }[]): string {
  return entries.map(({ text }) => text).join("");
}

function stampPlan(path: string, when: string): { readonly stamped: true } | undefined {
  const file = readWhole(path);
  if (!file) return undefined;
  replace(path, withStamp(file.text, when), file.stat);
  return { stamped: true };
}

interface Whole {
  readonly text: string;
  readonly stat: Stats;
}

/** Follows no link and never blocks on a pipe. Undefined when there is no such file. */
function readWhole(path: string): Whole | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("is no ordinary file");
    if (stat.size > FILE_BYTES_MAX) throw new Error("is too large");
    return { text: readFileSync(fd, "latin1"), stat };
  } finally {
    closeSync(fd);
  }
}

/** Atomic. If another process changed the file meanwhile, its version stays. */
function replace(path: string, text: string, before: Stats): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { encoding: "latin1", mode: before.mode & 0o777, flag: "wx", flush: true });
    const now = lstatSync(path);
    const isSame = now.ino === before.ino && now.size === before.size && now.mtimeMs === before.mtimeMs;
    if (!isSame) throw new Error("was changed meanwhile");
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function archive(path: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
  try {
    const stat = fstatSync(fd);
    // A file with a second hard link may belong to something else.
    if (!stat.isFile() || stat.nlink !== 1) throw new Error("the archive is no ordinary file");
    if (stat.size > ARCHIVE_BYTES_MAX) throw new Error("the archive is too large");
    const bytes = Buffer.from(`${stat.size === 0 ? "# Progress, older entries\n" : ""}\n${text}`, "latin1");
    if (writeSync(fd, bytes) !== bytes.length) throw new Error("the archive could not be written whole");
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
