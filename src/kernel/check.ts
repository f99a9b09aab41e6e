/** A check of a project: what runs it, and what that stands for. */
import type { CheckName } from "../state/check-names.ts";

export interface Check {
  readonly name: CheckName;
  /** What a person would type, at the root. */
  readonly command: string;
  /** Of a package's scripts, or of a makefile's targets. */
  readonly script?: string;
  readonly target?: string;
  /**
   * The text that the command stands for: its script with what runs before and after it and the scripts it calls, each
   * behind a line `# name`; the recipes of a target. Compared, to see that it was not redefined.
   */
  readonly definition: string;
  /** What besides decides how it ends, as far as it stands in files: compared, and never read for commands. */
  readonly around?: string;
  /** "package.json", "Makefile", "settings" … */
  readonly source: string;
}

/** All that two checks of a name are compared by. */
export function madeOf({ definition, around }: Check): string {
  return around === undefined ? definition : `${definition}\n${around}`;
}
