/** The premises as they really are: this machine, this project, this user's settings. */

import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { probeGatehouse } from "../../gatehouse/probe.ts";
import { startGatehouse, stopGatehouse } from "../../gatehouse/start.ts";
import { registeredEvents } from "../../policies/index.ts";
import { gatehouseIn, moveDoor, readDoor } from "../../store/door.ts";
import { type Environment, stateRoot } from "../../world/places.ts";
import { here, VERSION } from "../here.ts";
import { run } from "../run.ts";
import type { Disk, Premises } from "./check.ts";
import { readHostFile } from "./read-host-file.ts";

export function premisesHere(wants: Premises["wants"]): Premises {
  const { program, places, settings, store } = here();
  const { env } = process;
  const read = places.hostSettings.map(readHostFile);
  return {
    env,
    now: Date.now(),
    version: VERSION,
    program,
    events: registeredEvents,
    places,
    settings,
    store,
    files: read.flatMap((file) => ("text" in file ? [file] : [])),
    unreadable: read.flatMap((file) => ("reason" in file ? [file] : [])),
    run,
    diskOf,
    gatehouse: {
      probe: () => probeGatehouse(env),
      start: () => startGatehouse(env, program),
      stop: () => stopGatehouse(env),
      door: () => readDoor(stateRoot(env)),
      move: async (known) => moveDoor(stateRoot(env), known),
      log: join(gatehouseIn(stateRoot(env)), "gatehouse.log"),
    },
    client: clientOnPath(env),
    wants,
  };
}

function diskOf(path: string): Disk {
  const { type, bavail, bsize, files, ffree } = statfsSync(path);
  // Some file systems make room for names as they go, and count none.
  return { type, freeBytes: bavail * bsize, ...(files > 0 && { freeFiles: ffree }) };
}

/** `SEKISHO_CLIENT`, or the first `claude` that a shell would find. */
export function clientOnPath(env: Environment): string | undefined {
  const named = env["SEKISHO_CLIENT"];
  if (named !== undefined && named !== "") return named;
  return (env["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => directory.startsWith("/"))
    .map((directory) => join(directory, "claude"))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
