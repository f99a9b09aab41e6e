/** A check of a project: its command and its definition. */
import type { CheckName } from "../../state/check-names.ts";

export interface Check {
  readonly name: CheckName;
  /** The command a person would type, at the root. */
  readonly command: string;
  /** The name of the package script or makefile target. */
  readonly script?: string;
  readonly target?: string;
  /**
   * The text behind the command: its script with pre and post scripts and the scripts it calls, each after a line `#
   * name`; or the recipes of a target. Compared to detect a redefinition.
   */
  readonly definition: string;
  /** Other file contents that affect the result: compared, but never parsed for commands. */
  readonly around?: string;
  /** A run of that check does most of this one, which the project does not name itself: `go test` vets as well. */
  readonly within?: CheckName;
  /** "package.json", "Makefile", "settings" … */
  readonly source: string;
}

/** Everything that is compared between two versions of a check. */
export function madeOf({ definition, around }: Check): string {
  return around === undefined ? definition : `${definition}\n${around}`;
}
