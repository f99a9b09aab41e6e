/** The half that stays. It holds the port, thinks nothing, and sees to it that somebody answers. */
import { type ChildProcess, fork } from "node:child_process";
import { createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import type { FromWorker, ToWorker } from "./worker.ts";

export interface Supervised {
  readonly port: number;
  /** Which program the worker is started from; asked again at every start. */
  readonly bundle: () => string;
  readonly log: (line: string) => void;
}

const PING_MS = 1000;
const SILENCE_MS_MAX = 3000;
const WAITING_MAX = 256;
const PAUSE_MS_MAX = 2000;

interface Seat {
  worker: ChildProcess | undefined;
  lastHeard: number;
  /** Deaths in a row without an answer in between. */
  deaths: number;
  readonly waiting: Socket[];
}

/** Resolves when the port is held; rejects when somebody else has it. */
export async function supervise(given: Supervised): Promise<Server> {
  const seat: Seat = { worker: undefined, lastHeard: 0, deaths: 0, waiting: [] };
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => hand(seat, socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: given.port, exclusive: true, backlog: 511 }, resolve);
  });
  server.on("error", (error) => given.log(`the port: ${error.message}`));
  hire(seat, given);
  setInterval(() => lookAfter(seat, given), PING_MS);
  process.on("SIGHUP", () => hire(seat, given));
  return server;
}

function hand(seat: Seat, socket: Socket): void {
  socket.on("error", () => socket.destroy());
  if (seat.worker?.connected && seat.lastHeard > 0) pass(seat.worker, socket);
  else if (seat.waiting.length < WAITING_MAX) seat.waiting.push(socket);
  else socket.destroy();
}

function pass(worker: ChildProcess, socket: Socket): void {
  worker.send("socket" satisfies ToWorker, socket, (error) => {
    if (error) socket.destroy();
  });
}

/** A new worker. The one before it goes on until this one is ready, and then leaves with its last line. */
function hire(seat: Seat, given: Supervised): void {
  const program = join(dirname(given.bundle()), "gatehouse.cjs");
  const worker = fork(program, ["worker"], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  given.log(`worker ${worker.pid} from ${program}`);
  worker.on("message", (message: FromWorker) => {
    if (message === "ready") take(seat, worker);
    if (seat.worker === worker) seat.lastHeard = Date.now();
    seat.deaths = 0;
  });
  worker.on("error", (error) => given.log(`worker ${worker.pid}: ${error.message}`));
  worker.on("exit", (code, signal) => {
    given.log(`worker ${worker.pid} ended (${signal ?? code})`);
    if (seat.worker !== worker && seat.worker !== undefined) return;
    seat.worker = undefined;
    seat.lastHeard = 0;
    setTimeout(() => hire(seat, given), Math.min(PAUSE_MS_MAX, seat.deaths++ * 100));
  });
}

function take(seat: Seat, worker: ChildProcess): void {
  const before = seat.worker;
  seat.worker = worker;
  seat.lastHeard = Date.now();
  for (const socket of seat.waiting.splice(0)) pass(worker, socket);
  if (before?.connected) before.send("leave" satisfies ToWorker);
}

/** One that does not answer is thinking about something it should not: it is ended, and its line with it. */
function lookAfter(seat: Seat, given: Supervised): void {
  const { worker } = seat;
  if (!worker?.connected || seat.lastHeard === 0) return;
  if (Date.now() - seat.lastHeard > SILENCE_MS_MAX) {
    given.log(`worker ${worker.pid} did not answer for ${SILENCE_MS_MAX} ms`);
    worker.kill("SIGKILL");
    return;
  }
  worker.send("ping" satisfies ToWorker, () => undefined);
}
