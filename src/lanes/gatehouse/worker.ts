/** The worker: judges events. The supervisor passes it connections, so it can be replaced without closing the port. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Identity } from "../../daemon/challenge.ts";
import { hashWith } from "../../lib/sha256.ts";
import { sha256Hex } from "../../store/digest.ts";
import { readDoor, readKey } from "../../store/door.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { doorOf } from "./app.ts";
import { warmHall } from "./hall.ts";
import { keepers } from "./keepers.ts";
import { mailroom } from "./mail.ts";
import { mailMeans, mailStore } from "./mail-store.ts";
import { type Sighting, sightings } from "./sightings.ts";
import { telling } from "./telling.ts";

/** Messages between supervisor and worker. */
export type ToWorker =
  | { readonly kind: "socket"; readonly id: number }
  | { readonly kind: "ping" | "leave" }
  /** What this and other workers saw since the supervisor started. */
  | { readonly kind: "sightings"; readonly since: number; readonly all: readonly Sighting[] }
  | { readonly kind: "sighted"; readonly sighting: Sighting };
export type FromWorker =
  | { readonly kind: "took"; readonly id: number }
  | { readonly kind: "ready" | "pong" }
  | { readonly kind: "sighted"; readonly sighting: Sighting };

/** More than any number of real hosts; further connections are a fault or an attack. */
const LINES_MAX = 1000;

export function work(program: Pick<Identity, "version" | "build">): void {
  // The work is spread over many small functions, few of which get hot enough for V8's optimizing compiler; all profit
  // from the baseline compiler. V8 ignores unknown flags.
  setFlagsFromString("--always-sparkplug");
  // Only messages and codes are used; collecting stack traces is most of the cost of an exception.
  Error.stackTraceLimit = 0;
  hashWith(sha256Hex);
  const { env } = process;
  const [door, key] = [readDoor(stateRoot(env)), readKey(stateRoot(env))];
  if (!door || key === undefined) throw new Error(`there is no door in ${stateRoot(env)}`);
  let leaving = false;
  const identity = { ...program, pid: process.pid, supervisor: process.ppid };
  const bundle = join(dirname(__filename), "sekisho.cjs");
  const seen = sightings(Date.now());
  const supervisor = telling((sighting) => tell({ kind: "sighted", sighting }));
  const kept = keepers();
  const running = { node: process.execPath, bundle };
  const isLeaving = (): boolean => leaving;
  const answer = warmHall({ ...running, env, kept, seen, onSighted: supervisor.about });
  const server = serverOf(doorOf({ ...door, key, identity, isLeaving, answer, seenOf: seen.ofHost }));
  const mail = mailroom({ ...door, key, identity, isLeaving, store: mailStore(mailMeans(running, env, kept)) });
  server.on("upgrade", mail.open);
  const receive = receiver(server, isLeaving);
  process.on("message", (message: ToWorker, socket?: Socket) => {
    if (message.kind === "ping") tell({ kind: "pong" });
    if (message.kind === "leave") {
      leaving = true;
      supervisor.finish();
      mail.leave();
      receive(undefined);
    }
    if (message.kind === "sighted") seen.note(message.sighting);
    if (message.kind === "sightings") {
      seen.startAt(message.since);
      message.all.forEach(seen.note);
    }
    if (message.kind === "socket") tell({ kind: "took", id: message.id });
    if (message.kind === "socket" && socket) receive(socket);
  });
  process.on("disconnect", () => process.exit(0));
  tell({ kind: "ready" });
}

function serverOf(listener: RequestListener): Server {
  const server = createServer({ connectionsCheckingInterval: 1000 }, listener);
  server.headersTimeout = 5000;
  server.requestTimeout = 10_000;
  // If the server closed an idle connection just as the host reuses it, an event would be lost and a change refused.
  server.keepAliveTimeout = 0;
  // This server never listens itself; the event makes Node start enforcing the two timeouts.
  server.emit("listening");
  return server;
}

/** Counts connections; a replaced worker exits with its last one. */
function receiver(server: Server, isLeaving: () => boolean): (socket: Socket | undefined) => void {
  let lines = 0;
  const leaveIfDone = (): void => {
    if (isLeaving() && lines === 0) process.exit(0);
  };
  return (socket) => {
    if (!socket) return leaveIfDone();
    if (lines >= LINES_MAX) {
      socket.destroy();
      return;
    }
    lines++;
    socket.on("close", () => {
      lines--;
      leaveIfDone();
    });
    server.emit("connection", socket);
    socket.resume();
  };
}

function tell(message: FromWorker): void {
  process.send?.(message);
}
