/** Mode states of oh-my-claude-code: persistent-state.json, web-qa-state.json and turbo-state.json. */
import {
  PLAN_BYTES_MAX,
  PROMISE_CHARS_MAX,
  PROMISES,
  shortened,
  taskWords,
  writtenBytes,
} from "../../kernel/mode-start.ts";
import { own } from "../../lib/keyed.ts";
import { inline } from "../../lib/text.ts";
import { isStale, type Mode, type ModeChange, type ModeName } from "../../state/session/modes.ts";
import {
  attempt,
  countIn,
  type Fields,
  fieldsOf,
  flagIn,
  jsonFields,
  type Reading,
  refuse,
  timeOf,
} from "./reading.ts";

export interface ModeState {
  readonly name: ModeName;
  /** From the file; undefined: any session. */
  readonly session?: string;
  /** The change to record, or why the state is not imported. */
  readonly start?: Start;
  readonly over?: string;
}

interface Shape {
  readonly name: ModeName;
  readonly file: string;
  readonly count: string;
  readonly max: string;
  /** Defaults for a missing count and a missing maximum. */
  readonly absent: number;
  readonly most: number;
}

const SHAPES: readonly Shape[] = [
  { name: "persistent", file: "persistent-state.json", count: "iteration", max: "max_iterations", absent: 1, most: 20 },
  { name: "qa", file: "web-qa-state.json", count: "cycle", max: "max_cycles", absent: 0, most: 10 },
  {
    name: "turbo",
    file: "turbo-state.json",
    count: "reinforcement_count",
    max: "max_reinforcements",
    absent: 0,
    most: 30,
  },
];

/** In order of priority, so that a mode comes before those it started. */
export const MODE_FILES: readonly string[] = SHAPES.map(({ file }) => file);

export function looksLikeModeState(text: string): boolean {
  return /^\s*\{/.test(text) && /"(?:max_iterations|max_cycles|max_reinforcements)"\s*:/.test(text);
}

/** Reads one original file, or exported lines with one mode each. */
export function readModeStates(text: string, fileName: string, now: number): Reading<readonly ModeState[]> {
  return attempt((note) => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const isLines = lines.length > 1 && lines.every((line) => /^\s*\{.*\}\s*$/.test(line));
    if (lines.length > LINES_MAX && isLines) refuse("the file", `must have at most ${LINES_MAX} modes`);
    return (isLines ? lines : [text]).map((one) => modeIn(jsonFields(one), fileName, now, note));
  });
}

const LINES_MAX = 60;
const COUNT_MAX = 60;
const ERRORS_MAX = 10;
const ERROR_BYTES_MAX = 32;
const ID_CHARS_MAX = 128;

type Note = (words: string) => void;
type Start = ModeChange & { readonly do: "start" };

function modeIn(fields: Fields, fileName: string, now: number, note: Note): ModeState {
  const shape = shapeOf(fields, fileName);
  const { name } = shape;
  const session = textIn(fields, "session_id") ?? "";
  const owner = { name, ...(session !== "" && { session: session.slice(0, ID_CHARS_MAX) }) };
  const times = { started: timeIn(fields, "started_at", now), checked: timeIn(fields, "last_checked_at", now) };
  const over = overBy(fields, times, now);
  if (over !== undefined) return { ...owner, over };
  for (const key of ["phase", "last_failure"])
    if ((own(fields, key) ?? null) !== null) note(`${name}: ${key} is not kept`);
  const { started, checked } = times;
  const base: Start = {
    ...{ record: "mode", do: "start", mode: name, by: "import" },
    task: taskWords(textIn(fields, "original_prompt") ?? ""),
    ...boundsIn(fields, shape, note),
    since: started ?? checked ?? now,
    ...(checked !== undefined && { checkedAt: checked }),
  };
  return { ...owner, start: { ...base, ...endsIn(fields, name, note), ...historyIn(fields, name) } };
}

interface Times {
  readonly started: number | undefined;
  readonly checked: number | undefined;
}

function boundsIn(fields: Fields, { name, count, max, absent, most }: Shape, note: Note): Pick<Mode, "count" | "max"> {
  return {
    max: bounded(countIn(fields, max, "", most), 1, (words) => note(`${name}: ${max} ${words}`)),
    count: bounded(countIn(fields, count, "", absent), 0, (words) => note(`${name}: ${count} ${words}`)),
  };
}

/** The plan or promise that says when it is done. */
function endsIn(fields: Fields, name: ModeName, note: Note): Pick<Start, "plan" | "promise"> {
  const plan = planIn(fields, (why) => note(`${name}: the plan is left out: ${why}`));
  const said = inline(textIn(fields, "completion_promise") ?? "", PROMISE_CHARS_MAX);
  // The promise is written inside tags, so it cannot contain < or >.
  const words = /[<>]/.test(said) ? "" : said;
  if (said !== words) note(`${name}: the promise is left out: it has < or > in it`);
  if (plan !== undefined) return { plan, ...(words !== "" && { promise: words }) };
  return { promise: words === "" ? PROMISES[name] : words };
}

