/** Collects the real inputs of the checks: this machine, this project, this user's settings. */

import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { probeGatehouse } from "../../daemon/probe.ts";
import { startGatehouse, stopGatehouse } from "../../daemon/start.ts";
import { registeredEvents } from "../../policies/index.ts";
import { gatehouseIn, moveDoor, readDoor } from "../../store/door.ts";
import { type Environment, stateRoot } from "../../world/machine/places.ts";
import { setup } from "../host.ts";
import { here, VERSION } from "../project.ts";
import { run } from "../setup/run.ts";
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
    hostProgram: hostOnPath(env),
    wants,
  };
}

function diskOf(path: string): Disk {
  const { type, bavail, bsize, files, ffree } = statfsSync(path);
  // Some file systems allocate inodes dynamically and report none.
  return { type, freeBytes: bavail * bsize, ...(files > 0 && { freeFiles: ffree }) };
}

/** `SEKISHO_CLIENT`, or the first program of the host's name that a shell would find. */
export function hostOnPath(env: Environment): string | undefined {
  const named = env["SEKISHO_CLIENT"];
  if (named !== undefined && named !== "") return named;
  return (env["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => directory.startsWith("/"))
    .map((directory) => join(directory, setup.program))
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
