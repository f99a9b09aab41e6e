/** The snapshot between a verdict and its answer: the lane takes it as it can, and comes back with the outcome. */
import type { Host, Pending, Reply } from "./hosts/host.ts";
import type { Question, Verdict } from "./kernel/decide.ts";
import type { HookEvent } from "./kernel/event.ts";
import type { Places } from "./kernel/facts.ts";
import { maskText } from "./kernel/secrets.ts";
import { snapshotNote } from "./kernel/snapshot-note.ts";
import type { SnapshotOutcome, SnapshotRequest } from "./kernel/snapshot-request.ts";
import { clip, inline, type Language } from "./kernel/text.ts";
import type { RecordBody } from "./state/record.ts";
import type { Settings } from "./state/settings.ts";
import { isFault, type Keeper } from "./store/store.ts";

/** A snapshot is taken within this, or is left incomplete; and an answer must have time to be spoken. */
const SNAPSHOT_MS_MAX = 2000;
const SPEAKING_MS = 500;
const COMMAND_CHARS_MAX = 200;
const DAY_MS = 86_400_000;

/** What of the hall is needed for it. */
interface Room {
  readonly host: Host;
  readonly clock: () => number;
  readonly deadline: number;
  readonly storeOf: (places: Places) => Keeper;
}

interface Answered {
  readonly verdict: Verdict;
  readonly id: string;
  readonly settings: Settings;
  readonly places: Places;
  readonly language: Language;
  readonly hall: Room;
  readonly started: number;
}

export function withSnapshot(reply: Reply, { event }: Question, answered: Answered): Pending {
  const { losses = [] } = answered.verdict;
  if (losses.length === 0) return reply;
  const { settings, places, hall, started } = answered;
  const timeMs = Math.min(SNAPSHOT_MS_MAX, hall.deadline - hall.clock() - SPEAKING_MS);
  const request: SnapshotRequest = {
    losses,
    project: places.project,
    directory: places.journal,
    session: event.session,
    call: "call" in event ? clip(event.call, 120) : "",
    command: commandOf(event),
    now: started,
    timeMs: Math.max(0, timeMs),
    retention: {
      maxAgeMs: settings.undo.retention_days * DAY_MS,
      maxBytes: settings.undo.max_megabytes * 1024 * 1024,
    },
  };
  const answer = (outcome: SnapshotOutcome): Reply => {
    try {
      return finish(outcome, event, request, answered);
    } catch (error) {
      // The verdict is kept and stands; a snapshot that failed never stops the work.
      void error;
      return reply;
    }
  };
  return { ...reply, snapshot: { request, finish: answer } };
}

function commandOf(event: HookEvent): string {
  const command = "tool" in event && event.tool.kind === "bash" ? event.tool.command : "";
  // Masked with a wide margin before it is cut, and cut before it is kept.
  return inline(maskText(command.slice(0, 16_384)), COMMAND_CHARS_MAX);
}

/** What was kept counts once the journal says so: a snapshot without its record is none. */
function finish(outcome: SnapshotOutcome, event: HookEvent, request: SnapshotRequest, answered: Answered): Reply {
  const { verdict, id, places, language, hall, started } = answered;
  const say = (final: SnapshotOutcome): { readonly reply: Reply; readonly injected: number } => {
    const before = hall.host.render(event.name, verdict, { language, id });
    const note = snapshotNote(final);
    if (!note) return { reply: before, injected: 0 };
    const reply = hall.host.render(event.name, { ...verdict, notes: [...verdict.notes, note] }, { language, id });
    return { reply, injected: reply.injected - before.injected };
  };
  const spoken = say(outcome);
  const record = recordOf(outcome, event, request, spoken.injected);
  const kept = record && hall.storeOf(places).append(record, started);
  return kept && isFault(kept) ? say({ is: "failed", problem: kept.fault }).reply : spoken.reply;
}

function recordOf(
  outcome: SnapshotOutcome,
  event: HookEvent,
  { session, call, command }: SnapshotRequest,
  injected: number,
): RecordBody | undefined {
  const told = injected > 0 && { injected };
  if (outcome.is === "failed") {
    const message = maskText(clip(outcome.problem, 500));
    return { kind: "fault", event: event.name, session, where: "run-snapshot", message, ...told };
  }
  if (outcome.is === "empty" || (outcome.is === "left" && injected === 0)) return undefined;
  const kept =
    outcome.is === "left"
      ? { do: "nothing" as const, id: "", files: 0, bytes: 0 }
      : { do: "keep" as const, id: outcome.id, files: outcome.files, bytes: outcome.bytes, manifest: outcome.manifest };
  const { leftCount: left } = outcome;
  return {
    ...{ kind: "undo", session, command, ...kept },
    ...(call !== "" && { call }),
    ...(left > 0 && { left }),
    ...told,
  };
}
