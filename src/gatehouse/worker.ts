/** The half that thinks. It gets its connections from the supervisor, so it can die and be replaced without the port. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { createAdaptorServer } from "@hono/node-server";
import { readDoor, readKey } from "../store/door.ts";
import { stateRoot } from "../world/places.ts";
import { doorOf } from "./app.ts";
import { warmHall } from "./hall.ts";

declare const __VERSION__: string;
declare const __BUILD__: string;

/** What supervisor and worker say to each other. */
export type ToWorker = { readonly kind: "socket"; readonly id: number } | { readonly kind: "ping" | "leave" };
export type FromWorker = { readonly kind: "took"; readonly id: number } | { readonly kind: "ready" | "pong" };

/** More than there are clients; whoever holds as many has lost its way, or wants to do harm. */
const LINES_MAX = 1000;

export function work(): void {
  // What we do is spread over a thousand small functions: few of them are called often enough for V8's best compiler,
  // and all gain by its quick one. A flag that V8 does not know does nothing.
  setFlagsFromString("--always-sparkplug");
  // We look at messages and codes only; collecting stacks is most of what an exception costs.
  Error.stackTraceLimit = 0;
  const { env } = process;
  const [door, key] = [readDoor(stateRoot(env)), readKey(stateRoot(env))];
  if (!door || key === undefined) throw new Error(`there is no door in ${stateRoot(env)}`);
  let leaving = false;
  const identity = { version: __VERSION__, build: __BUILD__, pid: process.pid, supervisor: process.ppid };
  const bundle = join(dirname(__filename), "sekisho.cjs");
  const answer = warmHall({ node: process.execPath, bundle, env });
  const app = doorOf({ ...door, key, identity, isLeaving: () => leaving, answer });
  const receive = receiver(serverOf(app.fetch), () => leaving);
  process.on("message", (message: ToWorker, socket?: Socket) => {
    if (message.kind === "ping") tell({ kind: "pong" });
    if (message.kind === "leave") leaving = true;
    if (message.kind === "socket") tell({ kind: "took", id: message.id });
    if (message.kind === "socket" && socket) receive(socket);
    if (message.kind === "leave") receive(undefined);
  });
  process.on("disconnect", () => process.exit(0));
  tell({ kind: "ready" });
}

function serverOf(fetch: Parameters<typeof createAdaptorServer>[0]["fetch"]): Server {
  const server = createAdaptorServer({ fetch, serverOptions: { connectionsCheckingInterval: 1000 } }) as Server;
  server.headersTimeout = 5000;
  server.requestTimeout = 10_000;
  // A client that reuses a line just as we close it would lose an event, and a lost event is a refused change.
  server.keepAliveTimeout = 0;
  // It never listens itself, and Node begins to look at those two bounds when a server does.
  server.emit("listening");
  return server;
}

/** Counts the lines; a worker that is leaving goes with its last one. */
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
