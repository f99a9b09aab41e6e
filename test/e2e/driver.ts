/**
 * Runs many events and commands in one child process, which is ten times faster than a process for each. Tests of the
 * process itself (standard input, code cache, watchdog) start real processes; driver.test.ts checks that both answer alike.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Answer } from "./answer.ts";
import { program, type Start, type Surroundings } from "./program.ts";

/** The bundles that answer events and commands. */
const PARTS = { hook: "./hook.cjs", commands: "./cli.cjs" };

const DRIVER = [
  join(import.meta.dirname, "driver-process.cjs"),
  JSON.stringify({ launcher: program.bundle, ...PARTS }),
];

/** Only a driver that hangs takes this long, even on a busy machine. */
const ANSWER_MS_MAX = 300_000;

/** Like `inProcess`, for hooks on the plain lane and for commands that read no input. */
export const inDriver: Start = (words, given) => {
  const args = words.slice(words.indexOf(program.bundle) + 1);
  const { cwd, env, input } = given;
  return ask(args[0] === "hook" ? requestFor(args.slice(1), input, given) : { args, cwd, env });
};

export interface DrivenEvent {
  readonly event: string;
  readonly harmless: boolean;
  readonly body: string;
}

type Place = Pick<Surroundings, "env"> & { readonly project: string };

/** Sends events one after the other. They share loaded modules, which makes long tables faster. */
export function drive(stage: Place, events: readonly DrivenEvent[]): readonly Answer[] {
  return requestsFor(stage, events).map(ask);
}

/** Like `drive`, but in its own process, so that several can run at the same time. */
export async function driveAside(stage: Place, events: readonly DrivenEvent[]): Promise<readonly Answer[]> {
  const child = spawn(program.node, DRIVER, { env: {}, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const answers: Answer[] = [];
  for (const request of requestsFor(stage, events)) {
    child.send(request);
    const [answer] = await once(child, "message");
    answers.push(checked(answer as Reply));
  }
  child.disconnect();
  await once(child, "exit");
  return answers;
}

function requestsFor({ project: cwd, env }: Place, events: readonly DrivenEvent[]): readonly Request[] {
  return events.map(({ event, harmless, body }) => ({
    ...requestFor(harmless ? [event, "harmless"] : [event], body, { cwd, env }),
    isShared: true,
  }));
}

function requestFor(
  args: readonly string[],
  body: string | Uint8Array,
  { cwd, env }: Omit<Surroundings, "input">,
): Request {
  return { args, cwd, env, body: Buffer.from(body).toString("base64") };
}

/** Only events have a body. */
interface Request extends Omit<Surroundings, "input"> {
  readonly args: readonly string[];
  readonly body?: string;
  readonly isShared?: boolean;
}

type Reply = Answer | { readonly problem: string } | undefined;

function checked(reply: Reply): Answer {
  if (!reply) throw new Error("The driver did not answer.");
  if ("problem" in reply) throw new Error(`The driver failed: ${reply.problem}`);
  return reply;
}

type Ask = (request: Request) => Answer;
let started: Ask | undefined;

function ask(request: Request): Answer {
  started ??= start();
  return started(request);
}

/** Tests wait synchronously for each answer, so a worker thread receives it. */
function start(): Ask {
  const { port1, port2 } = new MessageChannel();
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(join(import.meta.dirname, "driver-thread.mjs"), {
    workerData: { node: program.node, args: DRIVER, port: port2, turn },
    transferList: [port2],
  });
  thread.unref();
  port1.unref();
  return (request) => {
    Atomics.store(turn, 0, 0);
    port1.postMessage(request);
    Atomics.wait(turn, 0, 0, ANSWER_MS_MAX);
    return checked(receiveMessageOnPort(port1)?.message as Reply);
  };
}
