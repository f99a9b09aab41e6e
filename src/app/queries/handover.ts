/** What a session wrote down for itself before its conversation was compacted. */
import type { Handover } from "../../kernel/handover.ts";
import { inline } from "../../lib/text.ts";
import { handoversIn } from "../../world/machine/handover.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";

/** The newest handover, or that of the session whose id begins so. Undefined: there is none here. */
export function handoverHere({ places }: Here, session: string | undefined): Handover | undefined {
  const all = handoversIn(places.journal);
  if (session === undefined || all.length === 0) return all[0];
  const fitting = all.filter((one) => one.session.startsWith(session));
  if (fitting.length === 1) return fitting[0];
  const problem = fitting.length === 0 ? "No handover here is of a session" : "Several handovers are of sessions";
  throw new Problem(`${problem} whose id begins with "${inline(session, 40)}".`);
}
