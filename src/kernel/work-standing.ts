/** What a session has shown by its work: checks that passed, files it changed, words it ended with. */
import { CHECKS, type CheckName } from "../state/check-names.ts";
import type { CheckHistories, CheckResult } from "../state/checks.ts";
import type { Need } from "../state/evidence-rules.ts";
import type { Session } from "../state/session.ts";
import type { Standing } from "./evidence-rule.ts";
import { hasMarker } from "./marker.ts";
import { namesOf, pathsMeet } from "./path-meeting.ts";
import { proofStanding } from "./proof-standing.ts";
import { protectedPlace } from "./protected-list.ts";
import type { CheckStanding } from "./verification.ts";

interface Ground {
  readonly root: string;
  readonly person?: CheckHistories;
  /** How each check stands for the files as they are, where somebody has looked; without it, by its last run. */
  readonly checks?: readonly CheckStanding[];
  /** Files as they stand, documents left out; what a reviewer saw is held against it. */
  readonly files?: string;
  readonly lastMessage?: string;
}

type Agent = Parameters<typeof proofStanding>[1];

/** Every kind of evidence that a rule can ask for. */
export function standingIn(session: Session, agent: Agent, ground: Ground) {
  const proof = proofStanding(session, agent);
  return (need: Need, file?: Parameters<typeof proof>[1]): Standing => {
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

const MET: Standing = { met: true };
const MISSING: Standing = { met: false, why: "missing" };

function checkStanding(of: string, { checks }: Session, { person, checks: looked }: Ground): Standing {
  const name = CHECKS.find((one) => one === of);
  if (name === undefined) return MISSING;
  const found = looked?.find(({ check }) => check === name);
  if (found) return found.standing === "passed" ? { met: true } : { met: false, why: WHY[found.standing] ?? "missing" };
  const last = newest([...runsOf(name, checks), ...runsOf(name, person)]);
  if (!last) return MISSING;
  return last.outcome === "passed" ? { met: true, at: last.endedAt } : { met: false, why: "failed" };
}

const WHY: Readonly<Partial<Record<CheckStanding["standing"], NonNullable<Standing["why"]>>>> = {
  stale: "stale",
  expired: "stale",
  partial: "partial",
  failed: "failed",
  changed: "stale",
};

function runsOf(name: CheckName, histories: CheckHistories = {}): readonly CheckResult[] {
  return Object.values(histories).flatMap(({ whole }) => (whole?.check === name ? [whole] : []));
}

function newest(results: readonly CheckResult[]): CheckResult | undefined {
  return [...results].sort((a, b) => b.endedAt - a.endedAt)[0];
}

/** A review is of what the reviewer saw. */
function reviewed(standing: Standing, { proof }: Session, { of = "" }: Need, { files }: Ground): Standing {
  const review = proof?.reviews[of.slice(of.lastIndexOf(":") + 1)];
  const isOther = files !== undefined && review?.files !== undefined && review.files !== files;
  return standing.met && isOther ? { met: false, why: "stale" } : standing;
}

function fits(glob: string, path: string, root: string): boolean {
  return pathsMeet(protectedPlace(root, glob).everywhere, namesOf(path, false));
}
