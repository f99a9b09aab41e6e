/** The data that `sekisho status` and the first screen of a page show. */
import { type Probe, probeGatehouse } from "../../daemon/probe.ts";
import { policies } from "../../policies/index.ts";
import { shelfOf, shelved } from "../../undo/shelf.ts";
import { type StatusView, statusView } from "../../views/status.ts";
import { registration, setup } from "../host.ts";
import { type Here, orFail, VERSION } from "../project.ts";
import { hooksOutsideWorktrees } from "../setup/worktrees.ts";
import { settingsFiles } from "./host-settings.ts";

export interface ProjectStatus {
  readonly view: StatusView;
  readonly plugins: ReturnType<typeof setup.settings.activePlugins>;
  /** Null: no settings file of the host registers the fast lane. */
  readonly gatehouse: Probe["state"] | null;
  /** The settings file whose hooks do not run in worktrees of the host, because it isn't committed. */
  readonly uncommitted: string | null;
}

export async function statusHere({ places, settings, store, key, armingOf }: Here): Promise<ProjectStatus> {
  const hostFiles = settingsFiles(places.hostSettings);
  const view = statusView({
    version: VERSION,
    project: places.project,
    stateDirectory: places.journal,
    state: orFail(store.read()),
    settings,
    // The registered program may be a kept version and not this one.
    files: hostFiles.map(({ path, text }) => ({
      path,
      arming: armingOf(text, registration.registrationIn(text)?.programs[0]),
    })),
    policies,
    snapshots: shelved(shelfOf(places.journal)),
    passphrase: key.state,
    now: Date.now(),
  });
  const isFast = hostFiles.some(({ text }) => registration.registrationIn(text)?.lane === "fast");
  return {
    view,
    plugins: setup.settings.activePlugins(hostFiles),
    gatehouse: isFast ? (await probeGatehouse(process.env)).state : null,
    uncommitted: hooksOutsideWorktrees(places.project, hostFiles) ?? null,
  };
}
