/** The modes of this project's sessions, and those that wait for one. */
import { type ModeView, modeViews } from "../../views/modes.ts";
import { type Here, orFail } from "../project.ts";
import { isRunning } from "./sessions.ts";

/** `session`: only of the session whose id begins so. */
export function modesHere({ store }: Here, session?: string): readonly ModeView[] {
  const now = Date.now();
  const all = modeViews(orFail(store.read()), now, (one) => isRunning(one, now));
  return session === undefined ? all : all.filter((view) => view.session?.startsWith(session));
}
