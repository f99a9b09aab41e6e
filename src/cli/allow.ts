import { clip, inline } from "../kernel/text.ts";
import { policies } from "../policies/index.ts";
import type { AuditEntry } from "../views/audit.ts";
import { grantable } from "../views/leave.ts";
import { isoTime, timeLeft } from "../views/time.ts";
import { keepAction } from "./action.ts";
import { subject } from "./audit.ts";
import { defineCommand } from "./command.ts";
import { durationMs } from "./duration.ts";
import { entriesOf, entryNamed } from "./find.ts";
import { here, orFail } from "./here.ts";
import { requirePerson, requirePersonSince } from "./person.ts";
import { CommandError, paint, say, sayWords } from "./print.ts";

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
  run({ once = false, for: given }, [id]) {
    requirePerson("allow");
    if (id === undefined) throw new CommandError("Give the id of a verdict; a refusal and `sekisho explain` name it.");
    const isOnce = once || given === undefined;
    const lasts = durationMs(given ?? ONCE_WITHIN);
    const place = here();
    const from = requirePersonSince("allow", orFail(place.store.read()));
    const entry = entryNamed(entriesOf(place), id);
    const floor = policies.flatMap((policy) => (policy.floor ? [policy.id] : []));
    const bound = grantable(entry, floor);
    if ("problem" in bound) throw new CommandError(`${entry.id} cannot be allowed. ${bound.problem}`);
    if (isOnce && entry.unbound) {
      throw new CommandError(
        `${entry.id} did not come from the client's own process, and such an event uses nothing up: give --for instead of --once.`,
      );
    }
    const at = Date.now();
    const what = clip(inline(subject(entry)), 80);
    const grant = { ...bound, once: isOnce, at, until: at + lasts, what };
    const detail = `${entry.id} ${isOnce ? "once" : "again and again"} until ${isoTime(grant.until)}, from ${from}: ${what}`;
    const changes = [{ record: "grant", do: "give", id: entry.id, grant }] as const;
    keepAction(place.store, { action: "allow", detail, changes }, at);
    print(entry, isOnce, lasts);
    return 0;
  },
});

function print(entry: AuditEntry, once: boolean, lasts: number): void {
  const how = once ? `once, within ${timeLeft(lasts)}` : `for ${timeLeft(lasts)}`;
  say(`${paint.green("✔")} passes ${how}, to the letter and in the same directory:`);
  const input = JSON.stringify(entry.input ?? {});
  say(`  ${inline(subject(entry), 2000)}`);
  // Of a tool that is no command the subject is only a name; what it is given is the effect.
  if (entry.tool !== "Bash") say(`  ${inline(input, 2000)}`);
  for (const { policy, what } of entry.objections) sayWords(paint.dim(`  although ${policy}: ${what}`), "    ");
  if (/\bcut\b.{0,40}sha256|\*{5}/.test(input)) {
    sayWords(paint.yellow("! It is longer than what is kept, or holds a secret: what you see is not all of it."));
  }
  sayWords(`\`sekisho status\` shows it while it lasts, \`sekisho deny ${entry.id}\` takes it back.`);
}
