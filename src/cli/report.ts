import { hostname, userInfo } from "node:os";
import { here, VERSION } from "../app/project.ts";
import { entriesOf, entryNamed } from "../app/queries/entries.ts";
import { reportText } from "../views/report.ts";
import { defineCommand } from "./command.ts";
import { CommandError, say } from "./print.ts";

export const report = defineCommand({
  name: "report",
  summary: "Prints a verdict that looks wrong as text to paste: paths, names and secrets are scrubbed.",
  words: "<id>",
  wordsMax: 1,
  options: {},
  examples: ["sekisho report mr3x91a2 > report.md"],
  run(_, [id]) {
    if (id === undefined) throw new CommandError("Give the id of a verdict; a refusal and `sekisho explain` name it.");
    const place = here();
    const { home, project } = place.places;
    say(
      reportText({
        version: VERSION,
        platform: `${process.platform}, Node ${process.versions.node}`,
        entry: entryNamed(entriesOf(place), id),
        own: { home, project, user: userInfo().username, machine: hostname() },
      }),
    );
    process.stderr.write(
      "Nothing was sent. Read it, take out what is nobody's business, and paste it into an issue.\n",
    );
    return 0;
  },
});
