/** Evidence from the work of a session: passed checks, changed files, the last message. */

import { namesOf, pathsMeet } from "../lib/path-meeting.ts";
import { protectedPlace } from "../reading/operation/protected-list.ts";
import { CHECKS, type CheckName } from "../state/check-names.ts";
import type { CheckHistories, CheckResult } from "../state/session/checks.ts";
import type { Session } from "../state/session/session.ts";
import type { Need } from "../state/settings/evidence-rules.ts";
import type { EvidenceState } from "./evidence-rule.ts";
import { hasMarker } from "./marker.ts";
import { proofStanding } from "./proof-standing.ts";
import type { CheckStanding } from "./verification.ts";

interface WorkContext {
  readonly root: string;
  readonly person?: CheckHistories;
  /** The standing of each check for the current files, if it was computed; otherwise the last run counts. */
  readonly checks?: readonly CheckStanding[];
  /** Digest of the current files without documents, compared with the files the reviewer saw. */
  readonly files?: string;
  readonly lastMessage?: string;
}

type Agent = Parameters<typeof proofStanding>[1];

/** Answers for every kind of evidence that a rule can require. */
export function standingIn(session: Session, agent: Agent, ground: WorkContext) {
  const proof = proofStanding(session, agent);
  return (need: Need, file?: Parameters<typeof proof>[1]): EvidenceState => {
    switch (need.evidence) {
      case "command":
        return checkStanding(need.of ?? "", session, ground);
      case "change":
        return (session.written ?? []).some((path) => fits(need.of ?? "", path, ground.root)) ? MET : MISSING;
      case "marker":
        return hasMarker(ground.lastMessage ?? "", need.of ?? "") ? MET : MISSING;
      case "verdict":
        return reviewed(proof(need, file), session, need, ground);
      default:
        return proof(need, file);
    }
  };
}

const MET: EvidenceState = { met: true };
const MISSING: EvidenceState = { met: false, why: "missing" };

function checkStanding(of: string, { checks }: Session, { person, checks: looked }: WorkContext): EvidenceState {
  const name = CHECKS.find((one) => one === of);
  if (name === undefined) return MISSING;
  const found = looked?.find(({ check }) => check === name);
  if (found) return found.standing === "passed" ? { met: true } : { met: false, why: WHY[found.standing] ?? "missing" };
  const last = newest([...runsOf(name, checks), ...runsOf(name, person)]);
  if (!last) return MISSING;
  return last.outcome === "passed" ? { met: true, at: last.endedAt } : { met: false, why: "failed" };
}

const WHY: Readonly<Partial<Record<CheckStanding["standing"], NonNullable<EvidenceState["why"]>>>> = {
  stale: "stale",
  expired: "stale",
  partial: "partial",
  failed: "failed",
  changed: "stale",
  unbound: "stale",
};

function runsOf(name: CheckName, histories: CheckHistories = {}): readonly CheckResult[] {
  return Object.values(histories).flatMap(({ whole }) => (whole?.check === name ? [whole] : []));
}

function newest(results: readonly CheckResult[]): CheckResult | undefined {
  return [...results].sort((a, b) => b.endedAt - a.endedAt)[0];
}

/** A review covers only the files that the reviewer saw. */
function reviewed(
  standing: EvidenceState,
  { proof }: Session,
  { of = "" }: Need,
  { files }: WorkContext,
): EvidenceState {
  const review = proof?.reviews[of.slice(of.lastIndexOf(":") + 1)];
  const isOther = files !== undefined && review?.files !== undefined && review.files !== files;
  return standing.met && isOther ? { met: false, why: "stale" } : standing;
}

function fits(glob: string, path: string, root: string): boolean {
  return pathsMeet(protectedPlace(root, glob).everywhere, namesOf(path, false));
}
