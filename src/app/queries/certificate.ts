/** What is proven of the current work tree as it stands. */
import { type CertificateView, certificateView } from "../../views/certificate.ts";
import { VERSION } from "../project.ts";
import { workHere } from "./work.ts";

/** Defaults to the newest session. */
export function certificateHere(session: string | undefined): CertificateView {
  const { tree, known, sessionId } = workHere(session);
  return certificateView(tree, known, { sessionId, version: VERSION });
}
