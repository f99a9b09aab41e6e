/** The supervisor: holds the port, judges nothing, and makes sure that a worker answers. */
import { fork } from "node:child_process";
import { createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { endWorker, type Hired, look, passTo, tell, worker } from "./hired.ts";
import { type Sightings, sightings } from "./sightings.ts";

export interface Supervised {
  readonly port: number;
  /** The program to start workers from; read again at every start. */
  readonly bundle: () => string;
  /** False when the endpoint was removed, so that the daemon is no longer needed. */
  readonly isWanted: () => boolean;
  readonly log: (line: string) => void;
}

const LOOK_EVERY_MS = 1000;
const UNWANTED_LOOKS_MAX = 3;
const WAITING_MAX = 256;
const PAUSE_MS_MAX = 2000;
/** A worker that lived this long was not broken from the start. */
const STEADY_MS = 10_000;

interface Seat {
  readonly given: Supervised;
  /** The worker that gets new connections. */
  serving: Hired | undefined;
  /** The worker that is starting; at most one. */
  coming: Hired | undefined;
  /** Replaced workers that still serve their last connections. */
  readonly leaving: Set<Hired>;
  /** A restart was requested while a worker was already starting, perhaps from another program. */
  isAgain: boolean;
  retry: NodeJS.Timeout | undefined;
  deaths: number;
  unwanted: number;
  readonly waiting: Socket[];
  /** Outlives the workers. */
  readonly seen: Sightings;
  readonly since: number;
}

/** Resolves when the port is bound; rejects when another process has it. */
export async function supervise(given: Supervised): Promise<Server> {
  const seat: Seat = {
    given,
    serving: undefined,
    coming: undefined,
    leaving: new Set(),
    isAgain: false,
    retry: undefined,
    deaths: 0,
    unwanted: 0,
    waiting: [],
    seen: sightings(Date.now()),
    since: Date.now(),
  };
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => hand(seat, socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: given.port, exclusive: true, backlog: 511 }, resolve);
  });
  server.on("error", (error) => given.log(`the port: ${error.message}`));
  process.on("SIGHUP", () => hire(seat));
  // Workers exit when their IPC channel closes, but a hanging one must be killed.
  process.on("exit", () => everybody(seat).forEach(endWorker));
  hire(seat);
  setInterval(() => lookAfter(seat), LOOK_EVERY_MS);
  return server;
}

function hand(seat: Seat, socket: Socket): void {
  if (socket.destroyed) return;
  if (seat.serving) passTo(seat.serving, socket);
  else if (seat.waiting.length < WAITING_MAX) seat.waiting.push(socket);
  else socket.destroy();
}

/** Starts a new worker. The old one keeps serving until the new one is ready, then exits with its last connection. */
function hire(seat: Seat): void {
  clearTimeout(seat.retry);
  seat.retry = undefined;
  if (seat.coming) {
    seat.isAgain = true;
    return;
  }
  const { log } = seat.given;
  const program = join(dirname(seat.given.bundle()), "gatehouse.cjs");
  const hired = worker(fork(program, ["worker"], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] }), {
    onReady: () => take(seat, hired),
    onSighted: (sighting) => {
      seat.seen.note(sighting);
      // A replaced worker may still serve a host, and the others must know what it saw.
      for (const other of everybody(seat)) if (other !== hired) tell(other, { kind: "sighted", sighting });
    },
    onEnd: (how) => {
      log(`worker ${hired.process.pid} ended (${how})`);
      replace(seat, hired);
    },
  });
  log(`worker ${hired.process.pid} from ${program}`);
  seat.coming = hired;
  tell(hired, { kind: "sightings", since: seat.since, all: seat.seen.all() });
}

function take(seat: Seat, hired: Hired): void {
  const before = seat.serving;
  seat.coming = undefined;
  seat.serving = hired;
  for (const socket of seat.waiting.splice(0)) passTo(hired, socket);
  if (before) {
    seat.leaving.add(before);
    tell(before, { kind: "leave" });
  }
  if (!seat.isAgain) return;
  seat.isAgain = false;
  hire(seat);
}

/** Connections the dead worker had not confirmed go to the next one, because nothing was read from them yet. */
function replace(seat: Seat, dead: Hired): void {
  seat.leaving.delete(dead);
  if (seat.serving === dead) seat.serving = undefined;
  if (seat.coming === dead) seat.coming = undefined;
  for (const socket of dead.handed.values()) hand(seat, socket);
  dead.handed.clear();
  const isMissed = !seat.serving || seat.isAgain;
  if (seat.coming || !isMissed) return;
  seat.isAgain = false;
  seat.deaths = dead.ageMs() > STEADY_MS ? 0 : seat.deaths + 1;
  clearTimeout(seat.retry);
  seat.retry = setTimeout(() => hire(seat), Math.min(PAUSE_MS_MAX, Math.max(0, seat.deaths - 1) * 100));
}

/** Kills workers that do not answer pings, together with their connections. */
function lookAfter(seat: Seat): void {
  const { log, isWanted } = seat.given;
  seat.unwanted = isWanted() ? 0 : seat.unwanted + 1;
  if (seat.unwanted >= UNWANTED_LOOKS_MAX) {
    log("the door is gone");
    process.exit(0);
  }
  for (const hired of everybody(seat)) {
    if (look(hired)) continue;
    log(`worker ${hired.process.pid} does not answer`);
    endWorker(hired);
  }
}

function everybody({ serving, coming, leaving }: Seat): readonly Hired[] {
  return [serving, coming, ...leaving].flatMap((hired) => hired ?? []);
}
