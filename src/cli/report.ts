import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { reportOn } from "../app/queries/report.ts";
import { defineCommand } from "./command.ts";
import { say } from "./print.ts";

export const report = defineCommand({
  name: "report",
  summary: "Prints a verdict that looks wrong as text to paste: paths, names and secrets are scrubbed.",
  words: "<id>",
  wordsMax: 1,
  options: {},
  examples: ["sekisho report mr3x91a2 > report.md"],
  run(_, [id]) {
    if (id === undefined) throw new Problem("Give the id of a verdict; a refusal and `sekisho explain` name it.");
    say(reportOn(here(), id));
    process.stderr.write(
      "Nothing was sent. Read it, take out what is nobody's business, and paste it into an issue.\n",
    );
    return 0;
  },
});
