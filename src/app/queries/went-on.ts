/** Records by which a session ended or lost its modes to another one, although the host went on with it. */
import type { JournalRecord } from "../../state/record.ts";
import type { Unwitnessed } from "./unwitnessed-record.ts";

type Verdict = Extract<JournalRecord, { kind: "verdict" }>;

/** What the host reports only of a session that runs. Other events may trail behind its end. */
const RUNNING: ReadonlySet<string> = new Set(["PreToolUse", "UserPromptSubmit"]);

export function wentOnAfter(events: readonly Verdict[]): readonly Unwitnessed[] {
  const ended = new Map<string, Verdict>();
  const found: Unwitnessed[] = [];
  for (const verdict of events) {
    const { session, event } = verdict;
    if (event === "SessionStart") ended.delete(session);
    const end = RUNNING.has(event) ? ended.get(session) : undefined;
    if (end) {
      const { rid, t: at } = end;
      found.push({ rid, at, session, command: `a record: the end of session ${session}, which went on` });
      ended.delete(session);
    }
    for (const gone of endedBy(verdict)) ended.set(gone, verdict);
  }
  return found;
}

function endedBy({ session, changes = [] }: Verdict): readonly string[] {
  return changes.flatMap((change) => {
    if (change.record === "session" && change.do === "end") return [session];
    return change.record === "mode" && change.do === "adopt" ? [change.from] : [];
  });
}
