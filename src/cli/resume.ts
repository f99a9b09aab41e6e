import { resume as end } from "../app/actions/grants.ts";
import { here } from "../app/project.ts";
import { defineCommand } from "./command.ts";
import { say, sayDone } from "./print.ts";

export const resume = defineCommand({
  name: "resume",
  summary: "Ends a pause (people only).",
  options: {},
  door: () => ({ verb: "resume", need: "presence" }),
  run() {
    if (end(here())) sayDone("everything is checked again");
    else say("There is no pause here.");
    return 0;
  },
});
