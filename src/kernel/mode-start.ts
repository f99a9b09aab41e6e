/** The changes that start a mode, for every kind of starter. */

import { clip, inline } from "../lib/text.ts";
import type { ModeChange, ModeName, Starter } from "../state/session/modes.ts";
import type { Settings } from "../state/settings/settings.ts";

export interface ModeWish {
  readonly by: Starter;
  /** The person's words; masked and cut here. */
  readonly task: string;
  readonly plan?: string;
  readonly promise?: string;
  /** Overrides the setting. */
  readonly max?: number;
}

type ModeStart = ModeChange & { readonly do: "start" };

export const PROMISES: Readonly<Record<ModeName, string>> = {
  persistent: "DONE",
  qa: "QA_COMPLETE",
  turbo: "DONE",
};

export const PROMISE_CHARS_MAX = 60;
/** The maximum size of a stored plan path. */
export const PLAN_BYTES_MAX = 300;

/** A record has 2 KB in total, and starting persistent mode needs two changes. */
const TASK_CHARS_MAX = 500;
const TASK_BYTES_MAX = 900;
/** For a linked mode, because the other mode stores the full task. */
const LINKED_TASK_CHARS_MAX = 80;
const LINKED_TASK_BYTES_MAX = 160;

const START = { record: "mode", do: "start" } as const;

/** Persistent also starts turbo; if turbo is already on, the reducer ignores that. */
export function startChanges(
  name: ModeName,
  wish: ModeWish,
  { modes }: Pick<Settings, "modes">,
): readonly [ModeStart, ...ModeStart[]] {
  const { by, task, plan, promise, max = modes[`${name}_max`] } = wish;
  // A plan is done when its boxes are ticked, so a promise is used only if one was given.
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
  // A mode linked to the agent's must not block a person's mode.
  const whose = by === "agent" ? "agent" : "mode";
  const linked = { ...START, mode: "turbo", by: whose, task: short, promise: PROMISES.turbo } as const;
  return [asked, { ...linked, max: modes.turbo_max, with: "persistent" }];
}

/** The stored part of the task. */
export function taskWords(task: string): string {
  return shortened(inline(task, TASK_CHARS_MAX), TASK_CHARS_MAX, TASK_BYTES_MAX);
}

/** Shorter, because another mode in the same record needs room too. */
export function halfTask(task: string): string {
  return shortened(taskWords(task), TASK_CHARS_MAX, TASK_BYTES_MAX / 2);
}

/** Shortest, because another mode in the same record has the full task. */
export function briefTask(task: string): string {
  return shortened(taskWords(task), LINKED_TASK_CHARS_MAX, LINKED_TASK_BYTES_MAX);
}

/** The size as written in JSON, including escapes. */
export function writtenBytes(words: string): number {
  return Buffer.byteLength(JSON.stringify(words)) - 2;
}

/** Cuts to a number of characters and of written bytes. */
export function shortened(words: string, chars: number, bytes: number): string {
  let cut = clip(words, chars);
  for (let size = writtenBytes(cut); size > bytes; size = writtenBytes(cut)) {
    cut = clip(cut, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  }
  return cut;
}
