import { HABIT_MS_MAX } from "../state/habits.ts";
import { own } from "../state/keyed.ts";
import { type HabitsView, habitsView } from "../views/habits.ts";
import { isoTime, timeLeft } from "../views/time.ts";
import { keepAction } from "./action.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { durationMs } from "./duration.ts";
import { here, orFail } from "./here.ts";
import { requirePerson, requirePersonSince } from "./person.ts";
import { CommandError, paint, say, sayJson, sayWords, table } from "./print.ts";

const FOR = "7d";

export const accept = defineCommand({
  name: "accept",
  summary: "Shows the questions you said yes to, and lets the like of one pass for a while (people only).",
  words: "[id]",
  wordsMax: 1,
  options: {
    for: { type: "string", hint: FOR, about: `how long its like passes here, at most ${HABIT_MS_MAX / 86_400_000}d` },
    drop: { type: "boolean", about: "take it back, or drop the suggestion" },
    ...jsonOption,
  },
  examples: [
    "sekisho accept",
    "sekisho accept mr3x91a2",
    "sekisho accept mr3x91a2 --for 30d",
    "sekisho accept mr3x91a2 --drop",
  ],
  run({ for: given = FOR, drop = false, json = false }, [word]) {
    const { store } = here();
    const state = orFail(store.read());
    const now = Date.now();
    const view = habitsView(state, now);
    if (word === undefined) {
      if (json) sayJson(view);
      else print(view);
      return 0;
    }
    requirePerson("accept");
    const from = requirePersonSince("accept", state);
    const lasts = durationMs(given, HABIT_MS_MAX);
    const known = drop ? [...view.suggestions, ...view.habits] : view.suggestions;
    const { id, shape, cwd } = theOneNamed(word, known);
    if (drop) {
      keepAction(
        store,
        { action: "accept --drop", detail: shape, changes: [{ record: "habit", do: "drop", id }] },
        now,
      );
      say(`${paint.green("✔")} ${own(state.habits, id) ? "asked about again" : "no longer suggested"}: ${shape}`);
      return 0;
    }
    const { policies = [] } = own(state.suggestions, id) ?? {};
    const habit = { shape, cwd, policies, at: now, until: now + lasts };
    const detail = `${id} until ${isoTime(habit.until)}, from ${from}: ${shape}`;
    keepAction(store, { action: "accept", detail, changes: [{ record: "habit", do: "accept", id, habit }] }, now);
    say(`${paint.green("✔")} for ${timeLeft(lasts)}, in ${cwd}, no more questions about`);
    say(`  ${shape}`);
    sayWords(
      `Only questions of ${policies.join(", ")} are answered so; what is refused stays refused. \`sekisho accept ${id} --drop\` takes it back.`,
    );
    return 0;
  },
});

type Known = HabitsView["suggestions"][number] | HabitsView["habits"][number];

function theOneNamed(word: string, known: readonly Known[]): Known {
  const fitting = known.filter(({ id }) => id.startsWith(word));
  const [only] = fitting;
  if (only && fitting.length === 1) return only;
  const found = fitting.length === 0 ? `Nothing you said yes to here has an id that begins` : `Several ids begin`;
  throw new CommandError(`${found} with "${word}". \`sekisho accept\` lists them.`);
}

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
