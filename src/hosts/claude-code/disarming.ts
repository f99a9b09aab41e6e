/** What in a settings file switches our hooks off, or puts something between the client and them. */
import type { Settings } from "./settings-shape.ts";

const KEYS: readonly string[] = ["disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls"];

/** PATH among them: in a file that is shared, the program is found by its name. */
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

/** The address the gatehouse listens on, as a list of exceptions must name it. The client knows no ranges there. */
export const LOOPBACK = "127.0.0.1";

/** Either spelling will do: each was tried in the client, against the other. */
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

/** A nearer file that says no wins over one that says yes. */
function disabledPlugins(settings: Settings): readonly string[] {
  return pluginsThatAre(false, settings);
}

function pluginsThatAre(on: boolean, { enabledPlugins: plugins }: Settings): readonly string[] {
  if (typeof plugins !== "object" || plugins === null) return [];
  return Object.entries(plugins)
    .filter(([name, value]) => OUR_PLUGIN.test(name) && (value !== false) === on)
    .map(([name]) => name);
}
