/**
 * Tells whether a session has shown evidence of the kinds skill, read, verdict and approval. Other modules answer for
 * the other kinds.
 */

import { own } from "../lib/keyed.ts";
import { bareName, newProof, type Proof, type Review, skillKey } from "../state/session/proof.ts";
import type { Session } from "../state/session/session.ts";
import type { Need } from "../state/settings/evidence-rules.ts";
import type { EvidenceState, TouchedFile } from "./evidence-rule.ts";

const MISSING: EvidenceState = { met: false, why: "missing" };

type Known = Pick<Session, "proof" | "written">;

/** The subagent that asks. */
interface Agent {
  readonly id: string;
  readonly type: string;
}

/**
 * Skills that our own agents start with (see `plugin/agents/`). The host loads them without a tool call, so no hook
 * sees it.
 */
export const PRELOADED: Readonly<Record<string, readonly string[]>> = {
  "sekisho:implementer": ["code-quality-rules", "verification-before-completion"],
  "sekisho:researcher": ["document-quality-rules"],
  "sekisho:reviewer": ["code-quality-rules", "document-quality-rules", "verification-before-completion"],
};

/** `agent` is undefined for the main agent. */
export function proofStanding(
  session: Known,
  agent: Agent | undefined,
): (need: Need, file?: TouchedFile) => EvidenceState {
  const { proof = newProof } = session;
  return ({ evidence, of = "" }, file) => {
    switch (evidence) {
      case "skill":
        return skillStanding(proof, of, agent);
      case "read":
        return readStanding(session, file);
      case "verdict":
        return reviewStanding(own(proof.reviews, bareName(of)));
      case "approval":
        return at(own(proof.approvals, of.toLowerCase()));
      default:
        return MISSING;
    }
  };
}

function at(when: number | undefined): EvidenceState {
  return when === undefined ? MISSING : { met: true, at: when };
}

/** A subagent inherits the skills of the main agent, but the main agent does not inherit those of a subagent. */
function skillStanding({ skills }: Proof, of: string, agent: Agent | undefined): EvidenceState {
  if (agent && own(PRELOADED, agent.type)?.includes(bareName(of))) return { met: true };
  const when = own(skills, skillKey(of)) ?? (agent === undefined ? undefined : own(skills, skillKey(of, agent.id)));
  const isElsewhere = when === undefined && Object.keys(skills).some((key) => key.endsWith(`/${bareName(of)}`));
  return isElsewhere ? { met: false, why: "other-agent" } : at(when);
}

/** A file that the session wrote itself counts as read. */
function readStanding({ proof = newProof, written = [] }: Known, file: TouchedFile | undefined): EvidenceState {
  if (!file) return MISSING;
  const when = own(proof.reads, file.path);
  return when === undefined && written.includes(file.path) ? { met: true } : at(when);
}

function reviewStanding(review: Review | undefined): EvidenceState {
  if (!review) return MISSING;
  return review.pass ? { met: true, at: review.at } : { met: false, at: review.at, why: "failed" };
}
