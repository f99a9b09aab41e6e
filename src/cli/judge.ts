import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { host } from "../app/host.ts";
import { judge as judgeEvent } from "../app/judge.ts";
import { type Here, here } from "../app/project.ts";
import type { Verdict } from "../kernel/decide.ts";
import { driveNow, running } from "../kernel/drive.ts";
import type { HookEvent } from "../kernel/event.ts";
import { maskText } from "../lib/secrets.ts";
import { policies } from "../policies/index.ts";
import { type Operation, operationOf } from "../reading/operation/operation.ts";
import { newSession } from "../state/session/session.ts";
import { newState, type State } from "../state/state.ts";
import { isFault } from "../store/store.ts";
import type { Surroundings } from "../world/gather.ts";
import { processAt } from "../world/machine/caller.ts";
import { runNow } from "../world/machine/program.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { CommandError, paint, paintDecision, say, sayJson, terminalColumns, wrap } from "./print.ts";

export const judge = defineCommand({
  name: "judge",
  summary: "Says what would be decided about a shell command. Nothing is run and nothing is recorded.",
  words: "'<command>'",
  wordsMax: 1,
  options: {
    jsonl: {
      type: "boolean",
      about: 'read lines {"command": …} from standard input, answer one line each, with the time it took in ms',
    },
    cwd: { type: "string", hint: "DIR", about: "judge as if the agent stood there" },
    ...jsonOption,
  },
  examples: ["sekisho judge 'rm -rf build'", "sekisho judge --jsonl < commands.jsonl"],
  async run({ jsonl, json, cwd }, [command]) {
    if (cwd !== undefined && !isDirectory(cwd)) throw new CommandError(`--cwd takes a directory, and ${cwd} is none.`);
    const place = here(cwd ?? process.cwd(), "none");
    if (jsonl) return judgeLines(place, cwd ?? process.cwd());
    if (command === undefined)
      throw new CommandError("Give a command in quotes, or --jsonl. See `sekisho judge --help`.");
    const judged = verdictOn(command, place, cwd ?? process.cwd());
    if (json) sayJson(lineFor(command, judged, place));
    else print(judged, place);
    return judged.verdict.decision === "deny" ? 2 : 0;
  },
});

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function judgeLines(place: Here, cwd: string): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const lines of inputLines()) {
    const answers = lines.flatMap((line) => {
      number += 1;
      if (line.trim() === "") return [];
      const command = commandIn(line);
      if (command !== undefined) return [answerTo(command, place, cwd)];
      code = 1;
      return [{ error: `line ${number} is not an object with a text "command"` }];
    });
    if (answers.length > 0) say(answers.map((answer) => JSON.stringify(answer)).join("\n"));
  }
  return code;
}

/** Yields whole lines as they arrive: interactive callers get each answer at once, and long lists stay fast. */
async function* inputLines(): AsyncGenerator<readonly string[]> {
  let begun: string[] = [];
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin as AsyncIterable<string>) {
    const [first = "", ...rest] = chunk.split(/\r?\n/);
    begun.push(first);
    if (rest.length === 0) continue;
    yield [begun.join(""), ...rest.slice(0, -1)];
    begun = [rest.at(-1) ?? ""];
  }
  yield [begun.join("")];
}

function answerTo(command: string, place: Here, cwd: string): object {
  const started = performance.now();
  const judged = verdictOn(command, place, cwd);
  const ms = Math.round((performance.now() - started) * 100) / 100;
  return { ...lineFor(command, judged, place), ms };
}

function commandIn(line: string): string | undefined {
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === "string" ? command : undefined;
  } catch {
    return undefined;
  }
}

function verdictOn(command: string, { places, settings, armingOf, store }: Here, cwd: string): Judged {
  const tool = { kind: "bash", name: "Bash", command, background: false } as const;
  const event: HookEvent<"PreToolUse"> = {
    name: "PreToolUse",
    session: "judge",
    cwd,
    attended: true,
    tool,
    call: "",
    input: { command },
  };
  const operation = operationOf(tool, { cwd, home: places.home });
  const now = Date.now();
  const law = settings.settings.enabled ? REFUSERS : [];
  const around: Surroundings = {
    host,
    event,
    operation,
    places,
    armingOf,
    now,
    env: process.env,
    parentOf: () => processAt(process.ppid),
    settings: settings.settings,
    settingsProblems: settings.problems,
    state: { ...standingOf(store), sessions: { judge: newSession(now) } },
    deadline: Number.POSITIVE_INFINITY,
    clock: () => now,
  };
  const perform = running((program) => runNow(program, { spawnSync }));
  return { verdict: driveNow(judgeEvent(around, law), perform).verdict, operation };
}

/** Uses the trust, stance and grants of this project as of the start, but no session. */
function standingOf(store: Here["store"]): State {
  const known = standing.get(store);
  if (known) return known;
  const read = store.read();
  const state = isFault(read) ? newState : read;
  standing.set(store, state);
  return state;
}

const standing = new WeakMap<Here["store"], State>();

const REFUSERS = policies.filter(({ id }) => /^(no|require)-/.test(id));

interface Judged {
  readonly verdict: Verdict;
  readonly operation: Operation;
}

function lineFor(command: string, { verdict, operation }: Judged, { language }: Here): object {
  const { class: kind, domain, risk } = operation;
  return {
    command: maskText(command),
    verdict: verdict.decision,
    operation: { class: kind, domain, risk },
    policies: verdict.objections.map(({ policy }) => policy),
    reason: verdict.objections[0]?.what[language] ?? "",
    ...(verdict.lifted && { lifted_by: verdict.lifted[0]?.by }),
  };
}

function print({ verdict, operation }: Judged, { language }: Here): void {
  const reach = paint.dim(`${operation.class}, ${operation.domain}, ${operation.risk} risk`);
  say(`${paintDecision(verdict.decision, verdict.decision.toUpperCase())}  ${reach}`);
  for (const { objection, by } of verdict.lifted ?? []) {
    say(
      `  ${wrap(`passes by a person's leave (${by}), although ${objection.policy} objects`, terminalColumns(), "  ")}`,
    );
  }
  for (const { policy, what, why, fix } of verdict.objections) {
    const line = (label: string, words: string): void =>
      say(`  ${label.padEnd(9)}${wrap(words, terminalColumns(), " ".repeat(11))}`);
    line("what", what[language]);
    line("why", `${why[language]} ${paint.dim(`[${policy}]`)}`);
    line("instead", fix[language]);
  }
}
