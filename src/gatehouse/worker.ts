/** The half that thinks. It gets its connections from the supervisor, so it can die and be replaced without the port. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { readDoor, readKey } from "../store/door.ts";
import { stateRoot } from "../world/places.ts";
import { doorOf } from "./app.ts";
import { warmHall } from "./hall.ts";

declare const __VERSION__: string;
declare const __BUILD__: string;

/** What supervisor and worker say to each other. */
export type ToWorker = "socket" | "ping" | "leave";
export type FromWorker = "ready" | "pong";

export function work(): void {
  const { env } = process;
  const [door, key] = [readDoor(stateRoot(env)), readKey(stateRoot(env))];
  if (!door || key === undefined) throw new Error(`there is no door in ${stateRoot(env)}`);
  let leaving = false;
  const identity = { version: __VERSION__, build: __BUILD__, pid: process.pid, supervisor: process.ppid };
  const bundle = join(dirname(__filename), "sekisho.cjs");
  const answer = warmHall({ node: process.execPath, bundle, env });
  const app = doorOf({ ...door, key, identity, isLeaving: () => leaving, answer });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.headersTimeout = 5000;
  server.requestTimeout = 10_000;
  // A client that reuses a line just as we close it would lose an event, and a lost event is a refused change.
  server.keepAliveTimeout = 0;
  let lines = 0;
  process.on("message", (message: ToWorker, socket?: Socket) => {
    if (message === "ping") tell("pong");
    if (message === "leave") leaving = true;
    if (message === "leave" && lines === 0) process.exit(0);
    if (message !== "socket" || !socket) return;
    lines++;
    socket.on("close", () => {
      lines--;
      if (leaving && lines === 0) process.exit(0);
    });
    server.emit("connection", socket);
    socket.resume();
  });
  process.on("disconnect", () => process.exit(0));
  tell("ready");
}

function tell(message: FromWorker): void {
  process.send?.(message);
}
