/** What the gatehouse leaves in its directory for others: which program it runs, and which process holds the port. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gatehouseIn } from "../store/door.ts";
import { lookUp } from "../world/caller.ts";

/** The program that the next worker is started from. */
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

/** Only while that very process lives: its number may have gone to another one. */
export function notedSupervisor(stateRoot: string): number | undefined {
  const { pid, started } = noted(stateRoot, "run.json");
  return typeof pid === "number" && started !== "" && lookUp(pid)?.started === started ? pid : undefined;
}

function note(stateRoot: string, name: string, value: object): void {
  const directory = gatehouseIn(stateRoot);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.${name}.${process.pid}.tmp`);
  writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
  renameSync(temporary, join(directory, name));
}

function noted(stateRoot: string, name: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(readFileSync(join(gatehouseIn(stateRoot), name), "utf8")) ?? {}) as Record<string, unknown>;
  } catch {
    // Not there yet, or not readable: nothing is known.
    return {};
  }
}
