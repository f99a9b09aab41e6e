/** Prints the start or end of a mode. */
import type { StartedMode } from "../app/actions/mode-start.ts";
import type { ModeName } from "../state/session/modes.ts";
import type { ModeView } from "../views/modes.ts";
import { isoTime } from "../views/time.ts";
import { say, sayDone, sayJson, sayWords } from "./print.ts";

export function printStart(name: ModeName, started: StartedMode, json: boolean): number {
  const { mode, session, isNew } = started;
  const { max, plan = null, promise = null, task } = mode;
  if (json) sayJson({ mode: name, started: isNew, session, max, plan, promise, task });
  else if (isNew) sayStarted(name, started);
  else sayHeld(name, started);
  return 0;
}

function sayHeld(name: ModeName, { mode, session }: StartedMode): void {
  const how = session === null ? "waiting already for the next session" : `in force already in session ${session}`;
  const { count = 0, max, since = 0 } = mode;
  sayWords(`${name} is ${how} (${count}/${max}, since ${isoTime(since)}). Nothing was changed.`);
  sayWords(`To begin it anew, end it first: \`sekisho mode stop ${name}\`.`);
}

function sayStarted(name: ModeName, { mode, session }: StartedMode): void {
  const where = session === null ? "set" : `started in session ${session}`;
  sayDone(`${name} ${where}${name === "persistent" ? ", with turbo" : ""}`);
  if (session === null)
    sayWords("No session is running here: it waits, and the next session in which a person speaks takes it up.");
  const times = mode.max === 1 ? "once" : `${mode.max} times`;
  sayWords(`It sends the agent on at most ${times}, until ${doneWords(name, mode)}. \`sekisho cancel\` ends it.`);
}

function doneWords(name: ModeName, { plan, promise }: StartedMode["mode"]): string {
  if (plan !== undefined) return `every box in ${plan} is ticked`;
  const said = `the agent says <promise>${promise}</promise>`;
  if (name === "qa") return `the checks of the project pass; where it has none, until ${said}`;
  if (name === "turbo") return `every task of the run is completed, or ${said}`;
  return `${said}; if it works by a plan, until every box in it is ticked`;
}

export function sayEnded(ended: readonly ModeView[], none: string, json: boolean): number {
  if (json) sayJson({ ended });
  else if (ended.length === 0) say(`${none} Nothing was changed.`);
  for (const { mode, session, count, max } of json ? [] : ended) {
    const whose =
      session === null ? `${mode}, which waited for a session` : `${mode} ${count}/${max} of session ${session}`;
    sayDone(`ended: ${whose}`);
  }
  return 0;
}
