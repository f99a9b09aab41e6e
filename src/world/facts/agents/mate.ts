/** What waits for a teammate of the session that has gone idle: messages and tasks under its name. */
import { readPart, type Steps } from "../../../kernel/effect.ts";
import type { HookEvent } from "../../../kernel/event.ts";
import type { MateFound } from "../../../kernel/facts.ts";
import { valuesIn } from "../../../lib/buckets.ts";
import { own } from "../../../lib/keyed.ts";
import { newBox } from "../../../state/inbox/box.ts";
import { isEnded, statusOf } from "../../../state/inbox/tasks.ts";

interface Looking {
  readonly event: HookEvent;
  readonly places: { readonly journal: string };
}

/** A task that waits for others is no work yet, and an ended one is none any more. */
export function* mateFound({ event, places }: Looking): Steps<MateFound> {
  if (event.name !== "TeammateIdle") return { box: newBox, tasks: [] };
  const { inbox } = yield* readPart(places.journal, "inbox");
  const tasks = valuesIn(inbox.tasks).filter(
    (task) => task.to === event.mate && !isEnded(task) && statusOf(task, inbox.tasks) !== "blocked",
  );
  return { box: own(inbox.boxes, event.mate) ?? newBox, tasks: tasks.map(({ id, title }) => ({ id, title })) };
}
