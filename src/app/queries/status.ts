/** The data that `sekisho status` and the first screen of a page show. */
import { policies } from "../../policies/index.ts";
import { shelfOf, shelved } from "../../undo/shelf.ts";
import { type StatusView, statusView } from "../../views/status.ts";
import { readableHostFile } from "../../world/machine/host-file.ts";
import { registration, setup } from "../host.ts";
import { type Here, orFail, VERSION } from "../project.ts";
import { settingsFiles } from "./host-settings.ts";

export interface ProjectStatus {
  readonly view: StatusView;
  readonly plugins: ReturnType<typeof setup.settings.activePlugins>;
  /** The host's settings register the fast lane, so the daemon should be up. */
  readonly isFast: boolean;
}

export function statusHere({ places, settings, store, key, armingOf }: Here): ProjectStatus {
  const texts = places.hostSettings.map((path) => ({ path, text: readableHostFile(path) }));
  const view = statusView({
    version: VERSION,
    project: places.project,
    stateDirectory: places.journal,
    state: orFail(store.read()),
    settings,
    // The registered program may be a kept version and not this one.
    files: texts.map(({ path, text }) => ({
      path,
      arming: armingOf(text, registration.registrationIn(text)?.programs[0]),
    })),
    policies,
    snapshots: shelved(shelfOf(places.journal)),
    passphrase: key.state,
    now: Date.now(),
  });
  return {
    view,
    plugins: setup.settings.activePlugins(settingsFiles(places.hostSettings)),
    isFast: texts.some(({ text }) => registration.registrationIn(text)?.lane === "fast"),
  };
}
