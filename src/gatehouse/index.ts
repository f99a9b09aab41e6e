/** The gatehouse's own file: `serve` holds the port, and the same file, started as a worker, answers. */
import { readDoor } from "../store/door.ts";
import { stateRoot } from "../world/places.ts";
import { notedProgram, noteSupervisor } from "./notes.ts";
import { supervise } from "./supervisor.ts";
import { work } from "./worker.ts";

/** Runs until it is told to end. Rejects when there is no door, or somebody else stands in it. */
export async function serve(bundle: string): Promise<void> {
  const root = stateRoot(process.env);
  const door = readDoor(root);
  if (!door) throw new Error(`there is no door in ${root}: run \`sekisho up\``);
  const log = (line: string): void => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
  await supervise({ port: door.port, bundle: () => notedProgram(root) ?? bundle, log });
  noteSupervisor(root);
  log(`the port ${door.port} is held by ${process.pid}`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      log(`ended by ${signal}`);
      process.exit(0);
    });
  }
}

if (process.argv[2] === "worker") work();
