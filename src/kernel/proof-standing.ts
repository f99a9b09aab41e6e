/** What a session has shown by its skills, reads, reviews and approvals. The other kinds are answered by their owners. */
import type { Need } from "../state/evidence-rules.ts";
import { own } from "../state/keyed.ts";
import { bareName, newProof, type Proof, type Review, skillKey } from "../state/proof.ts";
import type { Session } from "../state/session.ts";
import type { Standing, TouchedFile } from "./evidence-rule.ts";

const MISSING: Standing = { met: false, why: "missing" };

type Known = Pick<Session, "proof" | "written">;

/** The subagent that asks. */
interface Agent {
  readonly id: string;
  readonly type: string;
}

/**
 * Our own agents begin with these skills in their context; the client loads them without a tool use, so nobody sees it.
 * As `plugin/agents/` says.
 */
export const PRELOADED: Readonly<Record<string, readonly string[]>> = {
  "sekisho:implementer": ["code-quality-rules", "verification-before-completion"],
  "sekisho:researcher": ["document-quality-rules"],
  "sekisho:reviewer": ["code-quality-rules", "document-quality-rules", "verification-before-completion"],
};

/** `agent` is undefined for the main agent. */
export function proofStanding(session: Known, agent: Agent | undefined): (need: Need, file?: TouchedFile) => Standing {
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

function at(when: number | undefined): Standing {
  return when === undefined ? MISSING : { met: true, at: when };
}

/** The main agent gives a subagent its orders; what the subagent takes up, the main agent has never seen. */
function skillStanding({ skills }: Proof, of: string, agent: Agent | undefined): Standing {
  if (agent && own(PRELOADED, agent.type)?.includes(bareName(of))) return { met: true };
  const when = own(skills, skillKey(of)) ?? (agent === undefined ? undefined : own(skills, skillKey(of, agent.id)));
  const isElsewhere = when === undefined && Object.keys(skills).some((key) => key.endsWith(`/${bareName(of)}`));
  return isElsewhere ? { met: false, why: "other-agent" } : at(when);
}

/** What a session has written itself it knows. */
function readStanding({ proof = newProof, written = [] }: Known, file: TouchedFile | undefined): Standing {
  if (!file) return MISSING;
  const when = own(proof.reads, file.path);
  return when === undefined && written.includes(file.path) ? { met: true } : at(when);
}

function reviewStanding(review: Review | undefined): Standing {
  if (!review) return MISSING;
  return review.pass ? { met: true, at: review.at } : { met: false, at: review.at, why: "failed" };
}
