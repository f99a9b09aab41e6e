/** Finds settings that switch our hooks off or get between the host and them. */
import type { Settings } from "./settings-shape.ts";

const KEYS: readonly string[] = ["disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls"];

/** Includes PATH, because hooks in a shared file find the program by name. */
const ENV = /^(?:XDG_|HOME$|PATH$|LD_|DYLD_|NODE|BUN|OPENSSL|GCONV|SSL_|CLAUDE|ANTHROPIC_(?!MODEL|SMALL)|\w+_proxy$)/i;

export function disarmingKeys(settings: Settings): readonly string[] {
  const keys = KEYS.filter((key) => settings[key] !== undefined && settings[key] !== false);
  const past = passesProxies(settings);
  const env = Object.keys(envOf(settings)).filter((name) => ENV.test(name) && !(past && PROXY.test(name)));
  return [
    ...keys,
    ...env.map((name) => `env.${name}`),
    ...disabledPlugins(settings).map((name) => `enabledPlugins.${name}`),
  ];
}

const PROXY = /_proxy$/i;

/** The daemon's address as NO_PROXY must name it; the host does not support ranges there. */
export const LOOPBACK = "127.0.0.1";

/** Either spelling works: both were tested in Claude Code, against each other. */
export function passesProxies(settings: Settings): boolean {
  const { NO_PROXY, no_proxy } = envOf(settings);
  return [NO_PROXY, no_proxy].some((value) => typeof value === "string" && excepts(value));
}

export function excepts(noProxy: string): boolean {
  return noProxy.split(/[\s,]+/).some((host) => host === LOOPBACK || host === "*");
}

export function envOf({ env }: Settings): Readonly<Record<string, unknown>> {
  return typeof env === "object" && env !== null && !Array.isArray(env) ? (env as Record<string, unknown>) : {};
}

/** Our plugin has this name in every marketplace. */
const OUR_PLUGIN = /^sekisho@/;

export function enabledPlugins(settings: Settings): readonly string[] {
  return pluginsThatAre(true, settings);
}

/** A nearer file that disables the plugin overrides one that enables it. */
function disabledPlugins(settings: Settings): readonly string[] {
  return pluginsThatAre(false, settings);
}

function pluginsThatAre(on: boolean, { enabledPlugins: plugins }: Settings): readonly string[] {
  if (typeof plugins !== "object" || plugins === null) return [];
  return Object.entries(plugins)
    .filter(([name, value]) => OUR_PLUGIN.test(name) && (value !== false) === on)
    .map(([name]) => name);
}
