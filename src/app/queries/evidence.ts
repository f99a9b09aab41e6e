/** What was observed in the work tree here that counts as proof. */
import { type EvidenceView, evidenceView } from "../../views/evidence.ts";
import { workHere } from "./work.ts";

/** Of the given session, or of the newest. */
export function evidenceHere(session: string | undefined): EvidenceView {
  const { tree, known, sessionId } = workHere(session);
  return evidenceView(tree, known, sessionId);
}
