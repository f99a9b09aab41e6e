/** What a verdict asks for beside its answer: done once it is kept. None hides another. */
import type { TraceEntry, Verdict } from "./verdict.ts";

export function jobsIn(trace: readonly TraceEntry[]): Pick<Verdict, "trim" | "handover" | "format"> {
  const format = trace.find(({ ruling }) => ruling.format !== undefined)?.ruling.format;
  return {
    ...(trace.some(({ ruling }) => ruling.trim) && { trim: true as const }),
    ...(trace.some(({ ruling }) => ruling.handover) && { handover: true as const }),
    ...(format !== undefined && { format }),
  };
}
