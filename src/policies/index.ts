/** The law: one table. */
import type { Policy } from "../kernel/policy.ts";
import { noDestructiveCommand } from "./access/no-destructive-command.ts";
import { noTampering } from "./access/no-tampering.ts";
import { remindCanary } from "./audit/remind-canary.ts";
import { remindRegistration } from "./audit/remind-registration.ts";
import { remindSettings } from "./audit/remind-settings.ts";
import { trackCoverage } from "./audit/track-coverage.ts";
import { trackOutcome } from "./audit/track-outcome.ts";
import { trackSession } from "./audit/track-session.ts";

export const policies: readonly Policy[] = [
  noTampering,
  noDestructiveCommand,
  trackOutcome,
  trackSession,
  remindSettings,
  trackCoverage,
  remindCanary,
  remindRegistration,
];
