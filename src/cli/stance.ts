import { stanceNamed, takeStance } from "../app/actions/stance.ts";
import { here } from "../app/project.ts";
import { isTighteningHere, stanceHere } from "../app/queries/stance.ts";
import type { Settings } from "../state/settings/settings.ts";
import { STANCES } from "../state/stance.ts";
import type { StanceView } from "../views/stance.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords, table } from "./print.ts";

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
    return { verb: "stance", need: isTighteningHere(here(), word) ? "presence" : "authority" };
  },
  run({ json }, [word], person) {
    const place = here();
    if (word !== undefined) takeStance(place, stanceNamed(word), `from ${person.from}`, person);
    const view = stanceHere(place);
    if (json) sayJson(view);
    else print(view, place.settings.settings, word !== undefined);
    return 0;
  },
});

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
