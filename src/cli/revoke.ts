import { revoke as takeBack } from "../app/actions/grants.ts";
import { here } from "../app/project.ts";
import { defineCommand } from "./command.ts";
import { paint, say } from "./print.ts";

export const revoke = defineCommand({
  name: "revoke",
  formerly: "deny",
  summary: "Takes back what `sekisho allow` gave (people only).",
  words: "<id>",
  wordsMax: 1,
  options: {},
  examples: ["sekisho revoke mr3x91a2"],
  door: () => ({ verb: "revoke", need: "presence" }),
  run(_, [id = ""]) {
    say(`${paint.green("✔")} no longer allowed: ${takeBack(here(), id)}`);
    return 0;
  },
});