function historyIn(fields: Fields, name: ModeName): Pick<Start, "errors" | "with"> {
  const errors = errorsIn(fields);
  const isLinked = name === "turbo" && textIn(fields, "activated_by")?.endsWith(AUTO) === true;
  return { ...(errors.length > 0 && { errors }), ...(isLinked && { with: "persistent" }) };
}

/** By file name, otherwise by the fields that only one mode has. If they disagree, the file is rejected. */
function shapeOf(fields: Fields, fileName: string): Shape {
  const told = SHAPES.filter(({ count, max }) => own(fields, count) !== undefined || own(fields, max) !== undefined);
  const named = SHAPES.find(({ file }) => file === fileName);
  const [only] = told;
  if (told.length > 1)
    refuse("the file", `has the fields of several modes (${told.map(({ name }) => name).join(", ")})`);
  if (named && only && named !== only)
    refuse("the file", `is named for ${named.name} and has the fields of ${only.name}`);
  return named ?? only ?? refuse("the file", `has no field of a mode (${SHAPES.map(({ max }) => max).join(", ")})`);
}

/** Why the state is over. A state without any time counts as expired. */
function overBy(fields: Fields, { started, checked }: Times, now: number): string | undefined {
  if (!flagIn(fields, "active", "")) return "it is not active";
  if (flagIn(fields, "all_passing", "")) return "all its checks have passed";
  if (started === undefined && checked === undefined) return "it has no time, and so counts as out of date";
  const since = started ?? 0;
  const mode = { since, ...(checked !== undefined && { checkedAt: checked }) };
  return isStale(mode, now) ? "it is out of date: nothing has happened in it for more than 24 hours" : undefined;
}

function timeIn(fields: Fields, name: string, now: number): number | undefined {
  const value = own(fields, name) ?? null;
  return value === null ? undefined : timeOf(value, name, now);
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = own(fields, name) ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  return refuse(name, "must be a text", value);
}

function planIn(fields: Fields, leave: (why: string) => void): string | undefined {
  const completion = own(fields, "completion") ?? null;
  if (completion === null) return undefined;
  const path = textIn(fieldsOf(completion, "completion"), "plan_file")?.replace(/^(?:\.\/+)+/, "");
  if (path === undefined || path === "") return undefined;
  const isBelow = !path.startsWith("/") && !path.startsWith("~") && !path.split("/").includes("..");
  if (!isBelow) leave("its path does not stay below the project");
  else if (writtenBytes(path) > PLAN_BYTES_MAX || inline(path, PLAN_BYTES_MAX) !== path)
    leave("its path is too long or odd");
  else return path;
  return undefined;
}

function errorsIn(fields: Fields): readonly string[] {
  const value = own(fields, "error_history") ?? [];
  if (!Array.isArray(value)) refuse("error_history", "must be a list", value);
  const texts = (value as readonly unknown[]).slice(-ERRORS_MAX);
  return texts.map((one, at) => {
    if (typeof one !== "string")
      refuse(`error_history, entry ${at + 1} of the last ${ERRORS_MAX},`, "must be a text", one);
    return shortened(inline(one as string, ERROR_BYTES_MAX), ERROR_BYTES_MAX, ERROR_BYTES_MAX);
  });
}

function bounded(value: number, least: number, note: (words: string) => void): number {
  const kept = Math.min(COUNT_MAX, Math.max(least, value));
  if (kept !== value) note(`is ${value}, and taken as ${kept}`);
  return kept;
}

/** Suffix of the starter's name when persistent mode started it. */
const AUTO = ":persistent-auto";

/** Exports the original shape. */
export function modeState(
  name: ModeName,
  mode: Mode,
  session: string | undefined,
  iso: (ms: number) => string,
): object {
  const shape = SHAPES.find((one) => one.name === name);
  return {
    active: true,
    [shape?.count ?? "count"]: mode.count,
    [shape?.max ?? "max"]: mode.max,
    ...(name === "qa" && { all_passing: false, last_failure: null }),
    ...(name !== "turbo" && { error_history: [...(mode.errors ?? []), ...(mode.failures ?? [])] }),
    ...(mode.plan !== undefined && { completion: { type: "plan", plan_file: mode.plan } }),
    ...(mode.promise !== undefined && { completion_promise: mode.promise }),
    started_at: iso(mode.since),
    last_checked_at: mode.checkedAt === undefined ? null : iso(mode.checkedAt),
    activated_by:
      mode.with === undefined ? (mode.by === "prompt" ? "keyword-detector" : "sekisho") : `keyword-detector${AUTO}`,
    ...(session !== undefined && { session_id: session }),
    original_prompt: mode.task,
  };
}
