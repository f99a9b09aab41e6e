import { statuslineFor } from "../app/queries/statusline.ts";
import { defineCommand } from "./command.ts";
import { say } from "./print.ts";
import { wholeInput } from "./tty.ts";

export const statusline = defineCommand({
  name: "statusline",
  summary: "One short line for Claude Code's statusLine setting: last hook seen, verdicts, what is out of order.",
  options: {},
  examples: ['In settings.json: "statusLine": { "type": "command", "command": "sekisho statusline" }'],
  async run() {
    // The host calls this constantly, so it must always print one line and never fail.
    try {
      say(await statuslineFor(wholeInput()));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say(`sekisho ? ${reason.replace(/\s+/g, " ").slice(0, 120)}`);
    }
    return 0;
  },
});
