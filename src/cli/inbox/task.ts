import { addTask } from "../../app/actions/task-add.ts";
import { cancelTask, claimTask, failTask, finishTask } from "../../app/actions/task-change.ts";
import { Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import { tasksHere, whereOff } from "../../app/queries/inbox.ts";
import { inline } from "../../lib/text.ts";
import type { TaskView } from "../../views/inbox.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { paint, say, sayDone, sayJson, table } from "../print.ts";
import { pipedText } from "../tty.ts";
import { harmless } from "./print.ts";

const TEXT_BYTES_MAX = 16 * 1024 * 1024;
const WORDS_MAX = 400;

export const task = defineCommand({
  name: "task",
  summary: "Shows the tasks of the agents, adds one, begins one, or ends one.",
  words: "[list | add | claim | done | fail | cancel] …",
  wordsMax: WORDS_MAX,
  glossary: {
    title: "Verbs",
    rows: [
      ["list", "all tasks, who has them, and what they wait for"],
      ["add TITLE", "a new task"],
      ["claim ID", "begins it; it is free again when the session's process ends"],
      ["done ID", "ends it, if what it asks for is there (with --force: by your word)"],
      ["fail ID", "ends it without success"],
      ["cancel ID", "ends it because it is no longer wanted (by whoever added it); what waits for it can begin"],
    ],
  },
  options: {
    to: { type: "string", hint: "NAME", about: "add: the agent that does it" },
    body: { type: "string", hint: "TEXT", about: "add: the description; `-` reads it from standard input" },
    id: { type: "string", hint: "ID", about: "add: your own id" },
    group: { type: "string", hint: "ID", about: "add: the larger piece of work it belongs to" },
    wave: { type: "string", hint: "N", about: "add: begins when the earlier waves of its group are done" },
    "blocked-by": { type: "string", multiple: true, hint: "ID", about: "add: begins when this task is done" },
    needs: { type: "string", multiple: true, hint: "WHAT", about: "add: done needs check:test, file:PATH or report" },
    audit: { type: "boolean", about: "add: the auditor is asked to look at it when it is done" },
    force: {
      type: "string",
      hint: "REASON",
      about: "done: although something is missing; it is recorded as your word (people only)",
    },
    why: { type: "string", hint: "TEXT", about: "fail, cancel: the reason" },
    retry: { type: "boolean", about: "fail: queue it again, at most twice" },
    ...jsonOption,
  },
  examples: [
    'sekisho task add "Write the login page" --to worker1 --needs check:test',
    "sekisho task claim t4f1c2",
    "sekisho task done t4f1c2",
    'sekisho task done t4f1c2 --force "I looked at the page myself"',
    'sekisho task fail t4f1c2 --why "the API is gone" --retry',
  ],
  door: ({ force }) => (force === undefined ? undefined : { verb: "task done --force", need: "presence" }),
  run(values, [verb = "list", ...words]) {
    const json = values.json ?? false;
    const [id = ""] = words;
    if (["claim", "done", "fail", "cancel"].includes(verb) && id === "")
      throw new Problem(`Usage: sekisho task ${verb} ID`);
    switch (verb) {
      case "list":
        return list(json);
      case "add": {
        const { body, to, group, wave, needs, audit } = values;
        const text = body === "-" ? pipedText(TEXT_BYTES_MAX) : body;
        const wish = { title: words.join(" "), text, to, id: values.id, group, wave, needs, audit };
        return said(
          addTask(here(), { ...wish, blocked_by: values["blocked-by"] }),
          ({ id: added }) => `Added ${added}.`,
          json,
        );
      }
      case "claim":
        return said(claimTask(here(), id), (task) => `${task.id} is yours: ${inline(task.title)}`, json);
      case "done":
        return said(finishTask(here(), id, values.force), doneWords, json);
      case "fail":
        return said(failTask(here(), id, { why: values.why ?? "", retry: values.retry ?? false }), failedWords, json);
      case "cancel":
        return said(cancelTask(here(), id, values.why ?? ""), (task) => `${task.id} is cancelled.`, json);
      default:
        throw new Problem(`"${inline(verb, 40)}" is none of list, add, claim, done, fail, cancel.`);
    }
  },
});

function doneWords({ id, evidence }: { readonly id: string; readonly evidence: readonly string[] }): string {
  return `${id} is done.${evidence.length === 0 ? "" : ` Recorded: ${evidence.join("; ")}.`}`;
}

function failedWords({ id, retry }: { readonly id: string; readonly retry: string | null }): string {
  return `${id} has failed.${retry === null ? "" : ` It is queued again as ${retry}.`}`;
}

function said<T>(value: T, words: (value: T) => string, json: boolean): number {
  if (json) sayJson(value);
  else sayDone(words(value));
  return 0;
}

function list(json: boolean): number {
  const place = here();
  const tasks = tasksHere(place);
  if (json) sayJson(tasks);
  else if (tasks.length === 0) say(`No tasks.${whereOff(place)}`);
  else say(table([["ID", "STATUS", "TO", "WAITS FOR", "TITLE"].map(paint.dim), ...tasks.map(row)]));
  return 0;
}

function row({ id, status, to, blocked_by: before, title }: TaskView): readonly string[] {
  return [id, status, to ?? "-", before.join(" ") || "-", harmless(inline(title, 80))];
}
