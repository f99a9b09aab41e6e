/** All changes to the state: policies and commands return them, reducers apply them. */

import type { GrantChange } from "./grants.ts";
import type { GuardChange } from "./guards.ts";
import type { HabitChange } from "./habits.ts";
import type { PlaybookChange } from "./playbooks.ts";
import type { ApprovalChange } from "./runs/approvals.ts";
import type { Awaits } from "./session/awaiting.ts";
import type { CallChange } from "./session/calls.ts";
import type { CheckChange } from "./session/checks.ts";
import type { GroundChange } from "./session/ground.ts";
import type { GrowthChange } from "./session/growth.ts";
import type { ModeChange } from "./session/modes.ts";
import type { ProofChange } from "./session/proof.ts";
import type { SessionChange } from "./session/session.ts";
import type { WorkChange } from "./session/work.ts";
import type { SettingsChange } from "./settings/pinned.ts";
import type { StanceChange } from "./stance.ts";
import type { TrustChange } from "./trust.ts";

/** With `awaits` a change takes effect only once the host's transcript shows its cause. */
export type Change = Effective & { readonly awaits?: Awaits };

type Effective =
  | SessionChange
  | CallChange
  | ProofChange
  | GrantChange
  | HabitChange
  | TrustChange
  | StanceChange
  | SettingsChange
  | CheckChange
  | WorkChange
  | GroundChange
  | GrowthChange
  | ModeChange
  | PlaybookChange
  | GuardChange
  | ApprovalChange;
