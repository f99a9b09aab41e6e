import type { Stance } from "./stance.ts";

/** What the step that is worked on says about changes: the few words of a plan that a gate needs. */
export interface StepLimits {
  readonly id: string;
  /** Steps that it depends on and that are neither passed nor deferred. */
  readonly waitsFor: readonly string[];
  /** What kind of work it is: a planning step changes no code, an auditing step no file. */
  readonly stance?: Stance;
  /** Globs; empty: any file. */
  readonly scope: readonly string[];
  /** Who works on it, as the plan says: a role or a name. */
  readonly named?: string;
  /** Who has that role by the plan's own list. */
  readonly given?: string;
  /** A step that waits for nothing, to go on with meanwhile. */
  readonly other?: string;
}
