/** A worker as its supervisor knows it: what it was handed, and whether it still answers. */
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { FromWorker, ToWorker } from "./worker.ts";

export interface Hired {
  readonly process: ChildProcess;
  /** Lines that are on their way to it. Ours stay open until it says that it has them. */
  readonly handed: Map<number, Socket>;
  /** Looks since it was last heard of. */
  silence: number;
  isReady: boolean;
  readonly ageMs: () => number;
}

/** Counted in looks and not in time: a machine that slept, or had no time for us, has not made anybody silent. */
const SILENCE_MAX = 5;
const SILENCE_MAX_AT_START = 15;

interface Told {
  readonly onReady: () => void;
  /** Once, however it ended, also if it never began. */
  readonly onEnd: (how: string) => void;
}

export function worker(process: ChildProcess, { onReady, onEnd }: Told): Hired {
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
  // One that could not be started has no end of its own.
  process.on("error", (error) => (process.pid === undefined ? end(error.message) : undefined));
  process.on("exit", (code, signal) => end(String(signal ?? code)));
  return hired;
}

let lines = 0;

export function passTo(hired: Hired, socket: Socket): void {
  const id = ++lines;
  hired.handed.set(id, socket);
  socket.once("error", () => socket.destroy());
  // An error here means that it is dying: then whatever it was handed comes back with its end.
  hired.process.send({ kind: "socket", id } satisfies ToWorker, socket, { keepOpen: true }, () => undefined);
}

function taken(hired: Hired, id: number): void {
  hired.handed.get(id)?.destroy();
  hired.handed.delete(id);
}

export function tell(hired: Hired, message: ToWorker): void {
  if (hired.process.connected) hired.process.send(message, () => undefined);
}

/** Asks again, and says whether the earlier questions were answered. */
export function look(hired: Hired): boolean {
  if (++hired.silence > (hired.isReady ? SILENCE_MAX : SILENCE_MAX_AT_START)) return false;
  tell(hired, { kind: "ping" });
  return true;
}

export function endWorker({ process }: Hired): void {
  process.kill("SIGKILL");
}
