/** The host in a terminal of its own, with a person who says yes to every question. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { towardsModel } from "../../src/hosts/claude-code/trial/messages-api.ts";
import { clientBinary } from "./client.ts";
import { type Step, startModel } from "./scripted-model.ts";
import { clientEnvironment, type Stage } from "./stage.ts";

/** The program that opens the terminal is not everywhere. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;

/** Only a host that hangs takes this long, even on a busy machine. */
const SITTING_MS_MAX = 300_000;
const LOOK_MS = 500;

interface Sitting {
  readonly mode?: "default" | "plan";
  /** How long the person reads before they answer. */
  readonly readingMs?: number;
}

/** Plays the steps up to the end of the turn, and returns how many questions stood on the screen. */
export async function sit(
  stage: Stage,
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
  { mode = "default", readingMs = 0 }: Sitting = {},
) {
  acceptKey(stage);
  const model = await startModel(steps);
  // Auto mode, the default, needs a server that this story has not.
  const flags = `--permission-mode ${mode} --allowedTools Bash,Read,Edit,Write`;
  const command = `${clientBinary()} ${flags} -- 'Play the story.'`;
  const surroundings = { ...clientEnvironment(dirname(stage.project), model.url), TERM: "xterm-256color", ...env };
  const options = { cwd: stage.project, env: surroundings, detached: true } as const;
  const child = spawn("script", ["-qefc", command, "/dev/null"], options);
  const closed = once(child, "close");
  let [screen, questions] = ["", 0];
  child.stdout.on("data", (words: Buffer) => {
    screen += words.toString();
    if (!isQuestion(screen)) return;
    screen = "";
    questions += 1;
    setTimeout(() => child.stdin.write("\r"), readingMs);
  });
  try {
    const until = Date.now() + SITTING_MS_MAX;
    while (!isOver(stage)) {
      if (Date.now() > until) throw new Error(`The turn did not end:\n${screen.slice(-2000)}`);
      await passed(LOOK_MS);
    }
    return { questions, requests: model.requests };
  } finally {
    await leave(child, closed);
    await model.close();
  }
}

const LEAVING_MS_MAX = 20_000;

/** The host has a session of its own in the terminal, so a signal to ours would leave it and its hooks running. */
async function leave(child: ChildProcessWithoutNullStreams, closed: Promise<unknown>): Promise<void> {
  child.stdin.write("/exit");
  await passed(LOOK_MS);
  child.stdin.write("\r");
  const isGone = await Promise.race([closed.then(() => true), passed(LEAVING_MS_MAX).then(() => false)]);
  if (!isGone && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await closed;
}

/** The host moves the cursor instead of printing blanks. */
function isQuestion(screen: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own signs.
  return screen.replace(/\u001b\[[0-9;?]*[A-Za-z]|\s/g, "").search(/(?:Doyouwant|Wouldyoulike)toproceed\?/) >= 0;
}

function isOver(stage: Stage): boolean {
  return stage.audit().some(({ event, verdict }) => event === "Stop" && verdict === "pass");
}

/** As if the person had said yes to the made-up key of the scripted model. */
export function acceptKey({ home }: Stage): void {
  const file = join(home, ".claude.json");
  const key = towardsModel("")["ANTHROPIC_API_KEY"];
  const known = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...known, customApiKeyResponses: { approved: [key], rejected: [] } }));
}
