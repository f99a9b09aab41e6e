import { defineCommand, jsonOption } from "./command.ts";
import { endModes, sayEnded } from "./mode-end.ts";
import { CommandError } from "./print.ts";

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
  run({ session, all = false, json = false }) {
    if (all && session !== undefined) throw new CommandError("--all and --session do not go together.");
    return sayEnded(endModes("cancel", { session, all }), "No mode is on here.", json);
  },
});
