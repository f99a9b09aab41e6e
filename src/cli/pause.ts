import { durationMs } from "../app/actions/duration.ts";
import { pause as begin } from "../app/actions/grants.ts";
import { here } from "../app/project.ts";
import { isoTime, timeLeft } from "../views/time.ts";
import { defineCommand } from "./command.ts";
import { say, sayCaution, sayWords } from "./print.ts";

export const pause = defineCommand({
  name: "pause",
  summary: "Lets everything but the floor pass in this project for a while (people only).",
  options: { for: { type: "string", hint: "10m", about: "how long, at most 8h (default 10m)" } },
  examples: ["sekisho pause --for 10m"],
  door: () => ({ verb: "pause", need: "authority" }),
  run({ for: given = "10m" }, _, person) {
    const lasts = durationMs(given);
    const place = here();
    const until = begin(place, lasts, person);
    sayCaution(`paused for ${timeLeft(lasts)}, until ${isoTime(until)}, in ${place.places.project}`);
    sayWords(
      "Everything is still recorded. What would take the machine, a home or Sekisho itself is refused as before.",
    );
    say("It ends by itself, or with `sekisho resume`.");
    return 0;
  },
});
