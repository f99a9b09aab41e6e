import { isoTime, timeLeft } from "../views/time.ts";
import { keepAction } from "./action.ts";
import { defineCommand } from "./command.ts";
import { durationMs } from "./duration.ts";
import { here, orFail } from "./here.ts";
import { requirePerson, requirePersonSince } from "./person.ts";
import { paint, say, sayWords } from "./print.ts";

export const pause = defineCommand({
  name: "pause",
  summary: "Lets everything but the floor pass in this project for a while (people only).",
  options: { for: { type: "string", hint: "10m", about: "how long, at most 8h (default 10m)" } },
  examples: ["sekisho pause --for 10m"],
  run({ for: given = "10m" }) {
    requirePerson("pause");
    const lasts = durationMs(given);
    const { store, places } = here();
    const from = requirePersonSince("pause", orFail(store.read()));
    const at = Date.now();
    const until = at + lasts;
    const changes = [{ record: "pause", do: "begin", pause: { at, until } }] as const;
    keepAction(store, { action: "pause", detail: `until ${isoTime(until)}, from ${from}`, changes }, at);
    sayWords(`${paint.yellow("!")} paused for ${timeLeft(lasts)}, until ${isoTime(until)}, in ${places.project}`);
    sayWords(
      "Everything is still recorded. What would take the machine, a home or Sekisho itself is refused as before.",
    );
    say("It ends by itself, or with `sekisho resume`.");
    return 0;
  },
});
