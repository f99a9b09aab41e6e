/** A check of a project: something whose exit code says whether the work is right. */
import type { CheckName } from "../state/check-names.ts";

export interface Check {
  readonly name: CheckName;
  /** What a person would type, at the root of the work tree. */
  readonly command: string;
  /** A script of the package, or a target of a makefile. */
  readonly script?: string;
  readonly target?: string;
  /** The text that the command stands for, with the scripts it calls: another text is another check. */
  readonly definition: string;
  /** The file that defines it, or `settings`. */
  readonly source: string;
}
