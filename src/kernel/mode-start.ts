/** What starting a mode comes to, whoever starts it. */
import type { ModeChange, ModeName, Starter } from "../state/modes.ts";
import type { Settings } from "../state/settings.ts";
import { clip, inline } from "./text.ts";

export interface ModeWish {
  readonly by: Starter;
  /** The person's own words; masked and cut here. */
  readonly task: string;
  readonly plan?: string;
  readonly promise?: string;
  /** In place of what the settings say. */
  readonly max?: number;
}

type ModeStart = ModeChange & { readonly do: "start" };

export const PROMISES: Readonly<Record<ModeName, string>> = {
  persistent: "DONE",
  qa: "QA_COMPLETE",
  turbo: "DONE",
};

export const PROMISE_CHARS_MAX = 60;
/** Of a plan's path as it is kept. */
export const PLAN_BYTES_MAX = 300;

/** A record has 2 KB for everything, and the start of persistent is two changes in one. */
const TASK_CHARS_MAX = 500;
const TASK_BYTES_MAX = 900;
/** Of a mode that comes with another: the other has the rest. */
const LINKED_TASK_CHARS_MAX = 80;
const LINKED_TASK_BYTES_MAX = 160;

const START = { record: "mode", do: "start" } as const;

/** Persistent brings turbo along, unless it is in force already: then the reducer leaves it as it is. */
export function startChanges(
  name: ModeName,
  wish: ModeWish,
  { modes }: Pick<Settings, "modes">,
): readonly [ModeStart, ...ModeStart[]] {
  const { by, task, plan, promise, max = modes[`${name}_max`] } = wish;
  // With a plan its boxes say when it is done, and words only where somebody has chosen them.
  const words = promise ?? (plan === undefined ? PROMISES[name] : undefined);
  const asked = {
    ...START,
    mode: name,
    by,
    task: taskWords(task),
    max,
    ...(plan !== undefined && { plan }),
    ...(words !== undefined && { promise: inline(words, PROMISE_CHARS_MAX) }),
  } as const;
  if (name !== "persistent") return [asked];
  const short = briefTask(asked.task);
  // What comes with the agent's own must not stand in the way of a person's either.
  const whose = by === "agent" ? "agent" : "mode";
  const linked = { ...START, mode: "turbo", by: whose, task: short, promise: PROMISES.turbo } as const;
  return [asked, { ...linked, max: modes.turbo_max, with: "persistent" }];
}

/** What is kept of what a person asked for. */
export function taskWords(task: string): string {
  return shortened(inline(task, TASK_CHARS_MAX), TASK_CHARS_MAX, TASK_BYTES_MAX);
}

/** Where another mode of the same record needs room, too. */
export function halfTask(task: string): string {
  return shortened(taskWords(task), TASK_CHARS_MAX, TASK_BYTES_MAX / 2);
}

/** Where another mode of the same record has the rest. */
export function briefTask(task: string): string {
  return shortened(taskWords(task), LINKED_TASK_CHARS_MAX, LINKED_TASK_BYTES_MAX);
}

/** Bytes as they are written: what a record must escape counts as well. */
export function writtenBytes(words: string): number {
  return Buffer.byteLength(JSON.stringify(words)) - 2;
}

/** Cut to characters and to bytes as they are written. */
export function shortened(words: string, chars: number, bytes: number): string {
  let cut = clip(words, chars);
  for (let size = writtenBytes(cut); size > bytes; size = writtenBytes(cut)) {
    cut = clip(cut, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  }
  return cut;
}
