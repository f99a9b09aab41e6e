/**
 * Reads check results from a transcript, for a project without known checks. This is weak evidence: only command output
 * after the last change of code counts, never statements of the model or the person.
 */

import { baseName, within } from "../lib/paths.ts";
import { endingOf, fileKind, isBuilt, isGenerated } from "../reading/operation/file-kind.ts";
import { changes, type Operation, operationOf } from "../reading/operation/operation.ts";
import { analysisWords, outcomeIn, type ToldOutcome, testWords, type Vocabulary } from "./told-words.ts";

/** A tool call in a transcript, as read by the host. */
export interface Use {
  readonly step: "use";
  readonly id: string;
  /** Set if the tool ran a shell command. */
  readonly command?: string;
  /** The changed files, if the tool edits files. */
  readonly edits?: readonly string[];
  readonly cwd: string | undefined;
}

export interface Result {
  readonly step: "result";
  /** Empty if the entry does not name its tool call. */
  readonly id: string;
  readonly text: string;
  /** The command ran and exited with a code other than 0. */
  readonly failed: boolean;
}

export type Step = Use | Result;

export interface Told {
  readonly analyse: ToldOutcome;
  readonly test: ToldOutcome;
}

/** The base for paths in the transcript; without a root they are used as they are. */
interface TranscriptContext {
  readonly root?: string;
  readonly home?: string;
  /** Additional file extensions that count as code. */
  readonly endings?: readonly string[];
}

/** Only the newest tool calls are read, because parsing commands takes time. */
const USES_MAX = 300;

/** `steps` are in the order in which they were taken. */
export function toldResults(steps: readonly Step[], ground: TranscriptContext = {}): Told {
  const printed = printedSince(steps, ground);
  return { analyse: newest(printed, analysisWords()), test: newest(printed, testWords()) };
}

interface Printed {
  readonly text: string;
  /** The command failed, so a success that it reports does not count. */
  readonly failed: boolean;
}

/** Newest first. A command counts from its start: in one message the test may have started before the edit. */
function printedSince(steps: readonly Step[], ground: TranscriptContext): readonly Printed[] {
  const operations = new Map<Use, Operation | undefined>();
  const operation = (use: Use): Operation | undefined => {
    if (!operations.has(use)) operations.set(use, operationIn(use, ground));
    return operations.get(use);
  };
  const changedAt = lastChange(steps, (use) => changesCode(use, operation(use), ground));
  const open = new Map<string, { readonly use: Use; readonly at: number }>();
  const printed: Printed[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.step === "use") {
      open.set(step.id, { use: step, at });
      continue;
    }
    const asked = open.get(step.id);
    open.delete(step.id);
    const isTold = asked ? asked.at > changedAt && acts(operation(asked.use)) : step.id === "" && at > changedAt;
    if (isTold) printed.push(...linesOf(step));
  }
  return printed.reverse();
}

function lastChange(steps: readonly Step[], isChange: (use: Use) => boolean): number {
  let uses = 0;
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const step = steps[at];
    if (step?.step !== "use") continue;
    uses += 1;
    if (uses > USES_MAX || isChange(step)) return at;
  }
  return -1;
}

/** False for `echo` and `cat`: they print text and run no check. */
function acts(operation: Operation | undefined): boolean {
  return operation !== undefined && changes(operation);
}

/** Only for Bash: the output of a file, a page or a subagent is not a check result. */
function operationIn({ command, cwd }: Use, { root = "/", home = "/" }: TranscriptContext): Operation | undefined {
  if (command === undefined) return undefined;
  return operationOf({ kind: "bash", name: "Bash", command, background: false }, { cwd: cwd ?? root, home });
}

function changesCode({ edits, cwd }: Use, operation: Operation | undefined, ground: TranscriptContext): boolean {
  const effects = operation?.effects ?? [];
  const paths = edits ?? effects.flatMap(({ kind, path }) => (kind === "write" || kind === "delete" ? [path] : []));
  return paths.some((path) => isSource(path, [ground.root, cwd], ground.endings));
}

/** JSON counts too, because a passed check is stale once its configuration has changed. */
function isSource(path: string, bases: readonly (string | undefined)[], endings: readonly string[] = []): boolean {
  const isTracked = fileKind(path, endings) === "code" || endingOf(path) === "json";
  if (!isTracked || isGenerated(path)) return false;
  const known = bases.filter((base) => base !== undefined);
  const base = known.find((one) => within(path, one));
  // A directory above the project may have any name, even `build`.
  if (base !== undefined) return !isBuilt(path.slice(base.length + 1));
  return !isBuilt(known.length > 0 && path.startsWith("/") ? baseName(path) : path);
}

/** The outcome in the newest line that has one. */
function newest(printed: readonly Printed[], words: Vocabulary): ToldOutcome {
  for (const { text, failed } of printed) {
    const outcome = outcomeIn(text, words);
    if (outcome === "failed" || (outcome === "passed" && !failed)) return outcome;
  }
  return "unknown";
}

function linesOf({ text, failed }: Result): readonly Printed[] {
  return (
    text
      .replace(COLOURS, "")
      // unittest prints the count and the outcome on separate lines.
      .replace(/^(Ran \d+ tests? in [\d.]+s)\s+(?=OK\b)/gm, "$1 ")
      .split(/[\r\n]+/)
      .map((line) => ({ text: shortened(line.trim()), failed }))
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
const COLOURS = /\u001b\[[\d;]*m/g;

const LINE_CHARS_MAX = 1_000;

/** Keeps both ends of a very long line; no summary is longer. */
function shortened(line: string): string {
  return line.length <= 2 * LINE_CHARS_MAX ? line : `${line.slice(0, LINE_CHARS_MAX)} ${line.slice(-LINE_CHARS_MAX)}`;
}
