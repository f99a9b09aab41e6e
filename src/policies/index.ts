/** The table of all policies. */
import type { EventName } from "../kernel/event.ts";
import type { Policy } from "../kernel/policy.ts";
import { noDestructiveCommand } from "./access/danger/no-destructive-command.ts";
import { noUnkeptLoss } from "./access/danger/no-unkept-loss.ts";
import { runSnapshot } from "./access/danger/run-snapshot.ts";
import { noToolOutsideStance } from "./access/no-tool-outside-stance.ts";
import { noWorkaround } from "./access/no-workaround.ts";
import { requireGuards } from "./access/require-guards.ts";
import { noSecretLeak } from "./access/secrets/no-secret-leak.ts";
import { noTampering } from "./access/tampering/no-tampering.ts";
import { remindCanary } from "./audit/remind-canary.ts";
import { remindLeave } from "./audit/remind-leave.ts";
import { remindOtherHooks } from "./audit/remind-other-hooks.ts";
import { remindRegistration } from "./audit/remind-registration.ts";
import { remindSettings } from "./audit/remind-settings.ts";
import { remindSignature } from "./audit/remind-signature.ts";
import { requireGatehouse } from "./audit/require-gatehouse.ts";
import { requireSession } from "./audit/require-session.ts";
import { trackCoverage } from "./audit/track-coverage.ts";
import { trackOutcome } from "./audit/track-outcome.ts";
import { trackRewriting } from "./audit/track-rewriting.ts";
import { trackSession } from "./audit/track-session.ts";
import { trackWitness } from "./audit/track-witness.ts";
import { trackWritten } from "./audit/track-written.ts";
import { remindContext } from "./context/remind-context.ts";
import { remindPressure } from "./context/remind-pressure.ts";
import { remindRestore } from "./context/remind-restore.ts";
import { remindSubagent } from "./context/remind-subagent.ts";
import { runHandover } from "./context/run-handover.ts";
import { runStateFile } from "./context/run-state-file.ts";
import { runTrim } from "./context/run-trim.ts";
import { noClaimedWrite } from "./inbox/no-claimed-write.ts";
import { noForbiddenAction } from "./inbox/no-forbidden-action.ts";
import { remindInbox } from "./inbox/remind-inbox.ts";
import { requireInbox } from "./inbox/require-inbox.ts";
import { requireReceipt } from "./inbox/require-receipt.ts";
import { requireTeammateInbox } from "./inbox/require-teammate-inbox.ts";
import { runRelease } from "./inbox/run-release.ts";
import { runReport } from "./inbox/run-report.ts";
import { trackActor } from "./inbox/track-actor.ts";
import { trackNativeMessages } from "./inbox/track-native-messages.ts";
import { remindActivity } from "./modes/remind-activity.ts";
import { remindModes } from "./modes/remind-modes.ts";
import { remindOrphan } from "./modes/remind-orphan.ts";
import { remindWaiting } from "./modes/remind-waiting.ts";
import { requirePersistent } from "./modes/require-persistent.ts";
import { requireQa } from "./modes/require-qa.ts";
import { requireTurbo } from "./modes/require-turbo.ts";
import { trackFailures } from "./modes/track-failures.ts";
import { trackInterruptions } from "./modes/track-interruptions.ts";
import { trackModes } from "./modes/track-modes.ts";
import { noChangeInPlanMode } from "./playbook/no-change-in-plan-mode.ts";
import { noFalseJudge } from "./playbook/no-false-judge.ts";
import { noPlanChange } from "./playbook/no-plan-change.ts";
import { remindJudge } from "./playbook/remind-judge.ts";
import { remindPlaybook } from "./playbook/remind-playbook.ts";
import { requireCritic } from "./playbook/require-critic.ts";
import { requireFittingPlan } from "./playbook/require-fitting-plan.ts";
import { requirePlanRead } from "./playbook/require-plan-read.ts";
import { requirePlaybook } from "./playbook/require-playbook.ts";
import { requireSizeProof } from "./playbook/require-size-proof.ts";
import { requireStep } from "./playbook/require-step.ts";
import { requireStepCommit } from "./playbook/require-step-commit.ts";
import { requireVerdict } from "./playbook/require-verdict.ts";
import { runStepCommit } from "./playbook/run-step-commit.ts";
import { trackGrowth } from "./playbook/track-growth.ts";
import { trackPlanMode } from "./playbook/track-plan-mode.ts";
import { trackPlaybook } from "./playbook/track-playbook.ts";
import { remindChecks } from "./proof/remind-checks.ts";
import { requireClosingEvidence } from "./proof/require-closing-evidence.ts";
import { requireConcreteResult } from "./proof/require-concrete-result.ts";
import { requireEvidence } from "./proof/require-evidence.ts";
import { requireTaskProof } from "./proof/require-task-proof.ts";
import { requireVerification } from "./proof/require-verification.ts";
import { runPipefail } from "./proof/run-pipefail.ts";
import { trackCheckDefinitions } from "./proof/track-check-definitions.ts";
import { trackChecks } from "./proof/track-checks.ts";
import { trackGround } from "./proof/track-ground.ts";
import { trackProof } from "./proof/track-proof.ts";
import { trackWork } from "./proof/track-work.ts";
import { noAssertionRemoval } from "./quality/no-assertion-removal.ts";
import { noGeneratedEdit } from "./quality/no-generated-edit.ts";
import { noTestRemoval } from "./quality/no-test-removal.ts";
import { remindReread } from "./quality/remind-reread.ts";
import { remindTools } from "./quality/remind-tools.ts";
import { runFormatter } from "./quality/run-formatter.ts";
import { noMainBranchEdit } from "./repository/no-main-branch-edit.ts";
import { noMergeOverStaged } from "./repository/no-merge-over-staged.ts";
import { noProtectedEdit } from "./repository/no-protected-edit.ts";
import { noPublish } from "./repository/no-publish.ts";
import { requireLint } from "./repository/require-lint.ts";
import { requirePlanBranch } from "./repository/require-plan-branch.ts";
import { runLinters } from "./repository/run-linters.ts";
import { remindFailures } from "./trust/remind-failures.ts";
import { remindStance } from "./trust/remind-stance.ts";
import { remindSuggestion } from "./trust/remind-suggestion.ts";
import { requireTrust } from "./trust/require-trust.ts";
import { runModel } from "./trust/run-model.ts";
import { trackRates } from "./trust/track-rates.ts";
import { trackStance } from "./trust/track-stance.ts";

