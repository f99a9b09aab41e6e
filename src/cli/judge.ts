import { Problem } from "../app/problem.ts";
import { judgeAt } from "../app/queries/judge.ts";
import { type JudgedView, judgedLine } from "../views/judged.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, paintDecision, say, sayJson, sayPart, terminalColumns, wrap } from "./print.ts";

export const judge = defineCommand({
  name: "judge",
  summary: "Says what would be decided about a shell command. The command is not run and nothing is recorded.",
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
    const judgeCommand = judgeAt(cwd ?? process.cwd());
    if (jsonl) return judgeLines(judgeCommand);
    if (command === undefined) throw new Problem("Give a command in quotes, or --jsonl. See `sekisho judge --help`.");
    const judged = judgeCommand(command);
    if (json) sayJson(judgedLine(judged));
    else print(judged);
    return judged.decision === "deny" ? 2 : 0;
  },
});

type Judge = ReturnType<typeof judgeAt>;

async function judgeLines(judgeCommand: Judge): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const lines of inputLines()) {
    const answers = lines.flatMap((line) => {
      number += 1;
      if (line.trim() === "") return [];
      const command = commandIn(line);
      if (command !== undefined) return [answerTo(command, judgeCommand)];
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

function answerTo(command: string, judgeCommand: Judge): object {
  const started = performance.now();
  const judged = judgeCommand(command);
  const ms = Math.round((performance.now() - started) * 100) / 100;
  return { ...judgedLine(judged), ms };
}

function commandIn(line: string): string | undefined {
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === "string" ? command : undefined;
  } catch {
    return undefined;
  }
}

function print({ decision, operation, objections, lifted }: JudgedView): void {
  const reach = paint.dim(`${operation.class}, ${operation.domain}, ${operation.risk} risk`);
  say(`${paintDecision(decision, decision.toUpperCase())}  ${reach}`);
  for (const { policy, by } of lifted) {
    const words = `passes by a person's leave (${by}), although ${policy} objects`;
    say(`  ${wrap(words, terminalColumns(), "  ")}`);
  }
  for (const { policy, what, why, fix } of objections) {
    sayPart("what", what, "  ", 9);
    sayPart("why", `${why} ${paint.dim(`[${policy}]`)}`, "  ", 9);
    sayPart("instead", fix, "  ", 9);
  }
}
