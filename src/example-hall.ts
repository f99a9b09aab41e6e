/** What the tests of the hall share: a hall with the real law and a store in memory, and events put to it. */

import { type Hall, handle } from "./hook.ts";
import { parse } from "./hosts/claude-code/parse.ts";
import { render } from "./hosts/claude-code/render.ts";
import type { Reply } from "./hosts/host.ts";
import { ordinaryFacts, PROJECT } from "./policies/describe-policy.ts";
import { policies } from "./policies/index.ts";
import { defaultSettings } from "./state/settings.ts";
import type { Store } from "./store/store.ts";
import { processAt } from "./world/caller.ts";

/** The test plays the client, so events are bound. */
export function hallWith(store: Store, more: Partial<Hall> = {}): Hall {
  return {
    host: { parse, render },
    policies,
    env: { CLAUDE_PID: String(process.ppid), LANG: "C.UTF-8" },
    parentOf: () => processAt(process.ppid),
    clock: () => 1_000,
    deadline: 10_000,
    placesOf: () => ordinaryFacts.places,
    settingsOf: () => ({ settings: defaultSettings, problems: [], custom: [] }),
    storeOf: () => store,
    armingOf: () => ({ readable: true, hooks: [], disarms: [], strange: [], runs: [] }),
    digest: () => "d1ge57",
    ...more,
  };
}

export function send(hall: Hall, name: string, fields: object = {}): Reply {
  const body = { session_id: "s-1", cwd: PROJECT, hook_event_name: name, ...fields };
  return handle({ body: JSON.stringify(body), env: hall.env }, hall);
}
