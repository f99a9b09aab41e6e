/** Files that a formatter changed in this session, so that the agent's memory of them is outdated. */

export interface Formatted {
  /** The real path. */
  readonly path: string;
  /** The formatter's name. */
  readonly by: string;
  readonly at: number;
}

/** Keep the state small; the oldest entry goes first. */
export const FORMATTED_MAX = 10;
/** A cut path would name another file, so longer paths are not remembered. */
export const FORMATTED_PATH_CHARS_MAX = 200;

export function withFormatted(known: readonly Formatted[], one: Formatted): readonly Formatted[] {
  if (one.path.length > FORMATTED_PATH_CHARS_MAX) return known;
  return [...known.filter(({ path }) => path !== one.path), one].slice(-FORMATTED_MAX);
}
