import { resume as end } from "../app/actions/grants.ts";
import { here } from "../app/project.ts";
import { defineCommand } from "./command.ts";
import { paint, say } from "./print.ts";

export const resume = defineCommand({
  name: "resume",
  summary: "Ends a pause (people only).",
  options: {},
  door: () => ({ verb: "resume", need: "presence" }),
  run() {
    say(end(here()) ? `${paint.green("✔")} everything is checked again` : "There is no pause here.");
    return 0;
  },
});
