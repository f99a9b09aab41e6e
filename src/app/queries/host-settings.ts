/** Finds other registrations of Sekisho, because a second one would decide every event twice. */
import type { SettingsText } from "../../hosts/setup.ts";
import { readableHostFile } from "../../world/machine/host-file.ts";
import { registration, setup } from "../host.ts";
import { Problem } from "../problem.ts";

/** Weakest first; an unreadable file is skipped. */
export function settingsFiles(paths: readonly string[]): readonly SettingsText[] {
  return paths.map((path) => ({ path, text: readableHostFile(path) }));
}

export function refuseDouble(path: string, files: readonly SettingsText[]): void {
  const others = files
    .filter((file) => file.path !== path && registration.registrationIn(file.text))
    .map((file) => file.path);
  if (others.length > 0) {
    throw new Problem(
      `Sekisho is already registered in ${others.join(", ")}: twice would mean every event is decided twice.\nTake it out there first: sekisho uninstall`,
    );
  }
  const [plugin] = setup.settings.activePlugins(files);
  if (plugin) {
    throw new Problem(
      `Sekisho is already on as the plugin ${plugin.name} (enabledPlugins in ${plugin.path}): twice would mean every event is decided twice.\nTake the plugin out first: claude plugin uninstall ${plugin.name}`,
    );
  }
}
