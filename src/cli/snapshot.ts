import type { Handover } from "../kernel/handover.ts";
import { inline } from "../kernel/text.ts";
import { handoverView } from "../views/handover.ts";
import { handoversIn } from "../world/handover.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { here } from "./here.ts";
import { CommandError, paint, say, sayJson, sayWords } from "./print.ts";

export const snapshot = defineCommand({
  name: "snapshot",
  summary: "Shows what a session wrote down before its conversation was made shorter.",
  words: "show [session]",
  wordsMax: 2,
  options: jsonOption,
  examples: ["sekisho snapshot show", "sekisho snapshot show 0a081b04 --json"],
  run({ json = false }, [verb = "show", session]) {
    if (verb !== "show") throw new CommandError(`sekisho snapshot knows "show" and not "${inline(verb, 40)}".`);
    const found = handoverFor(session);
    if (json) sayJson(found ?? null);
    else if (found) print(found);
    else sayWords("No snapshot here yet. One is written when a session's conversation is compacted.");
    return 0;
  },
});

/** The newest, or the one of the session that is meant. */
function handoverFor(session: string | undefined): Handover | undefined {
  const all = handoversIn(here().places.journal);
  if (session === undefined || all.length === 0) return all[0];
  const fitting = all.filter((one) => one.session.startsWith(session));
  if (fitting.length === 1) return fitting[0];
  const problem = fitting.length === 0 ? "No snapshot here is of a session" : "Several snapshots are of sessions";
  throw new CommandError(`${problem} whose id begins with "${inline(session, 40)}".`);
}

/** The file may have been written by anybody: nothing in it reaches a terminal but printable letters. */
function print(handover: Handover): void {
  const how = handover.trigger === "" ? "" : ` (${inline(handover.trigger)})`;
  say(`${paint.bold(`Session ${inline(handover.session)}`)}  ${paint.dim(`${handover.timestamp}${how}`)}`);
  for (const { title, lines } of handoverView(handover)) {
    say(`\n${paint.bold(title)}`);
    for (const line of lines) sayWords(`  ${line.startsWith("  ") ? "  " : ""}${inline(line, LINE_CHARS)}`, "    ");
  }
}

const LINE_CHARS = 300;
