/** What a verdict asks for before the host makes a conversation shorter: done once it is kept, and recorded. */
import type { Question, Verdict } from "./kernel/decide.ts";
import type { Places } from "./kernel/facts.ts";
import { inline } from "./kernel/text.ts";
import type { Keeper } from "./store/store.ts";
import { trimContext } from "./world/context-trim.ts";

const HEADING_CHARS_MAX = 70;
const LEFT_CHARS_MAX = 100;

interface Room {
  readonly places: Places;
  readonly store: Keeper;
  readonly started: number;
}

/** The summary goes into the journal and not into a file of the project: there nobody rewrites it, and git has no news. */
export function trimIfAsked({ event }: Question, { trim }: Verdict, { places, store, started }: Room): void {
  if (!trim) return;
  const done = trimContext(event.cwd, places.project, started);
  if (!done) return;
  const { entries, archived, stamped } = done;
  const headings = done.headings.map((heading) => inline(heading, HEADING_CHARS_MAX));
  const left = done.left.map((words) => inline(words, LEFT_CHARS_MAX));
  // A record that cannot be kept changes nothing about what was done, and never holds up the client.
  store.append(
    {
      ...{ kind: "context", session: event.session, entries, archived, headings, stamped },
      ...(left.length > 0 && { left }),
    },
    started,
  );
}
