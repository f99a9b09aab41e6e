/** A hall with the real policies and a store in memory, for tests of what happens to an event. */

import type { RawCall, Reply } from "../hosts/host.ts";
import { HOST, hosts } from "../hosts/index.ts";
import { driveNow } from "../kernel/drive.ts";
import { policiesOn } from "../policies/by-event.ts";
import { ordinaryFacts, PROJECT } from "../policies/describe-policy.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import type { Store } from "../store/store.ts";
import { processAt } from "../world/machine/caller.ts";
import { type Hall, handle } from "./hall.ts";
import { type Means, performWith } from "./perform.ts";

export type ExampleHall = Hall & Means;

const host = hosts[HOST];

/** The test plays the host, so events are bound. */
export function hallWith(store: Store, more: Partial<ExampleHall> = {}): ExampleHall {
  return {
    host,
    policiesOn,
    env: { [host.layout.variables.process]: String(process.ppid), LANG: "C.UTF-8" },
    parentOf: () => processAt(process.ppid),
    // No transcript is written here; the connection proves the host.
    isChannel: true,
    clock: () => 1_000,
    deadline: 10_000,
    placesOf: () => ordinaryFacts.places,
    settingsOf: () => ({ settings: defaultSettings, problems: [], custom: [] }),
    storeOf: () => store,
    run: () => ({ failed: "no program runs in this test" }),
    copy: () => ({ is: "empty" }),
    armingOf: () => ({ readable: true, hooks: [], disarms: [], strange: [], runs: [] }),
    digest: () => "d1ge57",
    ...more,
  };
}

export function send(hall: ExampleHall, name: string, fields: object = {}): Reply {
  const body = { session_id: "s-1", cwd: PROJECT, hook_event_name: name, ...fields };
  return answer({ body: JSON.stringify(body), env: hall.env }, hall);
}

export function answer(call: RawCall, hall: ExampleHall): Reply {
  return driveNow(handle(call, hall), performWith(hall));
}
