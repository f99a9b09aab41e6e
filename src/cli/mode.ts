import { endModes } from "../app/actions/mode-end.ts";
import { type ModeWish, modeNamed, starterHere, startMode } from "../app/actions/mode-start.ts";
import type { Person } from "../app/person.ts";
import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { modesHere } from "../app/queries/modes.ts";
import type { ModeState, ModeView } from "../views/modes.ts";
import { columnTime } from "../views/time.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { printStart, sayEnded } from "./mode-print.ts";
import { paint, say, sayJson, sayWords, table } from "./print.ts";

/** A task is one or two sentences. */
const WORDS_MAX = 400;

export const mode = defineCommand({
  name: "mode",
  summary: "Shows the modes that keep work going, starts one, or ends one (ending: people only).",
  words: "[list | start <mode> [task] | stop <mode>]",
  wordsMax: WORDS_MAX,
  glossary: {
    title: "Modes",
    rows: [
      ["persistent", "on with it until the plan's boxes are ticked, or the agent promises that it is done"],
      ["qa", "on with it until the project's checks pass, by their exit codes"],
      ["turbo", "all of it in one go, side by side, until every task of the run is completed"],
    ],
  },
  options: {
    plan: {
      type: "string",
      hint: "FILE",
      about: "start persistent: done when every box of this Markdown file is ticked",
    },
    promise: {
      type: "string",
      hint: "TEXT",
      about: "start: these words for DONE in <promise>DONE</promise>, with which the agent says that it is done",
    },
    max: {
      type: "string",
      hint: "N",
      about: "start: how often it may send the agent on, 1 to 60 (default: see `sekisho config`)",
    },
    session: { type: "string", hint: "ID", about: "of this session, by the beginning of its id (people only)" },
    ...jsonOption,
  },
  examples: [
    "sekisho mode list",
    "sekisho mode start persistent make the login work --plan docs/login.md",
    "sekisho mode start qa",
    "sekisho mode stop turbo",
    "sekisho cancel                 ends all of them",
  ],
  door({ session }, [verb]) {
    if (verb === "stop") return { verb: "mode stop", need: "authority" };
    // An agent restricts itself and no other session.
    return verb === "start" && session !== undefined ? { verb: "mode start --session", need: "presence" } : undefined;
  },
  run({ plan, promise, max, session, json = false }, [verb = "list", ...words], person) {
    if (verb === "start") return start({ plan, promise, max, session }, words, json);
    if ([plan, promise, max].some((given) => given !== undefined))
      throw new Problem("--plan, --promise and --max belong to `sekisho mode start`.");
    if (verb === "stop") return stop(words, session, json, person);
    if (verb === "list" && words.length === 0) return list(session, json);
    throw new Problem(`"${[verb, ...words].join(" ")}" is none of list, start, stop. See \`sekisho mode --help\`.`);
  },
});

function start(wish: Omit<ModeWish, "mode" | "task">, [word, ...task]: readonly string[], json: boolean): number {
  if (word === undefined) throw new Problem("Name a mode: persistent, qa or turbo.");
  const name = modeNamed(word);
  const place = here();
  const started = startMode(place, { ...wish, mode: name, task: task.join(" ") }, starterHere(place));
  return printStart(name, started, json);
}

function stop([name, ...more]: readonly string[], session: string | undefined, json: boolean, person: Person): number {
  if (name === undefined) throw new Problem("Name a mode, or end all of them with `sekisho cancel`.");
  if (more.length > 0) throw new Problem(`\`sekisho mode stop\` takes one name, not "${[name, ...more].join(" ")}".`);
  const mode = modeNamed(name);
  const place = here();
  const ended = endModes(place, "mode stop", { mode, session }, person);
  return sayEnded(ended, `${mode} is not on here.`, json);
}

function list(session: string | undefined, json: boolean): number {
  const views = modesHere(here(), session);
  if (json) sayJson(views);
  else print(views);
  return 0;
}

function print(views: readonly ModeView[]): void {
  if (views.length === 0) {
    say("No mode is on here.");
    return;
  }
  const head = ["MODE", "SESSION", "CONTINUED", "SINCE (UTC)", "STATE", "DONE WHEN", "TASK"].map(paint.dim);
  say(table([head, ...views.map(row)]));
  for (const [state, words] of NOTES) {
    const found = views.find((view) => view.state === state);
    if (found) sayWords(words(found.session ?? ""));
  }
}

/** Explanations for every state except `active`. */
const NOTES: readonly (readonly [ModeState, (session: string) => string])[] = [
  ["paused", () => "A paused one holds nobody back; the person's next prompt in its session goes on with it."],
  ["waiting", () => "A waiting one is taken up by the next session in which a person speaks."],
  ["orphaned", (id) => `Of an orphaned one the session is over: \`claude --resume ${id}\` goes on with it.`],
  ["stale", () => "A stale one was not heard of for a day, and counts no more."],
];

const SHORT_ID = 8;

function row(view: ModeView): readonly string[] {
  return [
    paint.bold(view.mode),
    view.session?.slice(0, SHORT_ID) ?? "-",
    `${view.count}/${view.max}`,
    columnTime(view.since),
    stateWords(view),
    view.with === null ? endsWords(view) : `with ${view.with}`,
    // The row of the starting mode shows the task.
    view.with === null ? view.task : "",
  ];
}

function stateWords({ state, why, by }: ModeView): string {
  if (state === "active") return paint.green(by === "agent" ? `${state}, by the agent` : state);
  return paint.yellow(state === "paused" && why !== null ? `paused (${why})` : state);
}

function endsWords({ mode, plan, promise }: ModeView): string {
  if (mode === "qa") return "checks pass";
  const said = promise === null ? "" : `<promise>${promise}</promise>`;
  return mode === "turbo" ? `tasks, or ${said}` : (plan ?? said);
}
