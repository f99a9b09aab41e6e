import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { decide, policiesFor, type Verdict } from "../kernel/decide.ts";
import type { HookEvent } from "../kernel/event.ts";
import { type Operation, operationOf } from "../kernel/operation.ts";
import { maskText } from "../kernel/secrets.ts";
import { policies } from "../policies/index.ts";
import { newSession } from "../state/session.ts";
import { newState } from "../state/state.ts";
import { processAt } from "../world/caller.ts";
import { runNow } from "../world/errand.ts";
import { gather } from "../world/gather.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { type Here, here } from "./here.ts";
import { CommandError, paint, paintDecision, say, sayJson, terminalColumns, wrap } from "./print.ts";

export const judge = defineCommand({
  name: "judge",
  summary: "Says what would be decided about a shell command. Nothing is run and nothing is recorded.",
  words: "'<command>'",
  wordsMax: 1,
  options: {
    jsonl: { type: "boolean", about: 'read lines {"command": …} from standard input, answer one line each' },
    cwd: { type: "string", hint: "DIR", about: "judge as if the agent stood there" },
    ...jsonOption,
  },
  examples: ["sekisho judge 'rm -rf build'", "sekisho judge --jsonl < commands.jsonl"],
  async run({ jsonl, json, cwd }, [command]) {
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

async function judgeLines(place: Here, cwd: string): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === "") continue;
    const command = commandIn(line);
    if (command === undefined) {
      code = 1;
      say(JSON.stringify({ error: `line ${number} is not an object with a text "command"` }));
    } else say(JSON.stringify(lineFor(command, verdictOn(command, place, cwd), place)));
  }
  return code;
}

function commandIn(line: string): string | undefined {
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === "string" ? command : undefined;
  } catch {
    return undefined;
  }
}

function verdictOn(command: string, { places, settings, armingOf }: Here, cwd: string): Judged {
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
  const law = settings.settings.enabled ? policies : [];
  const refusers = law.filter(({ id }) => /^(no|require)-/.test(id));
  const asked = policiesFor({ event, operation, facts: { settings: settings.settings } }, refusers);
  const facts = gather([...asked.flatMap(({ needs }) => needs), "settings"], {
    event,
    operation,
    places,
    armingOf,
    now,
    env: process.env,
    parentOf: () => processAt(process.ppid),
    settings: settings.settings,
    settingsProblems: settings.problems,
    state: { ...newState, sessions: { judge: newSession(now) } },
    deadline: Number.POSITIVE_INFINITY,
    clock: () => now,
    run: (errand) => runNow(errand, { spawnSync }),
  });
  return { verdict: decide({ event, operation, facts }, asked), operation };
}

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
  };
}

function print({ verdict, operation }: Judged, { language }: Here): void {
  const reach = paint.dim(`${operation.class}, ${operation.domain}, ${operation.risk} risk`);
  say(`${paintDecision(verdict.decision, verdict.decision.toUpperCase())}  ${reach}`);
  for (const { policy, what, why, fix } of verdict.objections) {
    const line = (label: string, words: string): void =>
      say(`  ${label.padEnd(9)}${wrap(words, terminalColumns(), " ".repeat(11))}`);
    line("what", what[language]);
    line("why", `${why[language]} ${paint.dim(`[${policy}]`)}`);
    line("instead", fix[language]);
  }
}
