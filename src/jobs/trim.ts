/** Shortens the agent's context files before the host compacts the conversation. */
import type { Steps } from "../kernel/effect.ts";
import { inline } from "../lib/text.ts";
import { trimContext } from "./context-trim.ts";
import type { JobContext, JobResult } from "./job.ts";

const HEADING_CHARS_MAX = 70;
const LEFT_CHARS_MAX = 100;

/** The summary goes into the journal: a file of the project could be rewritten, and would show up in git. */
export function* trim(_: unknown, { question: { event }, host, places, started }: JobContext): Steps<JobResult> {
  const done = trimContext(event.cwd, places.project, started, host.traits.contextDirectory);
  if (!done) return {};
  const { entries, archived, stamped } = done;
  const headings = done.headings.map((heading) => inline(heading, HEADING_CHARS_MAX));
  const left = done.left.map((words) => inline(words, LEFT_CHARS_MAX));
  return {
    record: {
      ...{ kind: "context", session: event.session, entries, archived, headings, stamped },
      ...(left.length > 0 && { left }),
    },
  };
}
