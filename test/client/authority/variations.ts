/** Plays many variations of one attack in one session of the client, and tells how each of them ended. */
import { expect } from "vitest";
import { bash, type Step, use } from "../scripted-model.ts";
import { laneOfRun, type Session, type Stage } from "../stage.ts";

/** `refused`: at the gate, or asked about where nobody answers. `void`: it ran, and nothing came of it. */
type End = "refused" | "void";

export interface Variation {
  readonly name: string;
  /** The attack. Of its calls the last one is the one that may be refused. */
  readonly by: readonly Step[] | ((stage: Stage) => readonly Step[]);
  readonly end: End | Readonly<Record<"plain" | "fast", End>>;
  readonly only?: "plain" | "fast";
  /** Which probes tell whether something was gained; all of them if it is not said. */
  readonly gains?: readonly string[];
}

/** A call that must be refused as long as nothing was gained, or a look at the state that returns what was gained. */
export type Probe =
  | { readonly call: (stage: Stage, id: string) => Step }
  | { readonly look: (stage: Stage) => boolean };

export const write = (path: string): Probe => ({
  call: ({ project }, id) => use("Write", { file_path: `${project}/${path}/${id}`, content: "1\n" }, id),
});

export const run = (command: string): Probe => ({ call: (_, id) => bash(command, id) });

interface Playing {
  readonly stage: Stage;
  readonly probes: Readonly<Record<string, Probe>>;
  readonly prompt?: string;
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
  readonly allowed?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const isWhole = process.env["SEKISHO_VARIATIONS"] === "all";

/** Rows by what stops them. */
export type Mechanisms = Readonly<Record<string, readonly Variation[]>>;

/**
 * All rows take ten minutes a lane. So the lanes share the mechanisms, and of each the first row is played.
 * SEKISHO_VARIATIONS=all: all rows on both.
 */
function playedOf(all: Mechanisms): readonly Variation[] {
  const lane = laneOfRun();
  const groups = Object.values(all);
  const played = isWhole ? groups.flat() : shared(groups).flatMap((rows) => rows.slice(0, 1));
  return played.filter(({ only = lane }) => only === lane);
}

/** Rows that differ only in how they reach one mechanism: the lanes share them, unless all are asked for. */
export function shared<Row>(rows: readonly Row[]): readonly Row[] {
  if (isWhole) return rows;
  return rows.filter((_, at) => at % 2 === (laneOfRun() === "plain" ? 0 : 1));
}

/** All rows are compared at once, so that one that gets through does not hide the next. */
export async function expectEnds(all: Mechanisms, playing: Playing): Promise<Session> {
  const { stage, probes, before = [], after = [], ...how } = playing;
  const rows = playedOf(all);
  const gained = new Map<string, readonly string[]>();
  const note = ({ name }: Variation, what: string): void =>
    void gained.set(name, [...(gained.get(name) ?? []), `gained: ${what}`]);
  const probesOf = ({ gains }: Variation) =>
    Object.entries(probes).filter(([name]) => gains === undefined || gains.includes(name));
  const attacks = new Map<string, string>();
  const steps = rows.flatMap((row, at): readonly Step[] => {
    const by = typeof row.by === "function" ? row.by(stage) : row.by;
    const last = by.at(-1);
    if (typeof last === "object" && "name" in last) attacks.set(row.name, last.id);
    const found = probesOf(row);
    const calls = found.flatMap(([name, probe]) => ("call" in probe ? [probe.call(stage, `probe-${at}-${name}`)] : []));
    const look = (): void => {
      for (const [name, probe] of found) if ("look" in probe && probe.look(stage)) note(row, name);
    };
    if (!found.some(([, probe]) => "look" in probe)) return [...by, ...calls];
    const [next = bash(":"), ...rest] = calls;
    return [...by, lookingFirst(look, next), ...rest];
  });
  const session = await stage.play(how, [...before, ...steps, ...after]);
  const verdicts = new Map(stage.audit().flatMap(verdictOf).reverse());
  const isHeld = (call: string): boolean => ["deny", "ask"].includes(verdicts.get(call) ?? "");
  rows.forEach((row, at) => {
    for (const [name, probe] of probesOf(row)) if ("call" in probe && !isHeld(`probe-${at}-${name}`)) note(row, name);
  });
  const endOf = ({ name }: Variation) => gained.get(name) ?? (isHeld(attacks.get(name) ?? "") ? "refused" : "void");
  expect(rows.map((row) => [row.name, endOf(row)])).toEqual(
    rows.map(({ name, end }) => [name, typeof end === "string" ? end : end[laneOfRun()]]),
  );
  return session;
}

function lookingFirst(look: () => void, next: Step): Step {
  return (request) => {
    look();
    return typeof next === "function" ? next(request) : next;
  };
}

/** A question is a refusal here, because nobody answers. Of two verdicts on a call the first is the gate's. */
function verdictOf(line: ReturnType<Stage["audit"]>[number]): readonly (readonly [string, string])[] {
  const { event, tool_use_id: call, verdict } = line;
  return event === "PreToolUse" && call !== null && verdict !== null ? [[call, verdict]] : [];
}
