/** Copies what a tool use would destroy, between the verdict and the answer. A copy that fails never stops the work. */
import type { Steps } from "../kernel/effect.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { Job } from "../kernel/job.ts";
import { snapshotNote } from "../kernel/snapshot-note.ts";
import type { SnapshotOutcome, SnapshotRequest } from "../kernel/snapshot-request.ts";
import { maskText } from "../lib/secrets.ts";
import { clip, inline, type Text } from "../lib/text.ts";
import type { JobContext, JobResult } from "./job.ts";

/** A snapshot that takes longer is left incomplete; the answer needs time, too. */
const SNAPSHOT_MS_MAX = 2000;
const SPEAKING_MS = 500;
const COMMAND_CHARS_MAX = 200;
const DAY_MS = 86_400_000;

export function* snapshot({ losses }: Extract<Job, { job: "snapshot" }>, context: JobContext): Steps<JobResult> {
  const { question, settings, places, clock, deadline, started } = context;
  const { event } = question;
  const timeMs = Math.min(SNAPSHOT_MS_MAX, deadline - clock() - SPEAKING_MS);
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
  const outcome = (yield { do: "job", request }) as SnapshotOutcome;
  const note = snapshotNote(outcome);
  const record = recordOf(outcome, event, request, note);
  // A snapshot counts only with its record: without one `undo` cannot find it.
  const noteUnkept = snapshotNote({ is: "failed", problem: "the journal could not be written" });
  return { ...(note && { note }), ...(record && { record }), ...(record && noteUnkept && { noteUnkept }) };
}

function commandOf(event: HookEvent): string {
  const command = "tool" in event && event.tool.kind === "bash" ? event.tool.command : "";
  // Masked before the final cut, so that no part of a secret remains.
  return inline(maskText(command.slice(0, 16_384)), COMMAND_CHARS_MAX);
}

function recordOf(
  outcome: SnapshotOutcome,
  event: HookEvent,
  { session, call, command }: SnapshotRequest,
  note: Text | undefined,
): JobResult["record"] {
  if (outcome.is === "failed") {
    const message = clip(maskText(outcome.problem), 500);
    return { kind: "fault", event: event.name, session, where: "run-snapshot", message };
  }
  if (outcome.is === "empty" || (outcome.is === "left" && !note)) return undefined;
  const kept =
    outcome.is === "left"
      ? { do: "nothing" as const, id: "", files: 0, bytes: 0 }
      : { do: "keep" as const, id: outcome.id, files: outcome.files, bytes: outcome.bytes, manifest: outcome.manifest };
  const { leftCount: left } = outcome;
  return { kind: "undo", session, command, ...kept, ...(call !== "" && { call }), ...(left > 0 && { left }) };
}
