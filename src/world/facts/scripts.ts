/** The scripts a command would run: their text is part of its effects. Loaded on demand, in `shell.cjs`. */
import { plainFile } from "../../disk/plain-file.ts";
import type { Script } from "../../kernel/facts.ts";
import { absolute, within } from "../../lib/paths.ts";
import { isAimedUnread, numberFiles } from "../../reading/operation/aimed.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { numbersOperation, readScript } from "../../reading/scripts/reading.ts";
import { type ScriptRun, scriptRuns } from "../../reading/scripts/run.ts";
import { isMadeHere, sourcesOf } from "../../reading/scripts/sources.ts";
import type { Session } from "../../state/session/session.ts";
import { trueName } from "../machine/places.ts";

const FILES_MAX = 4;
const BYTES_MAX = 64 * 1024;
/** A script may start a script that starts another one. */
const DEPTH_MAX = 2;
const NUMBERS_BYTES_MAX = 4096;
/** Further scripts are not looked at, not even for their origin. */
const RUNS_MAX = 32;

type Known = Pick<Session, "startedAt" | "written">;

export function scriptsOf(operation: Operation, home: string, session: Known): readonly Script[] {
  const found: Script[] = [];
  const seen = new Set<string>();
  const open = runsIn(operation, 0);
  for (let next = open.shift(); next && seen.size < RUNS_MAX; next = open.shift()) {
    const { run, depth } = next;
    const key = [run.path, ...(run.entries ?? []), ...run.args.map(({ text }) => text)].join("\n");
    const isRead = found.length < FILES_MAX && depth <= DEPTH_MAX;
    const script = seen.has(key) ? undefined : scriptOf(run, isRead, home, session);
    seen.add(key);
    if (!script) continue;
    found.push(script);
    open.push(...runsIn(script.operation, depth + 1));
  }
  // A script beyond the limit, or one this command creates first, counts as unread and as the session's own.
  const left =
    open.find(({ depth }) => depth === 0)?.run ??
    runsIn(operation, 0).find(({ run }) => isMadeHere(run, operation))?.run;
  if (left) found.push({ path: left.path, spelled: left.spelled, origin: "session", by: left.invocation });
  const operations = [operation, ...found.flatMap((script) => script.operation ?? [])];
  return [...found, ...operations.flatMap(numbersFor).slice(0, FILES_MAX)];
}

/** What a line reads that ends or debugs a process whose number is not on the line: `kill $(cat pid)`. */
function numbersFor({ shell, effects }: Operation): readonly Script[] {
  const aimed = shell?.invocations.filter(isAimedUnread) ?? [];
  if (aimed.length === 0) return [];
  const named = aimed.flatMap((by) =>
    numberFiles(by).map(({ text }) => ({ path: absolute(text, by.cwd), spelled: text, by })),
  );
  const read = effects.flatMap(({ kind, literal, path, spelled, invocation: by }) =>
    kind === "read" && literal && by ? [{ path, spelled, by }] : [],
  );
  return [...named, ...read].slice(0, FILES_MAX).flatMap(({ path, spelled, by }): readonly Script[] => {
    const file = path?.startsWith("/") ? plainFile(path, NUMBERS_BYTES_MAX) : undefined;
    if (!path || !file) return [];
    const text = file.bytes.toString("utf8");
    return [
      { path, spelled, origin: "project", by, holds: "numbers", operation: numbersOperation(), text, targets: {} },
    ];
  });
}

function runsIn(operation: Operation | undefined, depth: number): { run: ScriptRun; depth: number }[] {
  if (!operation?.shell) return [];
  const runs = scriptRuns(operation.shell.invocations);
  return [...runs, ...runs.flatMap((run) => sourcesOf(run, operation))].map((run) => ({ run, depth }));
}

function scriptOf(run: ScriptRun, isRead: boolean, home: string, session: Known): Script | undefined {
  const file = fileOf(run, isRead);
  if (!file) return undefined;
  const { text, changed } = file;
  const path = trueName(file.path);
  const script = { path, spelled: run.spelled, origin: originOf(path, changed, session), by: run.invocation };
  if (text === undefined) return script;
  const operation = readScript(run, text, home);
  return operation && { ...script, operation, text, targets: targetsOf(operation) };
}

/** `changed` is the ctime, which no tool can set back. */
function originOf(path: string, changed: number, { startedAt, written = [] }: Known): Script["origin"] {
  if (changed < startedAt) return "project";
  return written.some((place) => within(path, place)) ? "session" : "recent";
}

function targetsOf({ effects }: Operation): Readonly<Record<string, string>> {
  const paths = effects.map(({ path }) => path).filter((path) => path.startsWith("/"));
  return Object.fromEntries(paths.map((path) => [path, trueName(path)]));
}

interface ScriptFile {
  readonly path: string;
  readonly changed: number;
  /** Undefined when the file was not read or is too large. */
  readonly text: string | undefined;
}

/** Undefined when there is no such file or it is not text. */
function fileOf({ path, as }: ScriptRun, isRead: boolean): ScriptFile | undefined {
  const names =
    as === "javascript"
      ? ["", ".js", ".cjs", ".mjs", ".ts", "/index.js"]
      : as === "python"
        ? ["", "/__main__.py"]
        : [""];
  for (const name of names) {
    const file = opened(path + name, isRead);
    if (file) return file;
  }
  return undefined;
}

function opened(path: string, isRead: boolean): ScriptFile | undefined {
  // Missing or unreadable: running the command will report it.
  const file = plainFile(path, isRead ? BYTES_MAX : HEAD_BYTES);
  if (!file || isCompiled(file.bytes.subarray(0, HEAD_BYTES))) return undefined;
  const text = isRead && !file.cut ? file.bytes.toString("utf8") : undefined;
  return { path, changed: file.changed, text };
}

const HEAD_BYTES = 128;
const LINE_FEED = 0x0a;

/** Like the shells: a NUL in the first line means binary. A later NUL does not stop a shell, so it does not stop us. */
function isCompiled(head: Buffer): boolean {
  const end = head.indexOf(LINE_FEED);
  return (end < 0 ? head : head.subarray(0, end)).includes(0);
}
