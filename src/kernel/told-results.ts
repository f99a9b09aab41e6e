/**
 * What a transcript tells about the checks of a project that Sekisho knows no checks of: the poorest evidence but words.
 * Only what commands printed counts, never what the model or the person says, and only after the last change of code.
 */
import { endingOf, fileKind, isBuilt, isGenerated } from "./file-kind.ts";
import { changes, type Operation, operationOf } from "./operation.ts";
import { baseName, within } from "./paths.ts";
import { analysisWords, type Outcome, outcomeIn, testWords, type Vocabulary } from "./told-words.ts";
import { type Result, stepsIn, type Use } from "./transcript-steps.ts";

export interface Told {
  readonly analyse: Outcome;
  readonly test: Outcome;
}

/** What the paths of a transcript are held against; without a root they are taken as they stand. */
interface Ground {
  readonly root?: string;
  readonly home?: string;
  /** Further endings of code. */
  readonly endings?: readonly string[];
}

/** Of the newest; reading commands takes time, and what is older shows nothing. */
const USES_MAX = 300;

/** `lines` are parsed entries, oldest first. */
export function toldResults(lines: readonly unknown[], ground: Ground = {}): Told {
  const printed = printedSince(lines, ground);
  return { analyse: newest(printed, analysisWords()), test: newest(printed, testWords()) };
}

interface Printed {
  readonly text: string;
  /** Its command failed: what it says of success is not to be believed. */
  readonly failed: boolean;
}

/** Newest first. A command counts from where it was begun: of two in one breath the test may have come before the edit. */
function printedSince(lines: readonly unknown[], ground: Ground): readonly Printed[] {
  const steps = stepsIn(lines);
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

function lastChange(steps: readonly (Use | Result)[], isChange: (use: Use) => boolean): number {
  let uses = 0;
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const step = steps[at];
    if (step?.step !== "use") continue;
    uses += 1;
    if (uses > USES_MAX || isChange(step)) return at;
  }
  return -1;
}

/** `echo` and `cat` run nothing: what they print was written by somebody. */
function acts(operation: Operation | undefined): boolean {
  return operation !== undefined && changes(operation);
}

/** Of a command only: what a file, a page or a subagent says is no result of a check. */
function operationIn({ tool, input, cwd }: Use, { root = "/", home = "/" }: Ground): Operation | undefined {
  const command = input["command"];
  if (tool !== "Bash" || typeof command !== "string") return undefined;
  return operationOf({ kind: "bash", name: tool, command, background: false }, { cwd: cwd ?? root, home });
}

function changesCode({ tool, input, cwd }: Use, operation: Operation | undefined, ground: Ground): boolean {
  const paths = EDITING.test(tool)
    ? [input["file_path"], input["notebook_path"]].filter((path) => typeof path === "string")
    : (operation?.effects ?? []).flatMap(({ kind, path }) => (kind === "write" || kind === "delete" ? [path] : []));
  return paths.some((path) => isSource(path, [ground.root, cwd], ground.endings));
}

const EDITING = /^(?:Write|Edit|MultiEdit|NotebookEdit)$/;

/** Data that programs are made of counts here too: a passed check is stale once its configuration has changed. */
function isSource(path: string, bases: readonly (string | undefined)[], endings: readonly string[] = []): boolean {
  const isTracked = fileKind(path, endings) === "code" || endingOf(path) === "json";
  if (!isTracked || isGenerated(path)) return false;
  const known = bases.filter((base) => base !== undefined);
  const base = known.find((one) => within(path, one));
  // A directory above the project may be called anything, `build` too.
  if (base !== undefined) return !isBuilt(path.slice(base.length + 1));
  return !isBuilt(known.length > 0 && path.startsWith("/") ? baseName(path) : path);
}

/** The newest line that says something. */
function newest(printed: readonly Printed[], words: Vocabulary): Outcome {
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
      // unittest says how many it ran, and below how that went.
      .replace(/^(Ran \d+ tests? in [\d.]+s)\s+(?=OK\b)/gm, "$1 ")
      .split(/[\r\n]+/)
      .map((line) => ({ text: shortened(line.trim()), failed }))
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
const COLOURS = /\u001b\[[\d;]*m/g;

const LINE_CHARS_MAX = 1_000;

/** Of a very long line its beginning and its end: nobody's summary is longer. */
function shortened(line: string): string {
  return line.length <= 2 * LINE_CHARS_MAX ? line : `${line.slice(0, LINE_CHARS_MAX)} ${line.slice(-LINE_CHARS_MAX)}`;
}
