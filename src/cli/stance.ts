import { takeStance } from "../app/actions/action.ts";
import type { Person } from "../app/person.ts";
import { here } from "../app/project.ts";
import { stanceHere } from "../app/queries/stance.ts";
import type { Settings } from "../state/settings/settings.ts";
import { isTightening, STANCES } from "../state/stance.ts";
import { isFault } from "../store/store.ts";
import type { StanceView } from "../views/stance.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords, table } from "./print.ts";
import { stanceOf } from "./setup/wishes.ts";

export const stance = defineCommand({
  name: "stance",
  summary: "Shows which kinds of work are open here, or says what it is time for (people only).",
  words: "[planning|building|auditing]",
  wordsMax: 1,
  options: jsonOption,
  examples: [
    "sekisho stance",
    "sekisho stance planning     read, ask, write plans below docs/",
    "sekisho stance building     the ordinary one",
    "sekisho stance auditing     read and report, change nothing",
  ],
  door(_, [word]) {
    if (word === undefined) return undefined;
    return { verb: "stance", need: tightens(word) ? "presence" : "authority" };
  },
  run({ json }, [word], person) {
    if (word !== undefined) set(word, person);
    const place = here();
    const view = stanceHere(place);
    if (json) sayJson(view);
    else print(view, place.settings.settings, word !== undefined);
    return 0;
  },
});

/** A journal that cannot be read leaves the question open, and the command itself will tell. */
function tightens(word: string): boolean {
  const state = here().store.read();
  return isFault(state) || isTightening(word, state.stance);
}

function set(word: string, person: Person): void {
  takeStance(here().store, stanceOf(word), `from ${person.from}`, person);
}

function print(view: StanceView, { profile }: Settings, isSet: boolean): void {
  const how = isSet ? " (in force from the next tool call)" : view.implicit ? " (by default; nobody has set it)" : "";
  say(`${paint.bold(view.stance)}${how}`);
  say();
  const gate = profile.trust_gate === "domain" ? "until trust is earned" : "when risky, until trust is earned";
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [paint.green("open"), view.open],
    [paint.yellow(`asked ${gate}`), view.gated],
    [paint.red("closed"), view.closed],
  ];
  say(
    table(
      rows.flatMap(([name, domains]) => (domains.length === 0 ? [] : [[name, domains.join(", ")]])),
      "  ",
    ),
  );
  if (!view.implicit) return;
  say();
  sayWords(`\`sekisho stance ${STANCES.join("|")}\` sets it.`);
}
