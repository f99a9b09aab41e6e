/**
 * Ends of turns that the host's transcript does not show. After the hooks of every Stop the host writes an entry; a Stop
 * that a program made up, as an event or as a record, has none before the next one.
 */
import type { JournalRecord } from "../../state/record.ts";
import type { Unwitnessed } from "./unwitnessed-record.ts";

interface Ends {
  readonly ends: readonly number[];
  readonly breaks: readonly number[];
}

type Verdict = Extract<JournalRecord, { kind: "verdict" }>;

/** The hooks of others run as long as the host lets them; an end that is still missing then never was. */
const PENDING_MS = 11 * 60_000;

export function unstoppedIn(
  events: readonly Verdict[],
  toldOf: (session: string) => Ends | undefined,
  now: number,
): readonly Unwitnessed[] {
  const stops = events.filter(({ event, agent }) => event === "Stop" && agent === undefined);
  return [...new Set(stops.map(({ session }) => session))].flatMap((session) => {
    const all = stops.filter((stop) => stop.session === session);
    const told = toldOf(session);
    // A host that has never written such an entry can't be compared.
    if (!told || told.ends.length === 0) return [];
    return all.flatMap(({ rid, t: at }, index) => {
      const next = all[index + 1]?.t ?? Number.POSITIVE_INFINITY;
      const isShown = [...told.ends, ...told.breaks].some((end) => end >= at && end < next);
      const isPending = next === Number.POSITIVE_INFINITY && now - at < PENDING_MS;
      return isShown || isPending
        ? []
        : [{ rid, at, session, command: "a record: Stop that is not in the transcript" }];
    });
  });
}
