/** The gatehouse's own file: `serve` holds the port, and the same file, started as a worker, answers. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { doorIsGone, readDoor } from "../store/door.ts";
import { stateRoot } from "../world/places.ts";
import { shortenLog } from "./log.ts";
import { notedProgram, noteSupervisor } from "./notes.ts";
import { supervise } from "./supervisor.ts";
import { work } from "./worker.ts";

/** Runs until it is told to end. Rejects when there is no door, or somebody else stands in it. */
export async function serve(bundle: string): Promise<void> {
  const root = stateRoot(process.env);
  const door = readDoor(root);
  if (!door) throw new Error(`there is no door in ${root}: run \`sekisho up\``);
  // A log that cannot be written, on a full disk perhaps, ends nothing.
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

/** The one that was noted last, while it is there: a version that was removed must not take us with it. */
function wantedProgram(root: string, own: string): string {
  const noted = notedProgram(root);
  return noted !== undefined && existsSync(join(dirname(noted), "gatehouse.cjs")) ? noted : own;
}

/** Whoever looks for us finds us by the challenge; the note is for when we do not answer. */
function noteOrLog(root: string, log: (line: string) => void): void {
  try {
    noteSupervisor(root);
  } catch (error) {
    log(`nobody could be told who holds the port: ${error instanceof Error ? error.message : String(error)}`);
  }
}

if (process.argv[2] === "worker") work();
