/** Waits for messages: the operating system tells when the journal changes, and nothing is polled. */
import { mkdirSync, watch } from "node:fs";
import { own } from "../../lib/keyed.ts";
import { newBox } from "../../state/inbox/box.ts";
import { actorHere } from "../mail/actor.ts";
import { type Here, orFail } from "../project.ts";

export interface Arrived {
  readonly id: string;
  readonly line: string;
}

export interface Watching {
  /** Called with what waits already, and then with everything that comes. */
  readonly onArrived: (arrived: readonly Arrived[]) => void;
  /** Ends the watch after the first call. */
  readonly once: boolean;
  readonly signal: AbortSignal;
}

/** Resolves when the watch ends: after the first message, or when it is broken off. */
export function watchInbox(place: Here, { onArrived, once, signal }: Watching): Promise<void> {
  const { name } = actorHere(orFail(place.store.read()), Date.now());
  mkdirSync(place.places.journal, { recursive: true, mode: 0o700 });
  const seen = new Set<string>();
  const look = (): boolean => {
    const { inbox } = orFail(place.store.read(["inbox"]));
    const box = own(inbox.boxes, name) ?? newBox;
    const fresh = Object.entries(box.shown)
      .filter(([id]) => !seen.has(id))
      .sort(([, a], [, b]) => a.n - b.n);
    for (const [id] of fresh) seen.add(id);
    if (fresh.length > 0) onArrived(fresh.map(([id, { line }]) => ({ id, line })));
    return fresh.length > 0;
  };
  return new Promise((resolve, reject) => {
    const watcher = watch(place.places.journal, () => {
      try {
        if (look() && once) watcher.close();
      } catch (error) {
        watcher.close();
        reject(error as Error);
      }
    });
    watcher.on("close", resolve);
    watcher.on("error", reject);
    signal.addEventListener("abort", () => watcher.close());
    // After the watch began: what came before it is found now, and what comes later is reported.
    if (look() && once) watcher.close();
  });
}
