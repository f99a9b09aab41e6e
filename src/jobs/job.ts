/** The input and the result of a job. */
import type { Host } from "../hosts/host.ts";
import type { Question, Verdict } from "../kernel/decide.ts";
import type { Places } from "../kernel/facts.ts";
import type { Text } from "../lib/text.ts";
import type { CommitRecord, ContextRecord, FaultRecord, FormatRecord, UndoRecord } from "../state/record.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { Environment } from "../world/machine/places.ts";

export interface JobContext {
  readonly question: Question;
  readonly verdict: Verdict;
  readonly settings: Settings;
  readonly places: Places;
  readonly host: Host;
  readonly env: Environment;
  readonly clock: () => number;
  /** On the same clock: the answer must be on its way by then. */
  readonly deadline: number;
  readonly started: number;
  /** Changes a file of the project's queue. */
  readonly changeQueue?: ((path: string, change: (value: unknown) => unknown) => void) | undefined;
}

/** The result of a job. The hall keeps the record and tells the agent the note. */
export interface JobResult {
  readonly note?: Text;
  readonly record?: CommitRecord | ContextRecord | FaultRecord | FormatRecord | UndoRecord;
  /** Told in place of the note when the record could not be kept. */
  readonly noteUnkept?: Text;
}
