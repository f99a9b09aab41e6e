import { resume as end } from "../app/actions/grants.ts";
import { here } from "../app/project.ts";
import { defineCommand } from "./command.ts";
import { requirePerson } from "./person.ts";
import { paint, say } from "./print.ts";

export const resume = defineCommand({
  name: "resume",
  summary: "Ends a pause (people only).",
  options: {},
  run() {
    requirePerson("resume");
    say(end(here()) ? `${paint.green("✔")} everything is checked again` : "There is no pause here.");
    return 0;
  },
});
