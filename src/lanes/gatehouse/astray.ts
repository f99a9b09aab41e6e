/** Finds settings files whose hooks call a daemon. Runs with every turn, so it must be cheap. */
import { HOST, watches } from "../../hosts/index.ts";
import type { Door } from "../../hosts/registration.ts";
import { readableHostFile } from "../../world/machine/host-file.ts";
import { type Environment, placesOf } from "../../world/machine/places.ts";

const { layout, callsElsewhere } = watches[HOST];

/** All settings files on the fast lane; with `except`, only those whose hooks call another endpoint. */
export function filesOnFastLane(env: Environment, cwd: string, except?: Door): readonly string[] {
  return placesOf(layout, env, cwd, []).hostSettings.filter((path) => {
    // Files we may not read are left alone.
    const text = readableHostFile(path);
    return text !== undefined && callsElsewhere(text, except);
  });
}
