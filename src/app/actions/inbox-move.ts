/** Reads, acknowledges and removes messages of an inbox. */
import { rangesOf } from "../../lib/ranges.ts";
import type { MailRecord } from "../../state/inbox/records.ts";
import { type Letter, lettersOf } from "../../state/letters/part.ts";
import { type LetterView, letterView } from "../../views/inbox.ts";
import { actorHere } from "../mail/actor.ts";
import { wholeText } from "../mail/text.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { boxNamed, letterNamed } from "../queries/inbox.ts";
import { queueRead } from "./inbox-queue.ts";

const RANGES_PER_RECORD = 80;

/** The unread messages, or the named ones, marked as read. With `isDry` nothing is marked. */
export function readMail(
  place: Here,
  ids: readonly string[],
  { isDry }: { readonly isDry: boolean },
): readonly LetterView[] {
  const { store, places } = place;
  const now = Date.now();
  const state = orFail(store.read(["letters"]));
  const actor = actorHere(state, now);
  const { box, letters } = boxNamed(state.letters, actor.name);
  const wanted =
    ids.length > 0
      ? ids.map((id) => letterNamed(letters, id))
      : letters.filter(
          ({ readAt, failed, expires = now + 1 }) => readAt === undefined && failed === undefined && expires > now,
        );
  const unread = wanted.filter(({ readAt }) => readAt === undefined);
  if (!isDry) {
    move(place, "read", actor.name, unread, now, actor.session);
    queueRead(
      place,
      actor.name,
      unread.map(({ id }) => id),
    );
  }
  return wanted.map((letter) => letterView(letter, box, now, wholeText(places.journal, letter)));
}

/** Of another inbox only for a person, who was let in by the command. */
export function ackMail(place: Here, ids: readonly string[], of: string | undefined): readonly string[] {
  const now = Date.now();
  const state = orFail(place.store.read(["letters"]));
  const actor = of === undefined ? actorHere(state, now) : { name: of };
  const { letters } = boxNamed(state.letters, actor.name);
  if (ids.length === 0) throw new Problem("Name the messages to acknowledge. `sekisho inbox list` shows their ids.");
  const named = ids.map((id) => letterNamed(letters, id));
  move(place, "ack", actor.name, named, now, "session" in actor ? actor.session : undefined);
  return named.map(({ id }) => id);
}

/** Removes the read ones from the inbox. The journal still has them. */
export function drainMail(place: Here): { readonly removed: number } {
  const now = Date.now();
  const state = orFail(place.store.read(["letters"]));
  const actor = actorHere(state, now);
  const before = lettersOf(state.letters, actor.name).length;
  const record: MailRecord = {
    kind: "mail",
    do: "drain",
    box: actor.name,
    ...(actor.session && { session: actor.session }),
  };
  const { after } = orFail(place.store.append(record, now, { durable: true, needs: ["letters"] }));
  return { removed: before - lettersOf(after.letters, actor.name).length };
}

function move(
  { store }: Here,
  what: "read" | "ack",
  box: string,
  letters: readonly Letter[],
  now: number,
  session: string | undefined,
): void {
  const numbers = rangesOf(letters.map(({ n }) => n).filter((n) => n > 0));
  for (let at = 0; at < numbers.length; at += RANGES_PER_RECORD) {
    const some = numbers.slice(at, at + RANGES_PER_RECORD);
    orFail(
      store.append({ kind: "mail", do: what, box, numbers: some, ...(session && { session }) }, now, { durable: true }),
    );
  }
}
