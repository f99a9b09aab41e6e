/** The evidence observed in the current work tree. */
import { type EvidenceView, evidenceView } from "../../views/evidence.ts";
import { workHere } from "./work.ts";

/** Defaults to the newest session. */
export function evidenceHere(session: string | undefined): EvidenceView {
  const { tree, known, sessionId } = workHere(session);
  return evidenceView(tree, known, sessionId);
}
