/** Inboxes, tasks and agents of this project, as commands show them. */
import { valuesIn } from "../../lib/buckets.ts";
import { own } from "../../lib/keyed.ts";
import { type Box, newBox, waitingCount } from "../../state/inbox/box.ts";
import type { Holder } from "../../state/inbox/records.ts";
import { type Letter, type Letters, lettersOf } from "../../state/letters/part.ts";
import { standingOf } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import { type AgentView, agentView, type LetterView, letterView, type TaskView, taskView } from "../../views/inbox.ts";
import { isAlive } from "../../world/machine/caller.ts";
import { actorHere, knownActors, ROLES_OFF, recipient, rolesIn } from "../mail/actor.ts";
import { wholeText } from "../mail/text.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { hostAgents, nativeMail, notArrived } from "./native-messages.ts";
import { isRunning, sessionsIn } from "./sessions.ts";

export function boxNamed(letters: Letters, name: string): { readonly box: Box; readonly letters: readonly Letter[] } {
  return { box: own(letters.inbox.boxes, name) ?? newBox, letters: lettersOf(letters, name) };
}

/** By the beginning of its id. */
export function letterNamed(letters: readonly Letter[], given: string): Letter {
  const exact = letters.find(({ id }) => id === given);
  const [found, ...others] = exact ? [exact] : letters.filter(({ id }) => given !== "" && id.startsWith(given));
  if (!found) throw new Problem(`No message "${given.slice(0, 40)}" in this inbox. \`sekisho inbox list\` shows them.`);
  if (others.length > 0) throw new Problem(`Several messages begin with "${given}". Give more of the id.`);
  return found;
}

/** The letters of an inbox: one's own, or any for a person, by name. With those that went through the host. */
export function mailHere(
  place: Here,
  of: string | undefined,
): { readonly actor: string; readonly letters: readonly LetterView[] } {
  const now = Date.now();
  const state = orFail(place.store.read(["letters", "wakes"]));
  const native = nativeMail(place, state, of);
  if (place.settings.settings.roles.preset === "off" && of === undefined && native.letters.length > 0) return native;
  const roles = rolesIn(place);
  const actor =
    of === undefined ? actorHere(state, now).name : recipient(of, roles, knownActors(state, state.letters.inbox));
  const { box, letters } = boxNamed(state.letters, actor);
  const wake = own(state.wakes, actor);
  const failedUpto = wake?.last === "fail" ? wake.upto : 0;
  const views = letters.map((letter) =>
    letterView(letter, box, now, wholeText(place.places.journal, letter), failedUpto),
  );
  return { actor, letters: [...views, ...native.letters].sort((a, b) => (a.created_at < b.created_at ? -1 : 1)) };
}

/** The process of a claim; where it cannot be looked up, the claim stands. */
export function isHeld(holder: Holder | undefined): boolean {
  return holder !== undefined && (holder.started === "" || isAlive(holder));
}

export function tasksHere(place: Here): readonly TaskView[] {
  const { inbox } = orFail(place.store.read(["inbox"]));
  return valuesIn(inbox.tasks)
    .map((task) => taskView(task, inbox.tasks, isHeld(task.holder), wholeText(place.places.journal, task)))
    .sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** Why a list is empty, where nothing can come. */
export function whereOff({ settings }: Here): string {
  return settings.settings.roles.preset === "off" ? `\n${ROLES_OFF}` : "";
}

export function isOfPerson(actor: string): boolean {
  return actor === PERSON;
}

export function waitingForPerson({ store }: Here): number {
  return waitingCount(own(orFail(store.read(["inbox"])).inbox.boxes, PERSON) ?? newBox);
}

/** Those of whom no session runs. The person is always there. */
export function absentOf({ store }: Here, names: readonly string[]): readonly string[] {
  const now = Date.now();
  const running = sessionsIn(orFail(store.read())).filter(([, session]) => isRunning(session, now));
  return names.filter((name) => name !== PERSON && !running.some(([, { actor }]) => actor === name));
}

/** Every agent that was here, or has something waiting, with its state. Sessions without a name have the host's. */
export function agentsHere(place: Here): readonly AgentView[] {
  const now = Date.now();
  const { roles } = place.settings.settings;
  const state = orFail(place.store.read(["inbox"]));
  const sessions = sessionsIn(state);
  const names = roles.preset === "off" ? [] : knownActors(state, state.inbox);
  const named = names
    .filter((name) => name !== PERSON)
    .sort()
    .map((name) => {
      const session = sessions.find(([, { actor }]) => actor === name);
      const working = valuesIn(state.inbox.tasks).filter(
        ({ status, holder }) => status === "in_progress" && holder?.actor === name,
      );
      return agentView(name, {
        standing: standingOf(name, roles),
        waiting: waitingCount(own(state.inbox.boxes, name) ?? newBox),
        notArrived: notArrived(state.inbox, name, session?.[0]),
        tasks: working.map(({ id }) => id),
        ...(session && { session: session[0], lastAt: session[1].lastAt, isRunning: isRunning(session[1], now) }),
      });
    });
  return [...named, ...hostAgents(place, state, new Set(named.flatMap(({ session }) => session ?? [])))];
}
