/**
 * The host's own way to wake a session: a hook at the end of a turn that the host leaves running, and that wakes the session when
 * it ends with code 2. It waits for messages of its own session, and types nothing.
 */
import { discard } from "../../store/journal/discard.ts";
import { isAlive } from "../../world/machine/caller.ts";
import { type Here, orFail } from "../project.ts";
import { sessionAbove } from "../queries/sessions.ts";
import { processIn } from "./lock.ts";
import { announce, waiterFile } from "./waiter.ts";
import { rounds } from "./watch.ts";

/** The text for the session, or undefined if it needs no waking: another hook waits by now, or nobody sends messages here. */
export async function waitToWake(place: Here): Promise<string | undefined> {
  const { journal } = place.places;
  const above = sessionAbove(orFail(place.store.read()), process.pid, Date.now());
  // Without a person the host would wait for this process to end before it ends itself.
  if (!above || above[1].actor === undefined || above[1].headless || place.settings.settings.roles.preset === "off")
    return undefined;
  const [session, { client }] = above;
  const path = waiterFile(journal, session);
  const stop = new AbortController();
  let words: string | undefined;
  announce(path);
  try {
    await rounds(place, {
      ...{ tell: () => undefined, callsBy: "host", signal: stop.signal, only: session },
      isOver: () => processIn(path)?.pid !== process.pid || (client !== undefined && !isAlive(client)),
      async call(_, text) {
        words = text;
        stop.abort();
        return undefined;
      },
    });
  } finally {
    if (processIn(path)?.pid === process.pid) discard(path);
  }
  return words;
}
