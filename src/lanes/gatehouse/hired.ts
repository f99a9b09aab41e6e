/** A worker as seen by its supervisor: the connections passed to it, and whether it still answers. */
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Sighting } from "./sightings.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

export interface Hired {
  readonly process: ChildProcess;
  /** Connections being passed to the worker. The supervisor's copies stay open until the worker confirms them. */
  readonly handed: Map<number, Socket>;
  /** Checks since the last answer. */
  silence: number;
  isReady: boolean;
  readonly ageMs: () => number;
}

/** Counted in checks instead of time, so that a sleeping or overloaded machine does not make workers look dead. */
const SILENCE_MAX = 5;
const SILENCE_MAX_AT_START = 15;

interface Told {
  readonly onReady: () => void;
  readonly onSighted: (sighting: Sighting) => void;
  /** Called exactly once, even if the worker never started. */
  readonly onEnd: (how: string) => void;
}

export function worker(process: ChildProcess, { onReady, onSighted, onEnd }: Told): Hired {
  const began = performance.now();
  const hired: Hired = {
    process,
    handed: new Map(),
    silence: 0,
    isReady: false,
    ageMs: () => performance.now() - began,
  };
  process.on("message", (message: FromWorker) => {
    hired.silence = 0;
    if (message.kind === "took") taken(hired, message.id);
    if (message.kind === "sighted") onSighted(message.sighting);
    if (message.kind !== "ready" || hired.isReady) return;
    hired.isReady = true;
    onReady();
  });
  let hasEnded = false;
  const end = (how: string): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(how);
  };
  // A worker that could not be started emits no exit event.
  process.on("error", (error) => (process.pid === undefined ? end(error.message) : undefined));
  process.on("exit", (code, signal) => end(String(signal ?? code)));
  return hired;
}

let lines = 0;

export function passTo(hired: Hired, socket: Socket): void {
  const id = ++lines;
  hired.handed.set(id, socket);
  socket.once("error", () => socket.destroy());
  // An error means that the worker is dying; its connections come back when it exits.
  hired.process.send({ kind: "socket", id } satisfies ToWorker, socket, { keepOpen: true }, () => undefined);
}

function taken(hired: Hired, id: number): void {
  hired.handed.get(id)?.destroy();
  hired.handed.delete(id);
}

export function tell(hired: Hired, message: ToWorker): void {
  if (hired.process.connected) hired.process.send(message, () => undefined);
}

/** Sends another ping. Returns false when too many earlier ones were not answered. */
export function look(hired: Hired): boolean {
  if (++hired.silence > (hired.isReady ? SILENCE_MAX : SILENCE_MAX_AT_START)) return false;
  tell(hired, { kind: "ping" });
  return true;
}

export function endWorker({ process }: Hired): void {
  process.kill("SIGKILL");
}