export const policies: readonly Policy[] = [
  // First, because its changes settle what later ones build on.
  trackWitness,
  requireSession,
  noTampering,
  noDestructiveCommand,
  noUnkeptLoss,
  noMergeOverStaged,
  noMainBranchEdit,
  noProtectedEdit,
  noPublish,
  noGeneratedEdit,
  noTestRemoval,
  noAssertionRemoval,
  noWorkaround,
  noSecretLeak,
  noToolOutsideStance,
  requireGuards,
  requireTrust,
  runModel,
  runSnapshot,
  requireLint,
  runLinters,
  requirePlanBranch,
  requireEvidence,
  noPlanChange,
  requirePlaybook,
  requirePlanRead,
  requireStep,
  noFalseJudge,
  requireVerdict,
  requireFittingPlan,
  noChangeInPlanMode,
  trackProof,
  trackPlaybook,
  trackGrowth,
  trackPlanMode,
  remindPlaybook,
  trackOutcome,
  trackRewriting,
  trackWork,
  trackCheckDefinitions,
  trackGround,
  runPipefail,
  trackChecks,
  remindChecks,
  trackSession,
  trackWritten,
  // Before all other policies that speak at SessionStart, because the closing tag of its note must not be cut off.
  remindRestore,
  remindWaiting,
  remindOrphan,
  trackActor,
  noForbiddenAction,
  noClaimedWrite,
  remindInbox,
  requireInbox,
  runRelease,
  runReport,
  trackNativeMessages,
  requireReceipt,
  requireTeammateInbox,
  remindSettings,
  requireGatehouse,
  requireVerification,
  requireSizeProof,
  requireTaskProof,
  requireClosingEvidence,
  requireCritic,
  requireStepCommit,
  runStepCommit,
  requireConcreteResult,
  remindLeave,
  trackCoverage,
  remindCanary,
  remindRegistration,
  remindSignature,
  remindOtherHooks,
  remindStance,
  trackStance,
  trackRates,
  remindFailures,
  remindSuggestion,
  remindActivity,
  trackModes,
  trackFailures,
  requirePersistent,
  requireQa,
  requireTurbo,
  remindModes,
  trackInterruptions,
  remindContext,
  remindPressure,
  remindJudge,
  remindSubagent,
  runTrim,
  runHandover,
  runStateFile,
  remindReread,
  runFormatter,
  remindTools,
];

/** Only the events that some policy handles, since a hook on any other event would waste time. */
export const registeredEvents: readonly EventName[] = /* @__PURE__ */ listenedTo();

/** Marked as pure above, so that bundles which do not use it omit it. */
function listenedTo(): readonly EventName[] {
  return [...new Set(policies.flatMap(({ on }) => on))];
}
