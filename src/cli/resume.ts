import { leaveView } from "../views/leave.ts";
import { keepAction } from "./action.ts";
import { defineCommand } from "./command.ts";
import { here, orFail } from "./here.ts";
import { requirePerson } from "./person.ts";
import { paint, say } from "./print.ts";

export const resume = defineCommand({
  name: "resume",
  summary: "Ends a pause (people only).",
  options: {},
  run() {
    requirePerson("resume");
    const { store } = here();
    const now = Date.now();
    if (!leaveView(orFail(store.read()), now).pause) {
      say("There is no pause here.");
      return 0;
    }
    keepAction(store, { action: "resume", changes: [{ record: "pause", do: "end" }] }, now);
    say(`${paint.green("✔")} everything is checked again`);
    return 0;
  },
});
