import { here } from "../app/project.ts";
import { stateHere } from "../app/queries/state-file.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, table } from "./print.ts";

export const state = defineCommand({
  name: "state",
  summary: "Shows where the work stands: focus, playbook, goal, session and config, as state.md does.",
  options: jsonOption,
  examples: [
    "sekisho state",
    "sekisho state --json",
    "sekisho config set plan.state_file on   # keeps state.md beside it",
  ],
  run({ json = false }) {
    const { sections } = stateHere(here());
    if (json) sayJson(sections);
    else
      for (const [name, values] of Object.entries(sections)) {
        say(paint.bold(name));
        say(table(Object.entries(values).map(([key, value]) => [`  ${key}`, shown(value)])));
      }
    return 0;
  },
});

function shown(value: unknown): string {
  if (value === null) return paint.dim("–");
  return typeof value === "string" ? value : JSON.stringify(value);
}
