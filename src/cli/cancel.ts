import { endModes } from "../app/actions/mode-end.ts";
import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { sayEnded } from "./mode-print.ts";

export const cancel = defineCommand({
  name: "cancel",
  summary: "Ends every mode of a session, and those that wait for one (people only).",
  options: {
    session: { type: "string", hint: "ID", about: "of this session, by the beginning of its id" },
    all: { type: "boolean", about: "of every session of this project" },
    ...jsonOption,
  },
  examples: [
    "sekisho cancel",
    "sekisho cancel --all",
    "In a session: type cancel; with the plugin also /sekisho:cancel",
  ],
  door: () => ({ verb: "cancel", need: "authority" }),
  run({ session, all = false, json = false }, _, person) {
    if (all && session !== undefined) throw new Problem("--all and --session do not go together.");
    const place = here();
    const ended = endModes(place, "cancel", { session, all }, person);
    return sayEnded(ended, "No mode is on here.", json);
  },
});
