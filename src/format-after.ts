/** The formatter between a verdict and its answer: the lane runs it as it can, and comes back with how it went. */
import type { Host, Pending, Reply } from "./hosts/host.ts";
import type { Question, Verdict } from "./kernel/decide.ts";
import type { HookEvent } from "./kernel/event.ts";
import { isUnknown, type Places } from "./kernel/facts.ts";
import { absolute, baseName } from "./kernel/paths.ts";
import { maskText } from "./kernel/secrets.ts";
import { clip, inline, type Language, type Text, text } from "./kernel/text.ts";
import type { FaultRecord, FormatRecord } from "./state/record.ts";
import type { Settings } from "./state/settings.ts";
import type { Keeper } from "./store/store.ts";
import type { Errand, Outcome } from "./world/errand.ts";
import { formatterFor } from "./world/formatters.ts";
import { changedIn, madeOf, type Original, originalOf } from "./world/formatting.ts";
import type { Environment } from "./world/places.ts";

/** An answer that has to wait for a formatter as well: then `finish` has what to say. */
export interface Unfinished extends Pending {
  readonly format?: { readonly errand: Errand; finish(outcome: Outcome): Reply };
}

/** It ends within this, and within what the event leaves; an answer must have time to be spoken. */
const FORMAT_MS_MAX = 10_000;
const SPEAKING_MS = 500;
const PATH_CHARS_MAX = 400;

interface Answered {
  readonly verdict: Verdict;
  readonly id: string;
  readonly settings: Settings;
  readonly places: Places;
  readonly language: Language;
  readonly hall: {
    readonly host: Host;
    readonly env: Environment;
    readonly clock: () => number;
    readonly deadline: number;
    readonly storeOf: (places: Places) => Keeper;
  };
  readonly started: number;
}

/** Whatever goes wrong here, the tool has done its work and the verdict on it stands. */
export function withFormat(reply: Pending, { event, facts }: Question, answered: Answered): Unfinished {
  try {
    const job = jobOf(event, answered);
    const { session } = facts;
    if (!job || session === undefined || isUnknown(session)) return reply;
    const changed = changedIn(session, job.code);
    if (changed !== undefined) {
      const problem = `${inline(changed, 200)} was changed in this session, so it is not run`;
      keep({ ...recordOf(job, event), problem }, answered);
      return reply;
    }
    const finish = (outcome: Outcome): Reply => {
      try {
        return finished(job, outcome, event, answered) ?? reply;
      } catch (error) {
        keepFault(error, event, answered);
        return reply;
      }
    };
    return { ...reply, format: { errand: job.errand, finish } };
  } catch (error) {
    keepFault(error, event, answered);
    return reply;
  }
}

/** Kept where it can be: the answer does not depend on it. */
function keepFault(error: unknown, { name, session }: HookEvent, answered: Answered): void {
  const message = maskText(clip(error instanceof Error ? error.message : String(error), 500));
  keep({ kind: "fault", event: name, session, where: "run-formatter", message }, answered);
}

function keep(record: FormatRecord | FaultRecord, { places, hall, started }: Answered): void {
  hall.storeOf(places).append(record, started);
}

interface Job {
  readonly path: string;
  readonly by: string;
  readonly errand: Errand;
  readonly code: readonly string[];
  readonly original: Original;
}

function jobOf(event: HookEvent, { verdict, id, settings, places, hall }: Answered): Job | undefined {
  const path = absolute(verdict.format ?? "", event.cwd);
  // What could not be kept leaves the file as the agent knows it.
  if (path === undefined || id === "") return undefined;
  const original = originalOf(path, places.project);
  const { commands } = settings.format;
  const formatter = original && formatterFor({ path, project: places.project, commands, env: hall.env });
  const timeMs = Math.min(FORMAT_MS_MAX, Math.floor(hall.deadline - hall.clock() - SPEAKING_MS));
  if (!formatter || timeMs <= 0) return undefined;
  const { by, errand, code } = formatter;
  return { path, by, errand: { ...errand, timeMs }, code, original };
}

/** Undefined when there is nothing to say: the file is as the agent wrote it. */
function finished(job: Job, outcome: Outcome, event: HookEvent, answered: Answered): Reply | undefined {
  const { verdict, id, language, hall } = answered;
  const made = madeOf(job.path, job.original);
  if (made === "other") {
    const notes = [...verdict.notes, noteOf(job)];
    const before = hall.host.render(event.name, verdict, { language, id });
    const reply = hall.host.render(event.name, { ...verdict, notes }, { language, id });
    keep({ ...recordOf(job, event), injected: reply.injected - before.injected }, answered);
    return reply;
  }
  const problem = made === "same" ? ("failed" in outcome ? outcome.failed : undefined) : HARM[made];
  if (problem !== undefined) keep({ ...recordOf(job, event), problem }, answered);
  return undefined;
}

const HARM = {
  lost: "it left nothing of the file, and what was there was put back",
  replaced: "something else stands in the place of the file",
} as const;

function recordOf({ path, by }: Job, event: HookEvent): FormatRecord {
  const call = "call" in event ? clip(event.call, 120) : "";
  return {
    kind: "format",
    session: event.session,
    ...(call !== "" && { call }),
    path: clip(maskText(path), PATH_CHARS_MAX),
    by: clip(by, 60),
  };
}

function noteOf({ path, by }: Job): Text {
  const [name, program] = [inline(baseName(path), 60), inline(by, 40)];
  return text(
    `Sekisho: ${name} was reformatted by ${program} after this edit. Read it again before the next edit.`,
    `関所: この編集のあと ${name} は ${program} で整形されました。次の編集の前に読み直してください。`,
  );
}
