/** The files of a session that a formatter has changed: what the agent remembers of them is not what stands there. */

export interface Formatted {
  /** Its true name. */
  readonly path: string;
  /** The formatter's name. */
  readonly by: string;
  readonly at: number;
}

/** Limits that keep it small whatever is written; the oldest goes first. */
export const FORMATTED_MAX = 10;
/** Cut, a path would be another one: what is longer is not remembered. */
export const FORMATTED_PATH_CHARS_MAX = 200;

export function withFormatted(known: readonly Formatted[], one: Formatted): readonly Formatted[] {
  if (one.path.length > FORMATTED_PATH_CHARS_MAX) return known;
  return [...known.filter(({ path }) => path !== one.path), one].slice(-FORMATTED_MAX);
}
