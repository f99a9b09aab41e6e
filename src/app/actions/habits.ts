/** Questions that a person has answered with yes: accepted for a while, or dropped. */
import { own } from "../../lib/keyed.ts";
import { policyOfFamily } from "../../reading/operation/families.ts";
import { type HabitsView, habitsView } from "../../views/habits.ts";
import { isoTime } from "../../views/time.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { keepAction, UNSIGNED } from "./action.ts";

type Listed = HabitsView["suggestions"][number] | HabitsView["habits"][number];

export interface AcceptedHabit {
  readonly id: string;
  readonly shape: string;
  readonly cwd: string;
  readonly policies: readonly string[];
}

/** Similar commands pass in that directory for as long as given. */
function acceptHabit({ store }: Here, word: string, lastsMs: number, person: Person): AcceptedHabit {
  const state = orFail(store.read());
  const now = Date.now();
  const { id, shape, cwd } = theOneNamed(word, habitsView(state, now).suggestions);
  const { policies = [] } = own(state.suggestions, id) ?? {};
  const habit = { shape, cwd, policies, at: now, until: now + lastsMs };
  const detail = `${id} until ${isoTime(habit.until)}, from ${person.from}: ${shape}`;
  keepAction(store, { action: "accept", detail, changes: [{ record: "habit", do: "accept", id, habit }] }, now, person);
  return { id, shape, cwd, policies };
}

/** By the id of a question, or by a family of commands. */
export function acceptNamed(place: Here, word: string, lastsMs: number, person: Person): AcceptedHabit {
  const accept = policyOfFamily(word) === undefined ? acceptHabit : acceptFamily;
  return accept(place, word, lastsMs, person);
}

/** All questions about a family of commands are answered with yes in the whole project. */
function acceptFamily(place: Here, family: string, lastsMs: number, person: Person): AcceptedHabit {
  const policy = policyOfFamily(family);
  if (policy === undefined) throw new Problem(`There is no family "${family}". A question names its family.`);
  const now = Date.now();
  const cwd = place.places.project;
  const habit = { shape: "", family, cwd, policies: [policy], at: now, until: now + lastsMs };
  const detail = `${family} until ${isoTime(habit.until)}, from ${person.from}`;
  const changes = [{ record: "habit", do: "accept", id: family, habit }] as const;
  keepAction(place.store, { action: "accept", detail, changes }, now, person);
  return { id: family, shape: family, cwd, policies: [policy] };
}

/** `wasAccepted`: the person is asked about it again. Otherwise only a suggestion is dropped. */
export function dropHabit({ store }: Here, word: string): { readonly shape: string; readonly wasAccepted: boolean } {
  const state = orFail(store.read());
  const now = Date.now();
  const { suggestions, habits } = habitsView(state, now);
  const { id, shape } = theOneNamed(word, [...suggestions, ...habits]);
  keepAction(
    store,
    { action: "accept --drop", detail: shape, changes: [{ record: "habit", do: "drop", id }] },
    now,
    UNSIGNED,
  );
  return { shape, wasAccepted: own(state.habits, id) !== undefined };
}

function theOneNamed(word: string, known: readonly Listed[]): Listed {
  const fitting = known.filter(({ id }) => id.startsWith(word));
  const [only] = fitting;
  if (only && fitting.length === 1) return only;
  const found = fitting.length === 0 ? `Nothing you said yes to here has an id that begins` : `Several ids begin`;
  throw new Problem(`${found} with "${word}". \`sekisho accept\` lists them.`);
}
