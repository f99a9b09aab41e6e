import { durationMs } from "../app/actions/duration.ts";
import { allow as give } from "../app/actions/grants.ts";
import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { inline } from "../lib/text.ts";
import { type AuditEntry, subject } from "../views/audit.ts";
import { timeLeft } from "../views/time.ts";
import { defineCommand } from "./command.ts";
import { paint, say, sayWords } from "./print.ts";

const ONCE_WITHIN = "1h";

export const allow = defineCommand({
  name: "allow",
  summary: "Lets exactly the tool use of one verdict pass: once, or for a while (people only).",
  words: "<id>",
  wordsMax: 1,
  options: {
    once: { type: "boolean", about: `the next such tool use only, within ${ONCE_WITHIN} or --for (the default)` },
    for: { type: "string", hint: "1h", about: "every such tool use for that long, at most 8h" },
  },
  examples: ["sekisho allow mr3x91a2 --once", "sekisho allow mr3x91a2 --for 1h"],
  door: () => ({ verb: "allow", need: "authority" }),
  run({ once = false, for: given }, [id], person) {
    if (id === undefined) throw new Problem("Give the id of a verdict; a refusal and `sekisho explain` name it.");
    const isOnce = once || given === undefined;
    const lasts = durationMs(given ?? ONCE_WITHIN);
    const place = here();
    const entry = give(place, { id, once: isOnce, lastsMs: lasts }, person);
    print(entry, isOnce, lasts);
    return 0;
  },
});

function print(entry: AuditEntry, once: boolean, lasts: number): void {
  const how = once ? `once, within ${timeLeft(lasts)}` : `for ${timeLeft(lasts)}`;
  say(`${paint.green("✔")} passes ${how}, to the letter and in the same directory:`);
  const input = JSON.stringify(entry.input ?? {});
  say(`  ${inline(subject(entry), 2000)}`);
  // For tools other than Bash the subject is only a name, so the input is printed too.
  if (entry.tool !== "Bash") say(`  ${inline(input, 2000)}`);
  for (const { policy, what } of entry.objections) sayWords(paint.dim(`  although ${policy}: ${what}`), "    ");
  if (/\bcut\b.{0,40}sha256|\*{5}/.test(input)) {
    sayWords(paint.yellow("! It is longer than what is kept, or holds a secret: what you see is not all of it."));
  }
  sayWords(`\`sekisho status\` shows it while it lasts, \`sekisho revoke ${entry.id}\` takes it back.`);
}
