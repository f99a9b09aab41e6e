/** Keys of Claude Code's settings that affect our hooks. */
import type { Environment } from "../../world/machine/places.ts";
import type { HostSettings, SettingsText } from "../setup.ts";
import { enabledPlugins, envOf } from "./disarming.ts";
import { readSettings } from "./hooks.ts";
import { proxyBar, proxyException } from "./proxies.ts";
import type { Settings } from "./settings-shape.ts";

export const settings: HostSettings = {
  switches: {
    disableAllHooks: "The client runs no hook at all.",
    allowManagedHooksOnly: "The client runs no hook but those of the managed settings.",
  },
  isLaneKey: (key) => key === "allowedHttpHookUrls" || /^env\.\w+_proxy$/i.test(key),
  enabledPlugins: (text) => enabledPlugins(settingsOf(text)),
  activePlugins,
  variablesIn: (text) => envOf(settingsOf(text)) as Environment,
  forbidsUrls(text, urls) {
    const allowed = settingsOf(text)["allowedHttpHookUrls"];
    return Array.isArray(allowed) && !urls.every((url) => allowed.some((pattern) => matches(String(pattern), url)));
  },
  sandboxes(text) {
    const sandbox = settingsOf(text)["sandbox"] as { enabled?: unknown; network?: unknown } | undefined;
    return sandbox?.enabled === true && !JSON.stringify(sandbox.network ?? {}).includes("127.0.0.1");
  },
  proxyException,
  proxyBar,
};

/** An unreadable file counts as empty. */
function settingsOf(text: string | undefined): Settings {
  return (text === undefined ? undefined : readSettings(text)) ?? {};
}

/** The nearest file that mentions a plugin decides. */
function activePlugins(files: readonly SettingsText[]): ReturnType<HostSettings["activePlugins"]> {
  const read = files.map(({ path, text }) => ({ path, settings: settingsOf(text) }));
  const names = new Set(read.flatMap((file) => enabledPlugins(file.settings)));
  return [...names].flatMap((name) => {
    const nearest = read.findLast((file) => Object.hasOwn(file.settings["enabledPlugins"] ?? {}, name));
    return nearest && enabledPlugins(nearest.settings).includes(name) ? [{ name, path: nearest.path }] : [];
  });
}

function matches(pattern: string, url: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}`).test(url);
}
