/** The union of everything that can be remembered: policies and commands return these, reducers apply them. */

import type { CallChange } from "./calls.ts";
import type { CheckChange } from "./checks.ts";
import type { GrantChange } from "./grants.ts";
import type { HabitChange } from "./habits.ts";
import type { ModeChange } from "./modes.ts";
import type { ProofChange } from "./proof.ts";
import type { SessionChange } from "./session.ts";
import type { StanceChange } from "./stance.ts";
import type { TrustChange } from "./trust.ts";
import type { WorkChange } from "./work.ts";

export type Change =
  | SessionChange
  | CallChange
  | ProofChange
  | GrantChange
  | HabitChange
  | TrustChange
  | StanceChange
  | CheckChange
  | WorkChange
  | ModeChange;
