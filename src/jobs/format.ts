/** Runs the project's formatter over a file that the agent has just changed. The verdict stands whatever comes of it. */
import { type ProgramResult, type ProgramRun, run, type Steps } from "../kernel/effect.ts";
import type { HookEvent } from "../kernel/event.ts";
import { isUnknown } from "../kernel/facts.ts";
import type { Job } from "../kernel/job.ts";
import { absolute, baseName } from "../lib/paths.ts";
import { maskText } from "../lib/secrets.ts";
import { clip, inline, type Text, text } from "../lib/text.ts";
import type { FormatRecord } from "../state/record.ts";
import { formatterFor } from "./formatters.ts";
import { changedIn, madeOf, type Original, originalOf } from "./formatting.ts";
import type { JobContext, JobResult } from "./job.ts";

const FORMAT_MS_MAX = 10_000;
/** Left for writing the answer. */
const SPEAKING_MS = 500;
const PATH_CHARS_MAX = 400;

export function* format(job: Extract<Job, { job: "format" }>, context: JobContext): Steps<JobResult> {
  const { event, facts } = context.question;
  const formatting = formattingOf(job.path, context);
  const { session } = facts;
  if (!formatting || session === undefined || isUnknown(session)) return {};
  const record = recordOf(formatting, event);
  const changed = changedIn(session, formatting.code);
  if (changed !== undefined) {
    return { record: { ...record, problem: `${inline(changed, 200)} was changed in this session, so it is not run` } };
  }
  const result = yield* run(formatting.program);
  const made = madeOf(formatting.path, formatting.original);
  if (made === "other") return { note: noteOf(formatting), record };
  const problem = made === "same" ? failureOf(result) : HARM[made];
  return problem === undefined ? {} : { record: { ...record, problem } };
}

interface Formatting {
  readonly path: string;
  readonly by: string;
  readonly program: ProgramRun;
  readonly code: readonly string[];
  readonly original: Original;
}

function formattingOf(given: string, context: JobContext): Formatting | undefined {
  const { question, settings, places, env, clock, deadline } = context;
  const path = absolute(given, question.event.cwd);
  if (path === undefined) return undefined;
  const original = originalOf(path, places.project);
  const { commands } = settings.format;
  const formatter = original && formatterFor({ path, project: places.project, commands, env });
  const timeMs = Math.min(FORMAT_MS_MAX, Math.floor(deadline - clock() - SPEAKING_MS));
  if (!formatter || timeMs <= 0) return undefined;
  const { by, program, code } = formatter;
  return { path, by, program: { ...program, timeMs }, code, original };
}

function failureOf(result: ProgramResult): string | undefined {
  return "failed" in result ? result.failed : undefined;
}

const HARM = {
  lost: "it left nothing of the file, and what was there was put back",
  replaced: "something else stands in the place of the file",
} as const;

function recordOf({ path, by }: Formatting, event: HookEvent): FormatRecord {
  const call = "call" in event ? clip(event.call, 120) : "";
  return {
    kind: "format",
    session: event.session,
    ...(call !== "" && { call }),
    path: clip(maskText(path), PATH_CHARS_MAX),
    by: clip(by, 60),
  };
}

function noteOf({ path, by }: Formatting): Text {
  const [name, program] = [inline(baseName(path), 60), inline(by, 40)];
  return text(
    `Sekisho: ${name} was reformatted by ${program} after this edit. Read it again before the next edit.`,
    `関所: この編集のあと ${name} は ${program} で整形されました。次の編集の前に読み直してください。`,
  );
}
