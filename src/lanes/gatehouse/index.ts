/** The daemon: `serve` holds the port and starts workers, which answer events. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { shortenLog } from "../../daemon/log.ts";
import { notedProgram, noteSupervisor } from "../../daemon/notes.ts";
import { doorIsGone, readDoor } from "../../store/door.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { supervise } from "./supervisor.ts";

/** Runs until it is stopped. Rejects when there is no endpoint or another process holds the port. */
export async function serve(bundle: string): Promise<void> {
  const root = stateRoot(process.env);
  const door = readDoor(root);
  if (!door) throw new Error(`there is no door in ${root}: run \`sekisho up\``);
  // A log that cannot be written, for example on a full disk, does not stop the daemon.
  process.stdout.on("error", () => undefined);
  const log = (line: string): void => {
    shortenLog(process.stdout.fd);
    process.stdout.write(`${new Date().toISOString()} ${line}\n`);
  };
  await supervise({
    port: door.port,
    bundle: () => wantedProgram(root, bundle),
    isWanted: () => !doorIsGone(root),
    log,
  });
  noteOrLog(root, log);
  log(`the port ${door.port} is held by ${process.pid}`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      log(`ended by ${signal}`);
      process.exit(0);
    });
  }
}

/** The program noted last, if it still exists: removing a version must not break the daemon. */
function wantedProgram(root: string, own: string): string {
  const noted = notedProgram(root);
  return noted !== undefined && existsSync(join(dirname(noted), "gatehouse.cjs")) ? noted : own;
}

/** Others normally find the supervisor by the challenge; the note is for the case that it does not answer. */
function noteOrLog(root: string, log: (line: string) => void): void {
  try {
    noteSupervisor(root);
  } catch (error) {
    log(`nobody could be told who holds the port: ${error instanceof Error ? error.message : String(error)}`);
  }
}
