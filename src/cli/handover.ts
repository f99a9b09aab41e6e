import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { handoverHere } from "../app/queries/handover.ts";
import type { Handover } from "../kernel/handover.ts";
import { inline } from "../lib/text.ts";
import { handoverView } from "../views/handover.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords } from "./print.ts";

export const handover = defineCommand({
  name: "handover",
  formerly: "snapshot",
  summary: "Shows what a session wrote down for itself before its conversation was compacted.",
  words: "[session]",
  wordsMax: 2,
  options: jsonOption,
  examples: ["sekisho handover", "sekisho handover 0a081b04 --json"],
  run({ json = false }, words) {
    // Version 0.1 had `snapshot show [session]`.
    const [session, more] = words[0] === "show" ? words.slice(1) : words;
    if (more !== undefined) throw new Problem("sekisho handover takes one session id.");
    const found = handoverHere(here(), session);
    if (json) sayJson(found ?? null);
    else if (found) print(found);
    else sayWords("No handover here yet. One is written when a session's conversation is compacted.");
    return 0;
  },
});

/** Any program may have written the file, so only printable characters reach the terminal. */
function print(handover: Handover): void {
  const how = handover.trigger === "" ? "" : ` (${inline(handover.trigger)})`;
  say(`${paint.bold(`Session ${inline(handover.session)}`)}  ${paint.dim(`${handover.timestamp}${how}`)}`);
  for (const { title, lines } of handoverView(handover)) {
    say(`\n${paint.bold(title)}`);
    for (const line of lines) sayWords(`  ${line.startsWith("  ") ? "  " : ""}${inline(line, LINE_CHARS)}`, "    ");
  }
}

const LINE_CHARS = 300;
