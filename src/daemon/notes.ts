/** Notes in the daemon's directory: which program it runs and which process holds the port. */
import { constants, mkdirSync, readSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gatehouseIn } from "../store/door.ts";
import { discard } from "../store/journal/discard.ts";
import { withFile } from "../store/journal/file.ts";
import { lookUp } from "../world/machine/caller.ts";

/** The program that the next worker starts from. */
export function noteProgram(stateRoot: string, bundle: string): void {
  note(stateRoot, "program.json", { bundle });
}

export function notedProgram(stateRoot: string): string | undefined {
  const { bundle } = noted(stateRoot, "program.json");
  return typeof bundle === "string" ? bundle : undefined;
}

export function noteSupervisor(stateRoot: string): void {
  note(stateRoot, "run.json", { pid: process.pid, started: lookUp(process.pid)?.started ?? "" });
}

/** Only if the same process still runs, because a pid may be reused. */
export function notedSupervisor(stateRoot: string): number | undefined {
  const { pid, started } = noted(stateRoot, "run.json");
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 1 || typeof started !== "string") return undefined;
  return started !== "" && lookUp(pid)?.started === started ? pid : undefined;
}

function note(stateRoot: string, name: string, value: object): void {
  const directory = gatehouseIn(stateRoot);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.${name}.${process.pid}.tmp`);
  try {
    writeFileSync(temporary, JSON.stringify(value), { flag: "wx", mode: 0o600 });
    renameSync(temporary, join(directory, name));
  } finally {
    discard(temporary);
  }
}

const BYTES_MAX = 8192;

function noted(stateRoot: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const text = withFile(join(gatehouseIn(stateRoot), name), constants.O_RDONLY, (fd) => {
      const bytes = Buffer.allocUnsafe(BYTES_MAX);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, null));
    });
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    // The note is missing or unreadable.
    return {};
  }
}
