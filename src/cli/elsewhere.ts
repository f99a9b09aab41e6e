/** Where else Sekisho is registered already: twice would mean that every event is decided twice. */
import { enabledPlugins } from "../hosts/claude-code/disarming.ts";
import { readSettings } from "../hosts/claude-code/hooks.ts";
import { hasOurs } from "../hosts/claude-code/install.ts";
import type { Settings } from "../hosts/claude-code/settings-shape.ts";
import { readableHostFile } from "../world/host-file.ts";
import { CommandError } from "./print.ts";

/** A settings file of the client, weakest first; one that nobody can read says nothing. */
export interface OtherFile {
  readonly path: string;
  readonly text: string | undefined;
  readonly settings: Settings;
}

export function settingsFiles(paths: readonly string[]): readonly OtherFile[] {
  return paths.map((path) => {
    const text = readableHostFile(path);
    return { path, text, settings: (text === undefined ? undefined : readSettings(text)) ?? {} };
  });
}

export function refuseDouble(path: string, files: readonly OtherFile[]): void {
  const others = files.filter((file) => file.path !== path && hasOurs(file.text)).map((file) => file.path);
  if (others.length > 0) {
    throw new CommandError(
      `Sekisho is already registered in ${others.join(", ")}: twice would mean every event is decided twice.\nTake it out there first: sekisho uninstall`,
    );
  }
  const [plugin] = activePlugins(files);
  if (plugin) {
    throw new CommandError(
      `Sekisho is already on as the plugin ${plugin.name} (enabledPlugins in ${plugin.path}): twice would mean every event is decided twice.\nTake the plugin out first: claude plugin uninstall ${plugin.name}`,
    );
  }
}

/** The nearest file that says anything about a plugin decides. */
export function activePlugins(
  files: readonly OtherFile[],
): readonly { readonly name: string; readonly path: string }[] {
  const names = new Set(files.flatMap(({ settings }) => enabledPlugins(settings)));
  return [...names].flatMap((name) => {
    const nearest = files.findLast(({ settings }) => Object.hasOwn(settings["enabledPlugins"] ?? {}, name));
    return nearest && enabledPlugins(nearest.settings).includes(name) ? [{ name, path: nearest.path }] : [];
  });
}
