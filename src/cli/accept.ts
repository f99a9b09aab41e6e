import { durationMs } from "../app/actions/duration.ts";
import { acceptNamed, dropHabit } from "../app/actions/habits.ts";
import { here } from "../app/project.ts";
import { habitsHere } from "../app/queries/habits.ts";
import { HABIT_MS_MAX } from "../state/habits.ts";
import type { HabitsView } from "../views/habits.ts";
import { timeLeft } from "../views/time.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayDone, sayJson, sayWords, table } from "./print.ts";

const FOR = "7d";

export const accept = defineCommand({
  name: "accept",
  summary:
    "Lists the questions you said yes to. Accepts one of them, or a family of commands, for a while (people only).",
  words: "[id|family]",
  wordsMax: 1,
  options: {
    for: { type: "string", hint: FOR, about: `how long you are not asked, at most ${HABIT_MS_MAX / 86_400_000}d` },
    drop: { type: "boolean", about: "take it back, or drop the suggestion" },
    ...jsonOption,
  },
  examples: [
    "sekisho accept",
    "sekisho accept mr3x91a2",
    "sekisho accept mr3x91a2 --for 30d",
    "sekisho accept pip-install",
    "sekisho accept mr3x91a2 --drop",
  ],
  door: ({ drop }, [word]) =>
    word === undefined ? undefined : { verb: "accept", need: drop ? "presence" : "authority" },
  run({ for: given = FOR, drop = false, json = false }, [word], person) {
    const place = here();
    if (word === undefined) {
      const view = habitsHere(place);
      if (json) sayJson(view);
      else print(view);
      return 0;
    }
    const lasts = durationMs(given, HABIT_MS_MAX);
    if (drop) {
      const { shape, wasAccepted } = dropHabit(place, word);
      say(`${paint.green("✔")} ${wasAccepted ? "asked about again" : "no longer suggested"}: ${shape}`);
      return 0;
    }
    const { id, shape, cwd, policies } = acceptNamed(place, word, lasts, person);
    sayDone(`for ${timeLeft(lasts)}, in ${cwd}, no more questions about`);
    say(`  ${shape}`);
    sayWords(
      `Only questions of ${policies.join(", ")} are answered so; what is refused stays refused. \`sekisho accept ${id} --drop\` takes it back.`,
    );
    return 0;
  },
});

function print({ suggestions, habits }: HabitsView): void {
  if (suggestions.length + habits.length === 0) {
    sayWords(
      "Nothing yet. When Sekisho asks and you say yes, what you let pass is listed here, and nothing is learned silently.",
    );
    return;
  }
  if (suggestions.length > 0) {
    say(paint.bold("You said yes to"));
    say(
      table(
        suggestions.map(({ id, shape, times, lastSeen, cwd }) => [id, shape, `${times} time(s), ${lastSeen}`, cwd]),
        "  ",
      ),
    );
    say(paint.dim("  sekisho accept <id> lets its like pass there for a week."));
  }
  if (habits.length > 0) {
    say(paint.bold("Passes without a question"));
    say(
      table(
        habits.map(({ id, shape, left, cwd }) => [id, shape, `${left} left`, cwd]),
        "  ",
      ),
    );
    say(paint.dim("  sekisho accept <id> --drop takes it back."));
  }
}
